package seating

import "math"

// KeepsApart returns the index of the first rule that keeps two tickets out of every match,
// whatever their teams; if no teams can hold both, the index after all rules.
func (s *Search) KeepsApart(a, b Row) (rule int, apart bool) {
	s.Seated, s.Free, s.evaluator.explains = nil, math.MaxInt32, true
	s.anchor(false)
	defer func() { s.evaluator.explains = false }()
	rule = len(s.Rules.Set.Rules)
	for _, first := range s.starts(a) {
		s.reset()
		fits := s.place(a, first) && s.failing() < 0
		for _, team := range s.seats(nil, s.Rules.rows.Players[b]) {
			if fits {
				s.place(b, team)
			} else { // place needs the totals of the seed, which a failed start does not compute
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

// failing returns the index of the first rule that fails for the group and every match that it
// may become; -1: none fails.
func (s *Search) failing() int {
	for _, r := range s.Rules.enforced {
		if s.evaluator.verdict(r) == fails {
			return r.index
		}
	}
	return -1
}
