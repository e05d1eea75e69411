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
	e.Complete, e.Explains = true, true
	defer func() { e.Explains = false }()
	for _, r := range s.Rules.enforced {
		if teams != nil || s.Rules.Set.IgnoresTeams(r.of) {
			broken[r.Index] = e.verdict(r) != holds || region != matcher.NoRegion && !e.reachesAll(r, region)
		}
	}
	broken[len(s.Rules.Set.Rules)] = teams != nil && !s.fits()
}

// reachesAll reports whether a region satisfies every latency rule that rule r requires.
func (e *evaluator) reachesAll(r *rule, region matcher.Region) bool {
	if _, latency := r.of.(*matcher.Latency); latency {
		return e.reached([]*rule{r})&r.Reach.Tickets.Only(region) != 0
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
