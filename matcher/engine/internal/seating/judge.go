package seating

import (
	"slices"

	"mmsim/matcher"
)

// Judge checks a match that was made outside the engine. It sets broken[i] if the match breaks
// rule i. The last element of broken represents the team sizes. If the tickets join a session,
// s.Seated must contain the session's players. If teams is nil, Judge skips the team sizes and
// all rules that distinguish teams.
func (s *Search) Judge(broken []bool, group []Row, teams []int, region matcher.Region) {
	s.reset()
	for k, row := range group {
		team := 0
		if teams != nil {
			team = teams[k]
		}
		s.seat(row, team)
	}
	e := &s.evaluator
	e.Complete, e.explains = true, true
	defer func() { e.explains = false }()
	for _, r := range s.Rules.enforced {
		if teams != nil || s.Rules.ignoresTeams(r.of) {
			broken[r.index] = e.verdict(r) != holds || region != matcher.NoRegion && !e.reachesAll(r, region)
		}
	}
	broken[len(s.Rules.Set.Rules)] = teams != nil && !s.fits()
}

// reachesAll reports whether a region satisfies every latency rule that rule r requires.
func (e *evaluator) reachesAll(r *rule, region matcher.Region) bool {
	if _, latency := r.of.(*matcher.Latency); latency {
		return e.reached([]*rule{r})&r.reach.Tickets.Only(region) != 0
	}
	return r.statement == nil || e.allReach(r.statement, region)
}

// allReach does the same as reachesAll for a statement.
func (e *evaluator) allReach(s *statement, region matcher.Region) bool {
	if s.rule != nil {
		return e.reachesAll(s.rule, region)
	}
	return s.operator != "and" || !slices.ContainsFunc(s.parts, func(part *statement) bool { return !e.allReach(part, region) })
}

// ignoresTeams reports whether a rule has the same result however a match's players are divided
// into teams.
func (r *Rules) ignoresTeams(of matcher.SeatRule) bool {
	switch of := of.(type) {
	case *matcher.Comparison:
		return r.ignores(of.Measured, of.Reference, true)
	case *matcher.Distance:
		return r.ignores(of.Measured, of.Reference, true)
	case *matcher.Collection:
		return r.ignores(of.Measured, of.Reference, false)
	case *matcher.Compound:
		return r.statementIgnores(of.Statement)
	}
	return true // the remaining rules read all players of the match
}

// statementIgnores does the same as ignoresTeams for a statement.
func (r *Rules) statementIgnores(s *matcher.Statement) bool {
	if s.Rule != nil {
		return r.ignoresTeams(s.Rule)
	}
	return !slices.ContainsFunc(s.Parts, func(part *matcher.Statement) bool { return !r.statementIgnores(part) })
}

// ignores does the same as ignoresTeams for measured expressions and their reference. flat is set
// if the rule treats a list of lists as one list.
func (r *Rules) ignores(measured []*matcher.Expression, reference matcher.Steps[matcher.Reference], flat bool) bool {
	return !slices.ContainsFunc(measured, func(x *matcher.Expression) bool { return !r.expressionIgnores(x, flat) }) &&
		!slices.ContainsFunc(reference, func(step matcher.Step[matcher.Reference]) bool {
			return step.Value.Expression != nil && !r.expressionIgnores(step.Value.Expression, false)
		})
}

// expressionIgnores does the same as ignoresTeams for an expression. flat is set if one list per
// team counts as one list for all.
func (r *Rules) expressionIgnores(x *matcher.Expression, flat bool) bool {
	if x.Function != matcher.NoFunction {
		return r.expressionIgnores(x.Argument, x.Function == matcher.Flatten)
	}
	return len(x.Teams) == len(r.Set.Teams) && (flat || !x.PerTeam)
}
