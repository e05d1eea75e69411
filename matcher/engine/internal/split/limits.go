package split

import (
	"math"
	"slices"
)

// TeamBudget is the number of placements that the inexact searches of Limits may try for all
// groups around one seed. A search is inexact with more than two teams, limits of gaps and more
// than exactUnits units, and with two teams and limits of several gaps. When the budget is used
// up, the search stops and reports that.
const TeamBudget = 200_000

// windowBudget is the part of TeamBudget that one window of team sizes may use. When it is used
// up, the search continues with the next window.
const windowBudget = 20_000

// exactUnits is the largest number of units for which the search for more than two
// teams with limits of gaps has no budget.
const exactUnits = 12

// Limits selects the first assignment within all limits. Assignments are tried by spread, the
// smallest first, up to MaxSpread. With more than two teams, any gap within the limits is
// accepted; if gaps have limits, the spreads 0 and 1 are tried first, then all others together.
// With two teams and a value, the assignment has the smallest gap of the first value among
// those with the same team sizes; the smaller spread is preferred, then the smaller first team.
//
// It finds an assignment whenever there is one, unless Budget ends the search. A match has at
// most MaxPlayers players and MaxPlayers teams.
type Limits struct {
	// MaxSpread is the largest allowed spread; negative: no assignment is valid.
	MaxSpread int
	// MaxGaps is the largest allowed gap of each value, in ascending order: the value with the
	// tightest limit is the first. With two teams a limit may be +Inf; the gap of the first
	// value is still kept small. With more teams, omit such a value: it costs time and has no
	// effect.
	MaxGaps []float64
	// LargeInAll requires a large unit in every team if there is any large unit. Seated players
	// do not count as large.
	LargeInAll bool
	// Check, if not nil, is called for every assignment within the other limits, with the team
	// of each unit in the order of AddUnit, and reports whether the assignment is valid. The
	// search then places unit by unit, has a budget, and accepts any gaps within the limits.
	Check func(team []int) bool
	// Budget is the number of placements that an inexact search may still try. Split subtracts
	// the placements that it uses; the caller sets Budget to TeamBudget for every seed.
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

// search tries one window of team sizes after another.
func (l *Limits) search(s *Solver) bool {
	for spread := range min(l.MaxSpread, MaxPlayers) + 1 {
		switch {
		case s.width > 0 && spread == 2: // each failure is a whole search: two narrow ones, then a single one for all
			return s.window(0, MaxPlayers)
		case s.width == 0 && spread == 1 && l.MaxSpread >= MaxPlayers && !s.window(0, MaxPlayers):
			// Most groups can be divided evenly at once. For the others, first check whether
			// any sizes are possible: without that, a day of PlayFab with parties takes 27 %
			// longer.
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
	if len(s.units) > exactUnits {
		return l.mayBalance(s, k) && l.spend(s)
	}
	return l.mayBalance(s, k) && (len(l.MaxGaps) == 0 || s.units[k].size > 1 || l.mayLevel(s, s.units[k:]))
}

// spend counts a placement. It returns false if the budget of the search or of the window is
// used up.
func (l *Limits) spend(s *Solver) bool {
	l.Budget, s.steps = l.Budget-1, s.steps-1
	if l.Budget < 0 || s.steps < 0 {
		s.hit = true
		return false
	}
	return true
}

// mayBalance reports whether the averages can still become close enough. The final average of
// each team lies between its average if all free places got the lowest value per player of the
// remaining units, and its average if they got the highest.
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

// mayLevel reports whether the average of every team can still come close enough to the average
// of all other players, and whether that is possible for the team of the lowest remaining unit,
// given that all remaining units are solos. With an outlier it often is not: for three teams of
// four, a failed search took 25,000 placements without this test. Searches with a budget do not
// use it, because it would change what their budget covers.
func (l *Limits) mayLevel(s *Solver, solos []unit) bool {
	mean, last := 0.0, solos[len(solos)-1].value // they are sorted, the highest first
	for i := range s.teams {
		mean += s.teams[i].sum
	}
	for i := range solos {
		mean += solos[i].value
	}
	mean /= float64(s.players)
	placed := false // the last solo
	for i := range s.teams {
		t := &s.teams[i]
		level, lowest, highest := t.players == 0 && t.least == 0, t.sum, t.sum // sums with the lowest or the highest solos
		for more := 0; more <= min(len(solos), t.most-t.players); more++ {
			withLast := math.Inf(-1)
			if more > 0 {
				withLast = highest + last
				lowest, highest = lowest+solos[len(solos)-more].value, highest+solos[more-1].value
			}
			size := t.players + more
			if size < max(1, t.least) {
				continue
			}
			reach := l.MaxGaps[0]*float64(s.players-size)/float64(s.players) + slack*max(1, math.Abs(mean))
			level = level || size == s.players || lowest/float64(size)-mean <= reach && mean-highest/float64(size) <= reach
			placed = placed || size == s.players || mean-withLast/float64(size) <= reach
		}
		if !level {
			return false
		}
	}
	return placed
}

// complete reports whether the assignment is within the limits; mayFill has already checked
// sizes and large units.
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
