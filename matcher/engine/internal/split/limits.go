package split

import (
	"math"
	"slices"
)

// TeamBudget is the number of placements that the searches of Limits may try for
// all groups around one seed where they are not exact: with more than two teams,
// limits of gaps and more than exactUnits units; or with two teams and limits of
// several gaps. When it is met the search gives up and says so.
const TeamBudget = 200_000

// windowBudget is the part of TeamBudget that one window of team sizes may take.
// When it is met the search goes on with the next window.
const windowBudget = 20_000

// exactUnits is the largest number of units for which the search for more than two
// teams with limits of gaps has no budget.
const exactUnits = 12

// Limits wants the first assignment that keeps every limit. Assignments are tried
// by spread, the smallest first, up to MaxSpread. With more than two teams any gap
// within the limits will do, and where gaps have limits the spreads 0 and 1 are
// tried before all others together. With two teams and a value the assignment has
// the smallest gap of the first value among those with the same team sizes; of two
// spreads the smaller is preferred, then a smaller first team.
//
// It finds an assignment whenever there is one, except where Budget ends the
// search. A match has at most MaxPlayers players, and as many teams.
type Limits struct {
	// MaxSpread is the largest spread allowed; negative: no assignment is valid.
	MaxSpread int
	// MaxGaps has the largest gap allowed of each value, in ascending order: the
	// value with the tightest limit is the first. With two teams a limit may be +Inf:
	// the gap of the first value is kept small all the same. With more teams leave
	// such a value out: it takes time and changes nothing.
	MaxGaps []float64
	// LargeInAll asks for a large unit in every team if there is one at all. Seated
	// players are none.
	LargeInAll bool
	// Check, if there is one, is asked of every assignment that keeps the other limits, with
	// the team of each unit in the order of AddUnit, and tells whether it is valid. The search
	// then goes unit by unit, has a budget, and takes any gaps within the limits.
	Check func(team []int) bool
	// Budget is how many placements a search that is not exact may still try. Split
	// subtracts what it uses; the caller sets it to TeamBudget for every seed.
	Budget int
}

func (l *Limits) solve(s *Solver) (found, exact bool) {
	least, most := 0, 0
	for i := range s.seats {
		t := &s.seats[i]
		if t.players > t.most {
			return false, true
		}
		least, most = least+t.least, most+t.most
	}
	if s.players < least || s.players > most {
		return false, true
	}
	if s.players > MaxPlayers {
		panic("split: Limits divides at most 32 players")
	}
	s.sort()
	if l.LargeInAll {
		s.allLarge = slices.ContainsFunc(s.units, func(u unit) bool { return u.large })
	}
	if s.checked = l.Check != nil; len(s.seats) == 2 && s.width > 0 && !s.checked {
		found = s.halves.solve(s, l)
	} else {
		found = l.search(s)
	}
	return found, found || !s.hit
}

// search looks for an assignment window by window.
func (l *Limits) search(s *Solver) bool {
	for spread := range min(l.MaxSpread, MaxPlayers) + 1 {
		switch {
		case s.width > 0 && spread == 2: // each failure is a whole search: two narrow ones, then all
			return s.window(0, MaxPlayers)
		case s.width == 0 && spread == 1 && l.MaxSpread >= MaxPlayers && !s.window(0, MaxPlayers):
			// Most groups are even at once; the others are asked first whether any sizes
			// will do. Without that a day of PlayFab with parties takes 27 % longer.
			return false
		}
		if s.windows(spread) {
			return true
		}
	}
	return false
}

func (l *Limits) promising(s *Solver, k int) bool {
	if k == 0 {
		s.steps = windowBudget
	}
	if !s.mayFill(s.rest[k]) {
		return false
	}
	if s.width == 0 && !s.checked || k == len(s.units) {
		return true
	}
	return l.mayBalance(s, k) && (len(s.units) <= exactUnits || l.spend(s))
}

// spend counts a placement; false when the budget or the window has none left.
func (l *Limits) spend(s *Solver) bool {
	l.Budget, s.steps = l.Budget-1, s.steps-1
	if l.Budget < 0 || s.steps < 0 {
		s.hit = true
		return false
	}
	return true
}

// mayBalance tells whether the averages can still come close enough: that of each
// team lies between what it would be if all free places were filled with the lowest
// value per player that is left, and with the highest.
func (l *Limits) mayBalance(s *Solver, from int) bool {
	for k, limit := range l.MaxGaps {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range s.units[from:] {
			u := &s.units[from+i]
			v := s.value(u, k) / float64(u.size)
			low, high = min(low, v), max(high, v)
		}
		floor, ceiling := math.Inf(-1), math.Inf(1) // the highest lower and the lowest upper bound
		for i := range s.teams {
			t := &s.teams[i]
			if t.players == 0 && t.least == 0 {
				continue // it may stay empty
			}
			least, most, sum := math.Inf(1), math.Inf(-1), t.sum
			if k > 0 {
				sum = s.sum(i, k, from)
			}
			for _, size := range [2]int{max(t.least, t.players), t.most} {
				more := float64(size - t.players)
				least = min(least, (sum+float64(more*low))/float64(size))
				most = max(most, (sum+float64(more*high))/float64(size))
			}
			floor, ceiling = max(floor, least), min(ceiling, most)
		}
		if floor-ceiling > limit+slack*max(1, math.Abs(floor)) {
			return false
		}
	}
	return true
}

// complete tells whether the assignment keeps the limits; mayFill has seen to sizes
// and large units.
func (l *Limits) complete(s *Solver) bool {
	if s.spread() > l.MaxSpread {
		return false
	}
	for k, limit := range l.MaxGaps {
		if s.gap(k, len(s.units)) > limit {
			return false
		}
	}
	if !s.checked {
		return true
	}
	s.byUnit = slices.Grow(s.byUnit[:0], len(s.units))[:len(s.units)]
	for i := range s.units {
		s.byUnit[s.units[i].added] = s.team[i]
	}
	return l.Check(s.byUnit)
}
