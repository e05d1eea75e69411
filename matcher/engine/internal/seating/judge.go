package seating

import (
	"slices"

	"mmsim/matcher"
)

// Judge notes which rules a match breaks that somebody else made, by place, and behind them
// whether the sizes of its teams are wrong. Seated are the players of the session that it
// joins. Without teams, rules that tell one team from another are not looked at, nor the
// sizes.
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
		if teams == nil && !s.Rules.blind(r) {
			continue
		}
		broken[r.index] = e.verdict(r) != holds
		for _, l := range latencies(nil, &statement{rule: r}) {
			broken[r.index] = broken[r.index] || region != matcher.NoRegion && e.reaches(l, int(region)) != holds
		}
	}
	broken[len(s.Rules.Set.Rules)] = teams != nil && !s.fits()
}

// latencies appends the rules about regions that a statement cannot hold without: they all
// hold where the match is played.
func latencies(dst []*rule, s *statement) []*rule {
	switch {
	case s.operator == "and":
		for _, part := range s.parts {
			dst = latencies(dst, part)
		}
	case s.rule == nil:
	case s.rule.statement != nil:
		return latencies(dst, s.rule.statement)
	default:
		if _, ok := s.rule.of.(*matcher.Latency); ok {
			dst = append(dst, s.rule)
		}
	}
	return dst
}

// blind tells whether a rule finds the same in a match however it is divided into teams.
func (r *Rules) blind(c *rule) bool {
	switch of := c.of.(type) {
	case *matcher.Comparison:
		return r.blindOf(of.Measured, of.Reference, true)
	case *matcher.Distance:
		return r.blindOf(of.Measured, of.Reference, true)
	case *matcher.Collection:
		return r.blindOf(of.Measured, of.Reference, false)
	case *matcher.Compound:
		return r.blindParts(c.statement)
	}
	return true // about all players
}

// blindParts is blind for all rules that a statement names.
func (r *Rules) blindParts(s *statement) bool {
	if s.rule != nil {
		return r.blind(s.rule)
	}
	return !slices.ContainsFunc(s.parts, func(part *statement) bool { return !r.blindParts(part) })
}

// blindOf is blind for what a rule measures and what it compares that with. values tells
// that lists of measured values count as the values in them.
func (r *Rules) blindOf(measured []*matcher.Expression, reference matcher.Steps[matcher.Reference], values bool) bool {
	for _, x := range measured {
		if !r.blindTo(x, values) {
			return false
		}
	}
	for _, step := range reference {
		if x := step.Value.Expression; x != nil && !r.blindTo(x, false) {
			return false
		}
	}
	return true
}

// blindTo is blind for an expression. flat tells that a list for each team counts as one
// list.
func (r *Rules) blindTo(x *matcher.Expression, flat bool) bool {
	if x.Function != matcher.NoFunction {
		return r.blindTo(x.Argument, x.Function == matcher.Flatten)
	}
	return len(x.Teams) == len(r.Set.Teams) && (flat || !x.PerTeam)
}
