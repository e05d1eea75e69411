package split

import "math"

// ExactUnits is the largest number of units for which Even finds the most even assignment for
// certain, provided that evenSteps suffice. With more units, the search stops after
// evenManySteps, and exchanging units may improve its result.
const ExactUnits = 12

// These constants bound the steps of the search for even teams. Assigning a unit takes one step,
// plus one for every four teams. If the search runs out of steps, improve exchanges units in the
// best assignment so far.
const (
	evenSteps     = 1_000_000 // for up to ExactUnits units
	evenManySteps = 20_000
)

// Even selects the assignment with the smallest spread. Among those, it selects the one with the
// smallest gap of the first value. If several have the same gap too, it selects the one that it
// finds first. Every team must have an allowed size. A team may also be empty, as long as
// MinTeams teams have players.
type Even struct {
	// Given is a valid assignment. It lists the team of each unit, in the order of AddUnit. It is
	// the result unless Even finds one that is more even.
	Given []int
	// MinTeams is the number of teams that must have players.
	MinTeams int
	// MoreTeams is set if the match has additional teams that remain empty but count in the
	// spread. The caller must still add as many teams as could have players.
	MoreTeams bool
	// Apart reports whether two units must not be in the same team. Barred reports whether a unit
	// must not join a team because of the team's seated players. Either may be nil. Both receive
	// unit numbers in the order of AddUnit.
	Apart  func(unit, other int) bool
	Barred func(unit, team int) bool
}

// evenness is the measure by which Even compares assignments. A smaller spread is better. If the
// spreads are equal, a smaller gap is better.
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
	e.begin(s)
	s.start = s.start[:0]
	for i := range s.units {
		s.start = append(s.start, e.Given[s.units[i].added])
	}
	given := s.putStart()
	if s.steps = evenSteps; len(s.units) > ExactUnits {
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

// begin prepares a search.
func (e *Even) begin(s *Solver) {
	s.even, s.apart, s.best, s.bestGap = e, e.Apart != nil || e.Barred != nil, s.best[:0], math.Inf(1)
	s.sort()
}

// halve solves the simplest case directly and returns true: at most ExactUnits units, all of them
// solos, that fill two teams of the same size. In all other cases it returns false.
func (e *Even) halve(s *Solver) bool {
	n := len(s.units)
	if n%2 == 1 || n > ExactUnits || n != s.players || len(s.seats) != 2 || e.MoreTeams || s.apart {
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
	second, gap := s.solos.Split(s.halved, s.inTurn != nil)
	s.bestGap = gap
	for i := range s.units {
		s.best = append(s.best, int(second>>i&1))
	}
	return true
}

// putStart puts all units in their starting teams and returns the evenness of these teams.
func (s *Solver) putStart() evenness {
	s.empty(0, math.MaxInt)
	for i, team := range s.start {
		s.put(i, team)
	}
	return s.evenness()
}

func (s *Solver) evenness() evenness { return evenness{s.spread(), s.gap(0, len(s.units))} }

func (e *Even) feasible(s *Solver, k int) bool {
	s.steps -= 1 + len(s.teams)/4
	return s.steps >= 0 && s.mayFill(s.rest[k])
}

// complete records the assignment if it is the best so far. A gap of 0 ends the search, because
// no gap is smaller.
func (e *Even) complete(s *Solver) bool {
	if gap := s.gap(0, len(s.units)); gap < s.bestGap {
		s.bestGap, s.best = gap, append(s.best[:0], s.team...)
	}
	return s.bestGap == 0
}

// improveSteps bounds the work of improve on one match. An attempted move or exchange counts once
// per team. If the steps run out, improve keeps the changes that it has made.
const improveSteps = 100_000

// improve moves and exchanges units as long as that makes the teams more even. For four teams of
// eight with parties, the remaining gap is a third of what the search alone leaves. For eight
// teams of four, it is half.
func (e *Even) improve(s *Solver) {
	now := s.putStart()
	for steps, better := improveSteps, true; better; {
		better = false
		for i := range s.units {
			for k := range i + len(s.teams) { // try to exchange i with an earlier unit, then to move it
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

// change moves unit i to another team. Unless other is i itself, it also moves unit other to the
// team that i leaves. It undoes the change unless the teams are valid and more even than now.
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

// move moves a unit from its current team to another.
func (s *Solver) move(i, team int) {
	u, t := &s.units[i], &s.teams[s.team[i]]
	t.players, t.sum = t.players-u.size, t.sum-u.value
	s.put(i, team)
}
