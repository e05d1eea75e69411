package seating

import "mmsim/matcher"

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
		if teams == nil && !s.Rules.Set.IgnoresTeams(r.of) {
			continue
		}
		broken[r.index] = e.verdict(r) != holds
		for _, l := range matcher.NeededLatencies(r.of) {
			broken[r.index] = broken[r.index] || region != matcher.NoRegion && e.reaches(s.Rules.byRule[l], int(region)) != holds
		}
	}
	broken[len(s.Rules.Set.Rules)] = teams != nil && !s.fits()
}
