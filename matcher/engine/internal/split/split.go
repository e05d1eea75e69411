// Package split divides the players of one match into teams.
//
// The input is a list of teams and a list of units. A unit is a group of players who must be in
// the same team, such as a party. Players whom a team already has, such as those of a running
// session, are called seated. Units have values, such as skill, by which teams may be balanced.
// The package does not know tickets or pools.
//
// The spread of an assignment is the number of players in its largest team minus the number in
// its smallest. A gap is the highest team average of a value minus the lowest. A team without
// players has no average.
//
// An Objective defines which assignments of units to teams are valid, and which valid assignment
// is selected. Limits selects the first assignment within all limits, in an order of preference.
// Even and InTurn select the most even assignment. Every objective tries ranges of team sizes,
// starting with the smallest spread (search.go). Two kinds of match have faster algorithms: two
// teams with limits on averages (halves.go), and solos in two teams of equal size (solos.go).
package split

import (
	"math"
	"slices"
)

// MaxPlayers is the largest number of players that Limits divides. Its exact searches store a
// team's number of players in six bits and a set of units in one word. Even has no such limit.
const MaxPlayers = 32

// slack is a tolerance for rounding errors, used when a bound and the value compared with it were
// computed in different ways.
const slack = 1e-9

// Objective defines what a division should achieve. It is a *Limits, an *Even or an *InTurn.
type Objective interface {
	// solve stores the assignment in Solver.team.
	solve(s *Solver) (found, exact bool)
	// feasible reports whether units k and later can still lead to a valid assignment. It counts
	// the assignment against the budget.
	feasible(s *Solver, k int) bool
	// complete is called when all units are assigned. It returns true to end the search.
	complete(s *Solver) (done bool)
}

// Solver divides units into teams. The caller describes a match with Reset, AddTeam, Seat and
// AddUnit, calls Split once, and reads the result with Assigned. Reset starts the next match, which
// reuses the memory. The zero Solver is ready for Reset.
type Solver struct {
	width      int       // number of values per unit
	units      []unit    // in the order of AddUnit until sort; then in the order of assignment
	values     []float64 // indexed by unit in the order of AddUnit, then by value
	seats      []team    // the teams as added, with their bounds and seated players
	seatValues []float64 // indexed by team, then by value
	players    int       // total number of players, seated and in units

	// The following fields are set by the objective.
	objective Objective
	even      *Even // the objective, if it is an *Even or *InTurn
	inTurn    *InTurn
	allLarge  bool // every team needs a large unit
	apart     bool // the objective has an Apart or a Barred function
	checked   bool // the objective is a Limits with a Check, so the identity of units matters

	// The following fields are the state of the search.
	team     []int  // team[i] is the team of units[i]
	teams    []team // the teams with the bounds of the current window and all players assigned so far
	rest     []rest // rest[i] describes units[i] and all later units
	mayEmpty bool   // a team may be empty even if its least is above 0
	smallest int    // used with mayEmpty: smallest number of players that a nonempty team may have
	stack    []int  // the teams to try for each unit that is being assigned
	failed   map[loads]struct{}
	steps    int  // assignments left in the current search
	hit      bool // a search ran out of budget
	halves   halves
	solos    Solos
	halved   []float64 // scratch space for Even.halve
	byUnit   []int     // scratch space for Limits.complete
	best     []int     // for Even: the best assignment so far, or empty
	bestGap  float64
	start    []int // for Even: the assignment that improve starts from

	parent int // for InTurn: stack index of the first team that was tried for the previous unit
}

// unit is a group of players who join a team together.
type unit struct {
	size  int
	value float64 // the first value, which the search reads most often
	added int     // unit number, in the order of AddUnit
	large bool
}

// team is a team that is being filled.
type team struct {
	least, most int // bounds on the number of players
	players     int
	sum         float64 // sum of the players' first values
	large       bool    // has a large unit
	seated      bool    // has seated players, who cannot move
}

// rest summarizes the units that are not assigned yet.
type rest struct {
	players, large int
	low, high      float64 // lowest and highest first value per player
}

// Reset removes all units and teams. values is the number of values that each unit of the next
// match has. Objectives minimize the gap of the first value.
func (s *Solver) Reset(values int) {
	s.width, s.players = values, 0
	s.units, s.values = s.units[:0], s.values[:0]
	s.seats, s.seatValues = s.seats[:0], s.seatValues[:0]
}

// AddTeam adds a team. least and most are the bounds on its number of players. A match must have
// at least one team.
func (s *Solver) AddTeam(least, most int) {
	s.seats = append(s.seats, team{least: least, most: most})
	for range s.width {
		s.seatValues = append(s.seatValues, 0)
	}
}

// Seat adds players who cannot leave the team, such as those of a session. values are the sums of
// their values.
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

// AddUnit adds a unit. size is its number of players, and large marks a large party. values[k] is
// the sum of the k-th value over its players. Units are numbered from 0.
func (s *Solver) AddUnit(size int, large bool, values ...float64) {
	s.values = append(s.values, values...)
	u := unit{size: size, added: len(s.units), large: large}
	if len(values) > 0 {
		u.value = values[0]
	}
	s.units = append(s.units, u)
	s.players += size
}

// Split looks for an assignment. If found is false and exact is true, there is none. If found is
// false and exact is false, a budget ended the search. If found is true, exact reports whether
// the result is certainly the one that the objective prefers. For Limits, exact is then always
// true.
func (s *Solver) Split(objective Objective) (found, exact bool) {
	s.objective, s.even, s.inTurn, s.stack = objective, nil, nil, s.stack[:0]
	s.allLarge, s.checked, s.apart, s.hit = false, false, false, false
	s.team = slices.Grow(s.team[:0], len(s.units))[:len(s.units)]
	return objective.solve(s)
}

// Assigned returns the unit that was assigned k-th, and its team. Units are numbered in the order of
// AddUnit. Limits assigns units by decreasing size, and units of equal size by decreasing first
// value. Even and InTurn place units by decreasing first value. Remaining ties keep the order of
// AddUnit.
func (s *Solver) Assigned(k int) (unit, team int) { return s.units[k].added, s.team[k] }

// sort sorts the units into the order of assignment and fills rest.
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
	s.rest[n] = rest{low: math.Inf(1), high: math.Inf(-1)}
	for i := n - 1; i >= 0; i-- {
		s.rest[i] = s.rest[i+1]
		s.rest[i].players += s.units[i].size
		mean := s.units[i].value / float64(s.units[i].size)
		s.rest[i].low, s.rest[i].high = min(s.rest[i].low, mean), max(s.rest[i].high, mean)
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

// gap returns the difference between the highest and the lowest team average of the k-th value.
// assigned is the number of units assigned so far.
func (s *Solver) gap(k, assigned int) float64 {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range s.teams {
		if t := &s.teams[i]; t.players > 0 {
			sum := t.sum
			if k > 0 {
				sum = s.sum(i, k, assigned)
			}
			average := sum / float64(t.players)
			lowest, highest = min(lowest, average), max(highest, average)
		}
	}
	return max(0, highest-lowest)
}

// sum returns a team's sum of the k-th value. assigned is the number of units assigned so far. Only
// the sums of the first value are kept up to date, because few rulesets have a second.
func (s *Solver) sum(team, k, assigned int) float64 {
	sum := s.seatValues[team*s.width+k]
	for i := range s.units[:assigned] {
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

// leastSpread returns a lower bound of the spread of any assignment to the current teams.
func (s *Solver) leastSpread() int {
	teams := len(s.teams)
	largest := (s.players + teams - 1) / teams
	if s.even != nil && s.even.MoreTeams {
		return largest
	}
	return largest - s.players/teams
}
