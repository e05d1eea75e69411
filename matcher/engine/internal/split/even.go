package split

import "math"

// ExactUnits is the largest number of units that Even divides with proven evenness, provided
// that evenSteps suffice. For more units, the same search runs until its steps are used up, and
// the result is improved by exchanges.
const ExactUnits = 12

// Steps of the search for even teams: one per placed unit, and one more per four teams. When
// they are used up the search stops, and exchanges improve the best assignment so far.
const (
	evenSteps     = 1_000_000 // up to ExactUnits units
	evenManySteps = 20_000
)

// Even selects the assignment with the smallest spread, and of those the one with the smallest
// gap of the first value; of equal ones, the first in the order of the search. Every team has
// an allowed size or, if MinTeams permits, no players. An assignment is always found, because
// Given is one.
type Even struct {
	// Given is a valid assignment: the team of each unit, in the order of AddUnit. It is the
	// result unless another one is more even.
	Given []int
	// MinTeams is the number of teams that must have players.
	MinTeams int
	// MoreTeams is set if the match has further teams, which remain empty but count in the
	// spread. Add at least as many teams as could have players.
	MoreTeams bool
	// Apart reports whether two units must not be in the same team, Barred whether a unit must
	// not be in a team because of its seated players; nil: never. Units are numbered in the
	// order of AddUnit.
	Apart  func(unit, other int) bool
	Barred func(unit, team int) bool
}

// evenness is the measure by which Even compares assignments: less is better, the spread first.
type evenness struct {
	spread int
	gap    float64
}

func (e evenness) better(than evenness) bool {
	if e.spread != than.spread {
		return e.spread < than.spread
	}
	return e.gap < than.gap-slack
}

func (e *Even) solve(s *Solver) (found, exact bool) {
	s.even = e
	s.sort()
	s.start = s.start[:0]
	for i := range s.units {
		s.start = append(s.start, e.Given[s.units[i].added])
	}
	given := s.putStart()
	s.best, s.bestGap, s.steps = s.best[:0], math.Inf(1), evenSteps
	if len(s.units) > ExactUnits {
		s.steps = evenManySteps
	}
	spread := 0
	if !e.halve(s) {
		for ; spread <= given.spread && s.steps > 0; spread++ {
			if s.windows(spread); len(s.best) > 0 {
				break
			}
		}
	}
	if len(s.best) > 0 && (evenness{spread, s.bestGap}).better(given) {
		copy(s.start, s.best)
	}
	copy(s.team, s.start)
	if exact = s.steps > 0; !exact {
		e.improve(s)
	}
	return true, exact
}

// halve divides the units if they are solos for two teams of the same size and no unit is kept
// out of a team. Otherwise it returns false.
func (e *Even) halve(s *Solver) bool {
	n := len(s.units)
	if n%2 == 1 || n > ExactUnits || n != s.players || len(s.seats) != 2 || e.MoreTeams || e.Apart != nil || e.Barred != nil {
		return false
	}
	s.halved = s.halved[:0]
	for i := range s.units {
		s.halved = append(s.halved, s.units[i].value)
	}
	for i := range s.seats {
		if t := &s.seats[i]; n/2 < max(1, t.least) || n/2 > t.most {
			return false
		}
	}
	second, gap := s.solos.Split(s.halved, false)
	s.bestGap = gap
	for i := range s.units {
		s.best = append(s.best, int(second>>i&1))
	}
	return true
}

// putStart assigns all units to their starting teams, and returns the evenness of the result.
func (s *Solver) putStart() evenness {
	s.open(0, math.MaxInt)
	for i, team := range s.start {
		s.put(i, team)
	}
	return s.evenness()
}

func (s *Solver) evenness() evenness { return evenness{s.spread(), s.gap(0, len(s.units))} }

func (e *Even) promising(s *Solver, k int) bool {
	s.steps -= 1 + len(s.teams)/4
	return s.steps >= 0 && s.mayFill(s.rest[k])
}

// complete keeps the assignment if it is the best so far. A gap of 0 ends the search, because
// no gap is smaller.
func (e *Even) complete(s *Solver) bool {
	if gap := s.gap(0, len(s.units)); gap < s.bestGap {
		s.bestGap, s.best = gap, append(s.best[:0], s.team...)
	}
	return s.bestGap == 0
}

// improveSteps bounds the exchanges tried for one match, each counted once per team. When it is
// used up, the assignment remains as it is at that point.
const improveSteps = 100_000

// improve moves and exchanges units as long as that makes the teams more even. The remaining
// gap is a third of the search's for four teams of eight with parties, and half of it for eight
// teams of four.
func (e *Even) improve(s *Solver) {
	now := s.putStart()
	for steps, better := improveSteps, true; better; {
		better = false
		for i := range s.units {
			for k := range i + len(s.teams) { // try to exchange i with earlier units, then to move it
				if steps -= len(s.teams); steps < 0 {
					return
				}
				if k < i && s.change(i, s.team[k], k, &now) || k >= i && s.change(i, k-i, i, &now) {
					better = true
				}
			}
		}
	}
}

// change moves unit i to another team, and the other unit, if it is a different one, to the
// team that i leaves. It reverts the change unless the teams are valid and more even than now.
func (s *Solver) change(i, team, other int, now *evenness) bool {
	home, n := s.team[i], len(s.units)
	if team == home || other == i && !s.free(i, team, n) {
		return false
	}
	s.move(i, team)
	if other != i {
		s.move(other, home)
	}
	if other == i || s.free(i, team, n) && s.free(other, home, n) {
		if next := s.evenness(); next.better(*now) && s.mayFill(rest{}) {
			*now = next
			return true
		}
	}
	s.move(i, home)
	if other != i {
		s.move(other, team)
	}
	return false
}

// move moves a unit from its team to another.
func (s *Solver) move(i, team int) {
	u, t := &s.units[i], &s.teams[s.team[i]]
	t.players, t.sum = t.players-u.size, t.sum-u.value
	s.put(i, team)
}
