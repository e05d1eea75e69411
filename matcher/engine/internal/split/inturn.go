package split

import "math"

// InTurn selects the most even assignment, as Even does, but searches like matcher.InTurn. It
// differs from Even in four ways:
//
//   - If teams have equal sums, it tries them in the order in which it tried them for the
//     previous unit.
//   - For up to ExactUnits units, its search has no limit.
//   - For more units, it tries only the first Tries complete assignments, including invalid ones,
//     and does not improve the best of them by exchanging units. It stops earlier if no assignment
//     can be more even than the best so far, which is common if units have no values.
//   - It ignores Given, so it may find no assignment at all.
type InTurn struct {
	Even
	Tries int // number of complete assignments to try for more than ExactUnits units

	all    bool // try all assignments, because there are at most ExactUnits units
	spread int  // spread of the best assignment, or the spread that is being searched
}

func (t *InTurn) solve(s *Solver) (found, exact bool) {
	t.begin(s)
	s.inTurn, t.all = t, len(s.units) <= ExactUnits
	switch {
	case !t.all:
		s.steps, t.spread = t.Tries, math.MaxInt
		s.window(0, math.MaxInt)
	case !t.halve(s):
		for t.spread = 0; len(s.best) == 0 && t.spread <= s.players; t.spread++ {
			s.windows(t.spread)
		}
	}
	copy(s.team, s.best)
	return len(s.best) > 0, t.all
}

func (t *InTurn) feasible(s *Solver, k int) bool {
	return !t.all || s.mayFill(s.rest[k]) && (len(s.best) == 0 || k == len(s.units) || s.mayBalance(0, k, s.bestGap))
}

func (t *InTurn) complete(s *Solver) (done bool) {
	s.steps--
	if spread := s.spread(); spread <= t.spread {
		gap := s.gap(0, len(s.units))
		if (spread < t.spread || gap < s.bestGap) && s.mayFill(rest{}) && s.allFree() {
			t.spread, s.bestGap, s.best = spread, gap, append(s.best[:0], s.team...)
		}
	}
	if t.all {
		return s.bestGap == 0
	}
	return s.steps == 0 || s.bestGap == 0 && t.spread == s.leastSpread()
}

// allFree reports whether Apart and Barred allow every unit in its current team.
func (s *Solver) allFree() bool {
	for i := range s.units {
		if !s.free(i, s.team[i], i) {
			return false
		}
	}
	return true
}

// order replaces Solver.order for InTurn. It takes the order that was used for the previous unit
// and sorts it by the teams' sums. Teams with equal sums keep their order. It omits only full
// teams.
func (t *InTurn) order(s *Solver, assigned int) (from int) {
	if assigned == 0 {
		s.parent, s.stack = 0, s.stack[:0]
		for team := range s.teams {
			s.stack = append(s.stack, team)
		}
	}
	from = len(s.stack)
	for _, team := range s.stack[s.parent:from] {
		if s.teams[team].players >= s.teams[team].most {
			continue
		}
		at := len(s.stack)
		s.stack = append(s.stack, team)
		for ; at > from && s.teams[team].sum < s.teams[s.stack[at-1]].sum; at-- {
			s.stack[at] = s.stack[at-1]
		}
		s.stack[at] = team
	}
	return from
}
