package seating

import (
	"math"
	"slices"
)

// KeepsApart reports whether no match can contain both tickets, whatever their teams. It also
// returns the index of the first rule that prevents such a match. If the teams simply have no
// room for both tickets, the index is the number of rules. If explain is set, it describes how the
// two break the rule.
func (s *Search) KeepsApart(a, b Row, explain bool) (rule int, why Reason, apart bool) {
	e := &s.evaluator
	s.Seated, s.Free, e.explains = nil, math.MaxInt32, true
	e.anchored = false
	defer func() { e.explains, e.Complete = false, false }()
	rule, why = len(s.Rules.Set.Rules), wordless("no teams have room for both")
	for _, first := range s.starts(a) {
		s.reset()
		fits := s.place(a, first) && s.failing(true) < 0
		for _, team := range s.seats(nil, s.Rules.rows.Players[b]) {
			sums := false
			if fits {
				sums = s.place(b, team) || s.quick.stage == e.stage && s.quick.leaves(e, &s.quick.depths[1], b, team)
			} else { // place needs the seed's totals, which do not exist if it failed for the seed
				s.seat(b, team)
				s.measure()
			}
			at := s.failing(sums)
			if at < 0 && s.full() { // nobody else can join, so the rules must hold for the two
				e.Complete = true
				at = s.broken()
			}
			if explain && at >= 0 && at < rule {
				why = s.explain(at)
			}
			e.Complete = false
			s.pop()
			if at < 0 {
				return 0, Reason{}, false
			}
			rule = min(rule, at)
		}
	}
	return rule, why, true
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
	for i := range s.Rules.spreads {
		x := &s.Rules.spreads[i]
		if apart, most := s.evaluator.spread(x); apart > most {
			return x.rule.whole().index
		}
	}
	return -1
}

// spread returns the largest difference between the numbers of the group's players, and the
// largest difference that a spread allows.
func (e *evaluator) spread(x *spread) (apart, most float64) {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, side := range e.Sides {
		for _, member := range side {
			number := e.Columns.Cell(x.column, member).Number
			lowest, highest = min(lowest, number), max(highest, number)
		}
	}
	return highest - lowest, x.most(e.rules, e.stage, e.decided())
}

// whole returns the enforced rule that fails if r fails.
func (r *rule) whole() *rule {
	if r.within != nil {
		return r.within
	}
	return r
}

// broken returns the index of the first rule that a complete group breaks, or -1 if the group is a
// match. If only the sizes of the teams are wrong, the index is the number of rules.
func (s *Search) broken() int {
	for _, r := range s.Rules.enforced {
		if s.evaluator.verdict(r) != holds {
			return r.index
		}
	}
	switch latencies := s.Rules.latencies; {
	case len(latencies) > 1 && s.evaluator.latency(latencies) != holds:
		return latencies[len(latencies)-1].index
	case !s.fits():
		return len(s.Rules.Set.Rules)
	}
	return -1
}

// explain describes how the group breaks a rule. The parameter is the rule's index.
func (s *Search) explain(at int) Reason {
	for _, r := range s.Rules.enforced {
		if r.index == at {
			return s.evaluator.reason(r)
		}
	}
	return s.evaluator.latencyReason(s.Rules.latencies) // the rule is part of an "and"
}
