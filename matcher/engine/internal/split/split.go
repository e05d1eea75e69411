// Package split divides the players of one match into teams.
//
// A unit joins one team as a whole: it is a ticket, or a single player who may join any team.
// An objective defines which assignments of units to teams are valid and which of them is
// selected: Limits selects the first one within all limits, in an order of preference, Even the
// best one. Both search windows of team sizes, from the smallest spread on (search.go). Two
// kinds of match have faster algorithms: two teams with limits of averages (halves.go), and
// solos in two teams of equal size (solos.go).
//
// The spread of an assignment is the number of players in its largest team minus the number in
// its smallest. A gap is the highest team average of a value minus the lowest. A team without
// players has no average.
//
// The package does not know tickets or pools; its input and output are numbers.
package split

import (
	"math"
	"slices"
)

// MaxPlayers is the largest match that Limits divides: its exact searches store the players of
// a team in six bits and the units of a match in one word. Even has no such limit.
const MaxPlayers = 32

// slack is added to a bound that was computed in another way than the value it is compared
// with, because rounding may go either way.
const slack = 1e-9

// Objective is the goal of a division: *Limits or *Even.
type Objective interface {
	// solve stores the assignment in Solver.team.
	solve(s *Solver) (found, exact bool)
	// promising reports whether it is worth placing the units from k on. It counts the
	// placement against the budget.
	promising(s *Solver, k int) bool
	// complete is called when all units are placed; true ends the search.
	complete(s *Solver) (done bool)
}

// Solver divides units into teams. It reuses its memory: describe a match with Reset, AddTeam,
// Seat and AddUnit, call Split once, read the teams with Placed, and start again with Reset.
// The zero Solver is ready for Reset.
type Solver struct {
	width      int       // number of values per unit
	units      []unit    // in the order of AddUnit; after sort, in the order of placement
	values     []float64 // by unit in the order of AddUnit, then by value
	seats      []team    // as added: sizes and seated players
	seatValues []float64 // by team, then by value
	players    int       // of all units and teams

	// Set by the objective.
	objective Objective
	even      *Even // the objective, if it is an *Even
	allLarge  bool  // every team needs a large unit
	checked   bool  // Limits with a Check: it matters which units are in a team

	// The state of the search.
	team     []int  // by index in units: the unit's team
	teams    []team // with the sizes of the current window and all players placed so far
	rest     []rest // by index in units: the total of the units from there on
	mayEmpty bool   // a team without players need not reach its least
	smallest int    // with mayEmpty: smallest number of players of a team that is not empty
	stack    []int  // teams to try, for every unit that is being placed
	failed   map[loads]struct{}
	steps    int  // placements that the current search may still use
	hit      bool // a budget ended a search
	halves   halves
	solos    Solos
	halved   []float64 // scratch of Even.halve
	byUnit   []int     // scratch of Limits.complete
	best     []int     // Even: the best assignment so far; empty: none
	bestGap  float64
	start    []int // Even: the assignment that is being improved
}

// unit is a group of players that join one team as a whole.
type unit struct {
	size  int
	value float64 // the first value, which the search reads most
	added int     // its number in the order of AddUnit
	large bool
}

// team is a team that is being filled.
type team struct {
	least, most int // players
	players     int
	sum         float64 // of the first value
	large       bool    // it has a large unit
	seated      bool    // some of its players are seated and cannot move
}

// rest is the total of the units that remain to be placed.
type rest struct{ players, large int }

// Reset removes all units and teams. Every unit of the next match has a number of values;
// objectives keep the gap of the first one small.
func (s *Solver) Reset(values int) {
	s.width, s.players = values, 0
	s.units, s.values = s.units[:0], s.values[:0]
	s.seats, s.seatValues = s.seats[:0], s.seatValues[:0]
}

// AddTeam adds a team with bounds for its number of players. A match has at least one team.
func (s *Solver) AddTeam(least, most int) {
	s.seats = append(s.seats, team{least: least, most: most})
	for range s.width {
		s.seatValues = append(s.seatValues, 0)
	}
}

// Seat adds players to a team that they cannot leave, such as the players of a session. values
// are the sums of their values.
func (s *Solver) Seat(team, players int, values ...float64) {
	t := &s.seats[team]
	t.players, t.seated = t.players+players, true
	s.players += players
	sums := s.seatValues[team*s.width:][:s.width]
	for k, v := range values {
		sums[k] += v
		t.sum = sums[0]
	}
}

// AddUnit adds a unit: its number of players, whether it is a large party, and the sums of its
// players' values. The first unit is number 0.
func (s *Solver) AddUnit(size int, large bool, values ...float64) {
	s.values = append(s.values, values...)
	u := unit{size: size, added: len(s.units), large: large}
	if len(values) > 0 {
		u.value = values[0]
	}
	s.units = append(s.units, u)
	s.players += size
}

// Split looks for teams. If found is false, exact is true if there are none, and false if a
// budget ended the search. If found is true, exact is true if no budget prevented the
// assignment that the objective prefers; for Limits it is then always true.
func (s *Solver) Split(objective Objective) (found, exact bool) {
	s.objective, s.even, s.allLarge, s.checked, s.hit, s.stack = objective, nil, false, false, false, s.stack[:0]
	s.team = slices.Grow(s.team[:0], len(s.units))[:len(s.units)]
	return objective.solve(s)
}

// Placed returns the k-th unit in the order of placement, by its number in the order of
// AddUnit, and its team. Limits places large units first, and of those of equal size the one
// with the highest first value first; Even places the highest value first. Units that are equal
// in this respect are in the order of AddUnit.
func (s *Solver) Placed(k int) (unit, team int) { return s.units[k].added, s.team[k] }

// sort sorts the units into the order of placement, and computes the totals of the remaining
// units from each on.
func (s *Solver) sort() {
	for i, u := range s.units { // insertion sort, because there are few units and most are already in order
		at := i
		for ; at > 0 && s.before(&u, &s.units[at-1]); at-- {
			s.units[at] = s.units[at-1]
		}
		s.units[at] = u
	}
	n := len(s.units)
	s.rest = slices.Grow(s.rest[:0], n+1)[:n+1]
	s.rest[n] = rest{}
	for i := n - 1; i >= 0; i-- {
		s.rest[i] = s.rest[i+1]
		s.rest[i].players += s.units[i].size
		if s.units[i].large {
			s.rest[i].large++
		}
	}
}

func (s *Solver) before(a, b *unit) bool {
	if s.even == nil && a.size != b.size {
		return a.size > b.size
	}
	return a.value > b.value
}

// gap returns the gap of a value between the teams after the first units are placed.
func (s *Solver) gap(k, placed int) float64 {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range s.teams {
		if t := &s.teams[i]; t.players > 0 {
			sum := t.sum
			if k > 0 {
				sum = s.sum(i, k, placed)
			}
			average := sum / float64(t.players)
			lowest, highest = min(lowest, average), max(highest, average)
		}
	}
	return max(0, highest-lowest)
}

// sum returns the sum of a value over a team after the first units are placed. Only the sum of
// the first value is kept up to date, because second values are rare.
func (s *Solver) sum(team, k, placed int) float64 {
	sum := s.seatValues[team*s.width+k]
	for i := range s.units[:placed] {
		if s.team[i] == team {
			sum += s.value(&s.units[i], k)
		}
	}
	return sum
}

func (s *Solver) value(u *unit, k int) float64 { return s.values[u.added*s.width+k] }

// spread returns the spread of the current teams.
func (s *Solver) spread() int {
	fewest, largest := math.MaxInt, 0
	if s.even != nil && s.even.MoreTeams {
		fewest = 0
	}
	for i := range s.teams {
		fewest, largest = min(fewest, s.teams[i].players), max(largest, s.teams[i].players)
	}
	return largest - fewest
}
