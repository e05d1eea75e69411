// Package split divides the players of one match into teams.
//
// A unit goes into one team as a whole: a ticket, or a single player who is free.
// An objective says which assignments of units to teams are valid and which of
// them is wanted: Limits takes the first one that keeps all limits, in an order of
// preference, Even the best one. Both search windows of team sizes, from the
// smallest spread on (search.go). Two kinds of match are divided in another way, which
// is faster: two teams with limits of averages (halves.go), and solos in two even
// teams (solos.go).
//
// The spread of an assignment is the number of players in its largest team minus
// that in its smallest; a gap is the highest team average of a value minus the
// lowest. A team without players has no average.
//
// The package knows neither tickets nor pools: it takes numbers and returns them.
package split

import (
	"math"
	"slices"
)

// MaxPlayers is the largest match that Limits divides: its exact searches keep the
// players of a team in six bits and the units of a match in one word. Even has no
// such limit.
const MaxPlayers = 32

// slack is added to a bound that was computed in another way than the figure it is
// compared with: rounding may then go either way.
const slack = 1e-9

// Objective is what an assignment is wanted for: *Limits or *Even.
type Objective interface {
	// solve leaves the assignment in Solver.team.
	solve(s *Solver) (found, exact bool)
	// promising tells whether the units from k on are worth placing. It counts the
	// placement against the budget.
	promising(s *Solver, k int) bool
	// complete is told that all units are placed; true ends the search.
	complete(s *Solver) (done bool)
}

// Solver divides units into teams. It keeps its memory: describe a match with
// Reset, AddTeam, Seat and AddUnit, call Split once, read the teams with Placed,
// and start again with Reset. The zero Solver is ready for Reset.
type Solver struct {
	width      int       // values of each unit
	units      []unit    // as added; after sort in the order in which they are placed
	values     []float64 // by unit as added, then value
	seats      []team    // as added: sizes, and players who are in them already
	seatValues []float64 // by team, then value
	players    int       // of all units and teams

	// What the objective asks for.
	objective Objective
	even      *Even // the objective, if it is one
	allLarge  bool  // every team needs a large unit
	checked   bool  // of Limits with a Check: it matters which units are in a team

	// The state of the search.
	team     []int  // by place in units: the team it is in
	teams    []team // with the sizes of the present window and all players placed so far
	rest     []rest // by place in units: what is left to place from there on
	mayEmpty bool   // a team without players need not reach its least
	smallest int    // with mayEmpty: players that a team with players has at least
	stack    []int  // teams to try, for every unit being placed
	failed   map[loads]struct{}
	steps    int  // placements that the present search may still count
	hit      bool // a budget ended a search
	halves   halves
	solos    solos
	byUnit   []int // scratch of Limits.complete
	best     []int // Even: the best assignment yet; empty: none
	bestGap  float64
	start    []int // Even: the assignment that is improved on
}

// unit goes into one team as a whole.
type unit struct {
	size  int
	value float64 // the first: the search reads it most
	added int     // its place among the units as added
	large bool
}

// team is a team while it is made up.
type team struct {
	least, most int // players
	players     int
	sum         float64 // of the first value
	large       bool    // it has a large unit
	seated      bool    // some of its players cannot move
}

// rest is what remains to be placed.
type rest struct{ players, large int }

// Reset forgets all units and teams. Every unit of the next match has a number of
// values: the gap of the first is what objectives keep small.
func (s *Solver) Reset(values int) {
	s.width, s.players = values, 0
	s.units, s.values = s.units[:0], s.values[:0]
	s.seats, s.seatValues = s.seats[:0], s.seatValues[:0]
}

// AddTeam adds a team with room for a number of players. A match has at least one.
func (s *Solver) AddTeam(least, most int) {
	s.seats = append(s.seats, team{least: least, most: most})
	for range s.width {
		s.seatValues = append(s.seatValues, 0)
	}
}

// Seat puts players into a team who stay there, such as a session's: how many they
// are, and the sums of their values.
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

// AddUnit adds a unit: its players, whether it is a large party, and the sums of
// its players' values. The first unit is number 0.
func (s *Solver) AddUnit(size int, large bool, values ...float64) {
	s.values = append(s.values, values...)
	u := unit{size: size, added: len(s.units), large: large}
	if len(values) > 0 {
		u.value = values[0]
	}
	s.units = append(s.units, u)
	s.players += size
}

// Split looks for teams. If found is false, exact tells whether there are none; if
// not, a budget ended the search. If found is true, exact tells that no budget kept
// the objective from the assignment that it prefers; Limits then always says so.
func (s *Solver) Split(objective Objective) (found, exact bool) {
	s.objective, s.even, s.allLarge, s.checked, s.hit, s.stack = objective, nil, false, false, false, s.stack[:0]
	s.team = slices.Grow(s.team[:0], len(s.units))[:len(s.units)]
	return objective.solve(s)
}

// Placed returns the k-th unit in the order in which the objective placed them, by
// the number that AddUnit gave it, and its team. Limits places large units first,
// and of those of one size the highest first value; Even the highest value first.
// Units that are alike are in the order in which they were added.
func (s *Solver) Placed(k int) (unit, team int) { return s.units[k].added, s.team[k] }

// sort brings the units into the order in which they are placed, and counts what
// remains to be placed from each on.
func (s *Solver) sort() {
	for i, u := range s.units { // an insertion: they are few, and most often alike
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

// gap returns the gap of a value between the teams as they stand after the first
// units are placed.
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

// sum returns the sum of a value over a team after the first units are placed. It is
// not kept up to date as that of the first value is, since a second value is rare.
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

// spread returns the spread of the teams as they stand.
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
