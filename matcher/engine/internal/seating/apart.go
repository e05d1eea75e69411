package seating

import (
	"math"
	"slices"
)

// KeepsApart reports whether no match can contain both tickets, whatever their teams. It also
// returns the index of the first rule that prevents such a match. If the teams simply have no
// room for both tickets, the index is the number of rules.
func (s *Search) KeepsApart(a, b Row) (rule int, apart bool) {
	s.Seated, s.Free, s.evaluator.explains = nil, math.MaxInt32, true
	s.evaluator.anchored = false
	defer func() { s.evaluator.explains = false }()
	rule = len(s.Rules.Set.Rules)
	for _, first := range s.starts(a) {
		s.reset()
		fits := s.place(a, first) && s.failing(true) < 0
		for _, team := range s.seats(nil, s.Rules.rows.Players[b]) {
			sums := false
			if fits {
				sums = s.place(b, team) || s.quick.stage == s.evaluator.stage && s.quick.leaves(&s.evaluator, &s.quick.depths[1], b, team)
			} else { // place needs the seed's totals, which do not exist if it failed for the seed
				s.seat(b, team)
				s.measure()
			}
			at := s.failing(sums)
			s.pop()
			if at < 0 {
				return 0, false
			}
			rule = min(rule, at)
		}
	}
	return rule, true
}

// KeepsOwnApart reports whether no match can contain a ticket because of the ticket's own players.
// It also returns the index of the first rule that prevents such a match, or the number of rules if
// no team has room for the ticket.
func (s *Search) KeepsOwnApart(row Row) (rule int, apart bool) {
	s.Seated, s.Free, s.evaluator.explains = nil, math.MaxInt32, true
	s.evaluator.anchored = false
	defer func() { s.evaluator.explains = false }()
	rule = len(s.Rules.Set.Rules)
	for _, team := range s.starts(row) {
		s.reset()
		at := s.failing(s.place(row, team))
		if at < 0 {
			return 0, false
		}
		rule = min(rule, at)
	}
	return rule, true
}

// failing returns the index of the first rule that fails in every match that the group may
// become, or -1 if there is none. If sums is set, the caller knows that no rule about sums fails.
func (s *Search) failing(sums bool) int {
	for _, r := range s.Rules.enforced {
		if sums && slices.Contains(s.Rules.summed, r) {
			continue
		}
		if s.evaluator.verdict(r) == fails {
			return r.index
		}
	}
	return -1
}
