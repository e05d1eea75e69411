package split

import "math"

// ExactUnits is the largest number of units that Even divides into teams of proven
// evenness, if evenSteps last. More are divided by the same search as long as its
// steps last, and the result is improved by exchanges.
const ExactUnits = 12

// Steps of the search for even teams: one for a unit placed, and one more for each
// four teams. When they are met the search stops, and exchanges improve the best
// assignment it has seen.
const (
	evenSteps     = 1_000_000 // up to ExactUnits units
	evenManySteps = 20_000
)

// Even wants the assignment with the smallest spread, and of those the one with the
// smallest gap of the first value; of equal ones the first that the search comes to.
// Every team has its size or, where MinTeams allows it, no players. It always finds
// an assignment, because it is given one.
type Even struct {
	// Given is a valid assignment: the team of each unit as added. It is the result
	// unless another one is more even.
	Given []int
	// MinTeams is how many teams must have players.
	MinTeams int
	// MoreTeams tells that the match has further teams, which stay empty but count
	// in the spread. Add at least as many teams as could have players.
	MoreTeams bool
	// Apart tells whether two units may not be in one team, Barred whether a unit may
	// not be in a team because of its seated players; nil: never. They name units as
	// added.
	Apart  func(unit, other int) bool
	Barred func(unit, team int) bool
}

// evenness is what Even judges an assignment by: less is better, the spread first.
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
	if !s.solos.solve(s) {
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

// putStart puts all units into the teams where they start, and returns how even that
// is.
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

// complete keeps the assignment if it is the best yet. No gap is better than 0.
func (e *Even) complete(s *Solver) bool {
	if gap := s.gap(0, len(s.units)); gap < s.bestGap {
		s.bestGap, s.best = gap, append(s.best[:0], s.team...)
	}
	return s.bestGap == 0
}

// improveSteps bounds the exchanges that are tried for one match: each counts one
// for every team. When it is met the assignment stays as it is then.
const improveSteps = 100_000

// improve moves and exchanges units as long as that makes the teams more even: four
// teams of eight with parties end at a third of the gap that the search leaves, eight
// teams of four at a half.
func (e *Even) improve(s *Solver) {
	now := s.putStart()
	for steps, better := improveSteps, true; better; {
		better = false
		for i := range s.units {
			for k := range i + len(s.teams) { // exchange it with those before, then move it
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

// change moves unit i to another team, and the other unit, if it is not the same, to
// the team that i leaves. It takes the change back unless the teams are valid and
// more even than now.
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

// move takes a unit out of its team and adds it to another.
func (s *Solver) move(i, team int) {
	u, t := &s.units[i], &s.teams[s.team[i]]
	t.players, t.sum = t.players-u.size, t.sum-u.value
	s.put(i, team)
}
