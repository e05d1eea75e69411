package split

import (
	"math"
	"slices"
)

// TeamBudget is the number of assignments that the inexact searches of Limits may try for all
// groups around one seed. If the budget is used up, the search stops and Split returns exact =
// false.
//
// With two teams, values and no Check, a search is inexact if the gaps of several values have
// limits. Any other search is inexact if there are values or a Check, and more than exactUnits
// units.
const TeamBudget = 200_000

// windowBudget is the part of TeamBudget that the search in one window (one range of team sizes)
// may use. If it is used up, the search continues with the next window.
const windowBudget = 20_000

// exactUnits is the largest number of units for which a search that assigns one unit after another
// has no budget.
const exactUnits = 12

// Limits selects the first valid assignment in an order of preference. It prefers a smaller
// spread, up to MaxSpread.
//
// With more than two teams, it accepts any gaps within the limits. If gaps have limits, it tries
// spread 0 first, then spread 1, and then all larger spreads together.
//
// With two teams and at least one value, it selects the assignment with the smallest gap of the
// first value among those with the same team sizes. If spreads are equal, it prefers the smaller
// first team.
//
// Limits finds an assignment whenever there is one, unless Budget ends the search. A match has at
// most MaxPlayers players and MaxPlayers teams.
type Limits struct {
	// MaxSpread is the largest allowed spread. If it is negative, no assignment is valid.
	MaxSpread int
	// MaxGaps is the largest allowed gap of each value, in ascending order. The first value is
	// thus the one with the tightest limit. With two teams, the limit may be +Inf, and the gap of
	// the first value is still minimized. With more teams, omit values without a limit, because
	// they cost time and have no effect.
	MaxGaps []float64
	// LargeInAll requires a large unit in every team if there is any large unit. Seated players
	// do not count as large units.
	LargeInAll bool
	// Check reports whether an assignment is valid. It is called for assignments that satisfy all
	// other limits, with the team of each unit in the order of AddUnit. If Check is not nil, the
	// search assigns one unit after another and accepts any gaps within the limits. For more than
	// exactUnits units, it has a budget.
	Check func(team []int) bool
	// Budget is the number of assignments that an inexact search may still try. Split subtracts
	// those that it uses. The caller sets Budget to TeamBudget for every seed.
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

// search tries one window after another. A window is a range of team sizes.
func (l *Limits) search(s *Solver) bool {
	for spread := range min(l.MaxSpread, MaxPlayers) + 1 {
		switch {
		case s.width > 0 && spread == 2: // each window may take a full search: after spreads 0 and 1, search all others at once
			return s.window(0, MaxPlayers)
		case s.width == 0 && spread == 1 && l.MaxSpread >= MaxPlayers && !s.window(0, MaxPlayers):
			// Most groups can be divided evenly in the first window. For the others, first check
			// whether any team sizes are possible. Without this check, a day of PlayFab with
			// parties takes 27 percent longer.
			return false
		}
		if s.windows(spread) {
			return true
		}
	}
	return false
}

func (l *Limits) feasible(s *Solver, k int) bool {
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

// spend subtracts one assignment from the budgets. It returns false if the budget of the search or
// of the current window is used up.
func (l *Limits) spend(s *Solver) bool {
	l.Budget, s.steps = l.Budget-1, s.steps-1
	if l.Budget < 0 || s.steps < 0 {
		s.hit = true
		return false
	}
	return true
}

// mayBalance reports whether every gap can still come within its limit.
func (l *Limits) mayBalance(s *Solver, from int) bool {
	for k, limit := range l.MaxGaps {
		if !s.mayBalance(k, from, limit) {
			return false
		}
	}
	return true
}

// mayLevel reports whether every team's average can still come close enough to the average of all
// other players. All remaining units must be solos. It also checks that the remaining solo with
// the lowest value fits in some team.
//
// A group with an outlier often fails this test: for three teams of four, a failed search took
// 25,000 assignments without it. Searches with a budget do not use the test, because it would
// change how far their budget goes.
func (l *Limits) mayLevel(s *Solver, solos []unit) bool {
	mean, last := 0.0, solos[len(solos)-1].value // solos are sorted, highest value first
	for i := range s.teams {
		mean += s.teams[i].sum
	}
	for i := range solos {
		mean += solos[i].value
	}
	mean /= float64(s.players)
	fits := false // the last solo fits in some team
	for i := range s.teams {
		t := &s.teams[i]
		level, lowest, highest := t.players == 0 && t.least == 0, t.sum, t.sum // lowest and highest are the team's sums with the lowest or highest solos added
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
			allowed := l.MaxGaps[0]*float64(s.players-size)/float64(s.players) + float64(slack*max(1, math.Abs(mean)))
			level = level || size == s.players || lowest/float64(size)-mean <= allowed && mean-highest/float64(size) <= allowed
			fits = fits || size == s.players || mean-withLast/float64(size) <= allowed
		}
		if !level {
			return false
		}
	}
	return fits
}

// complete reports whether the assignment is within the limits. mayFill has already checked team
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
