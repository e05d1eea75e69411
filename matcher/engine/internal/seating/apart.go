package seating

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher/engine/internal/quick"
)

// KeepsApart reports whether no match can contain both tickets, whatever their teams. It also
// returns the index of the first rule that prevents such a match. If the teams simply have no
// room for both tickets, the index is the number of rules. If explain is set, it describes how the
// two break the rule.
func (s *Search) KeepsApart(a, b Row, explain bool) (rule int, words string, apart bool) {
	e := &s.evaluator
	s.Seated, s.Free, e.Explains = nil, math.MaxInt32, true
	e.Anchored = false
	defer func() { e.Explains, e.Complete = false, false }()
	rule, words = len(s.Rules.Set.Rules), "no teams have room for both"
	for _, first := range s.starts(a) {
		s.reset()
		fits := s.tryTeam(a, first) && s.failing(true) < 0
		for _, team := range s.seats(nil, s.Rules.rows.Players[b]) {
			sums := false
			if fits {
				sums = s.tryTeam(b, team) || s.quick.SumsLet(&e.Group, b, team, 1)
			} else { // tryTeam needs the seed's totals, which do not exist if it failed for the seed
				s.seat(b, team)
				s.evaluator.Measure()
			}
			at := s.failing(sums)
			if at < 0 && s.full() { // nobody else can join, so the rules must hold for the two
				e.Complete = true
				at = s.broken()
			}
			if explain && at >= 0 && at < rule {
				words = e.words(e.rules.byRule[e.rules.Set.Rules[at]])
			}
			e.Complete = false
			s.pop()
			if at < 0 {
				return 0, "", false
			}
			rule = min(rule, at)
		}
	}
	return rule, words, true
}

// KeepsOwnApart reports whether no match can contain a ticket because of the ticket's own players.
// It also returns the index of the first rule that prevents such a match, or the number of rules if
// no team has room for the ticket.
func (s *Search) KeepsOwnApart(row Row) (rule int, apart bool) {
	s.Seated, s.Free, s.evaluator.Explains = nil, math.MaxInt32, true
	s.evaluator.Anchored = false
	defer func() { s.evaluator.Explains = false }()
	rule = len(s.Rules.Set.Rules)
	for _, team := range s.starts(row) {
		s.reset()
		at := s.failing(s.tryTeam(row, team))
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
		if sums && slices.Contains(s.Rules.checks.Summed, &r.Rule) {
			continue
		}
		if s.evaluator.verdict(r) == fails {
			return r.Index
		}
	}
	for i := range s.Rules.checks.Spreads {
		x := &s.Rules.checks.Spreads[i]
		if apart, most := s.evaluator.spread(x); apart > most {
			return whole(x.Rule).Index
		}
	}
	return -1
}

// spread returns the largest difference between the numbers of the group's players, and the
// largest difference that a spread allows.
func (e *evaluator) spread(x *quick.Spread) (apart, most float64) {
	numbers := e.Range(x.Column)
	return numbers.High - numbers.Low, x.Most(e.Stage, e.Decided())
}

// whole returns the enforced rule that fails if r fails.
func whole(r *quick.Rule) *quick.Rule { return cmp.Or(r.Enclosing, r) }
