package seating

import "math"

// KeepsApart returns the place among the rules of the first that keeps two tickets out of
// every match, in whatever teams they sit: after all rules, that no teams hold both.
func (s *Search) KeepsApart(a, b Row) (rule int, apart bool) {
	s.Seated, s.Free, s.evaluator.explains = nil, math.MaxInt32, true
	defer func() { s.evaluator.explains = false }()
	rule = len(s.Rules.Set.Rules)
	for _, first := range s.starts(a) {
		fits := s.start(a, first)
		for _, team := range s.seats(nil, s.Rules.rows.Players[b]) {
			if fits {
				s.push(b, team)
			} else { // push needs the totals of the seed, which a failed start does not compute
				s.seat(b, team)
				s.measure()
			}
			at := s.failing()
			s.pop()
			if at < 0 {
				return 0, false
			}
			rule = min(rule, at)
		}
	}
	return rule, true
}

// failing returns the place of the first rule that fails for the group and all that may
// come of it; -1: none does.
func (s *Search) failing() int {
	for _, r := range s.Rules.enforced {
		if s.evaluator.verdict(r) == fails {
			return r.index
		}
	}
	return -1
}
