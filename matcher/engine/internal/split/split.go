// Package split divides the players of one match into teams.
//
// A unit goes into one team as a whole: a ticket, or a single player who is free.
// An objective says which assignments of units to teams are valid and which of
// them is wanted: Limits takes the first one that keeps all limits, in an order of
// preference, Even the best one. Both search windows of team sizes, from the
// smallest spread on, and both have a shorter way where a match has two teams.
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

// Objective is what an assignment is wanted for: *Limits or *Even. A further one
// says which windows of team sizes it opens, what prunes its search, and which
// complete assignments it takes; the search itself is shared.
type Objective interface {
	// solve leaves the assignment in Solver.team.
	solve(s *Solver) (found, exact bool)
	// window searches assignments with team sizes in a range; true ends the search.
	window(s *Solver, low, high int) (done bool)
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
	units      []unit    // in the order in which the objective places them
	values     []float64 // by unit as added, then value; of one value: none
	seats      []team    // as added: sizes, and players who are in them already
	seatValues []float64 // by team, then value
	players    int       // of all units and teams

	// What the objective asks for.
	objective Objective
	bySize    bool // large units are placed first, and small teams filled first among those of equal sums
	unique    bool // a team with seated players has no twin
	allLarge  bool // every team needs a large unit
	mayEmpty  bool // a team without players need not reach its least
	moreTeams bool // there are further teams, all empty
	remember  bool // whether a search fails depends on nothing but loads
	guarded   bool // apart or barred is set
	minTeams  int  // with mayEmpty: teams that need players
	apart     func(unit, other int) bool
	barred    func(unit, team int) bool

	// The state of the search.
	team     []int  // by place in units: the team it is in
	teams    []team // with the sizes of the present window and all players placed so far
	rest     []rest // by place in units: what is left to place from there on
	smallest int    // with mayEmpty: players that a team with players has at least
	stack    []int  // teams to try, for every unit being placed
	failed   map[loads]struct{}
	steps    int  // placements that the present search may still count
	hit      bool // a budget ended a search
	halves   halves
	solos    solos
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
	u := unit{size: size, added: len(s.units), large: large}
	if len(values) > 0 {
		u.value = values[0]
	}
	if s.width > 1 {
		s.values = append(s.values, values...)
	}
	s.units = append(s.units, u)
	s.players += size
}

// Split looks for teams. If found is false, exact tells whether there are none; if
// not, a budget ended the search. If found is true, exact tells that no budget kept
// the objective from the assignment that it prefers; Limits then always says so.
func (s *Solver) Split(objective Objective) (found, exact bool) {
	s.objective, s.hit, s.stack = objective, false, s.stack[:0]
	s.bySize, s.unique, s.allLarge, s.mayEmpty, s.moreTeams, s.remember, s.guarded = false, false, false, false, false, false, false
	s.minTeams, s.apart, s.barred = 0, nil, nil
	s.team = slices.Grow(s.team[:0], len(s.units))[:len(s.units)]
	return objective.solve(s)
}

// Placed returns the k-th unit in the order in which the objective placed them, by
// the number that AddUnit gave it, and its team. Limits places large units first,
// and of those of one size the highest first value; Even the highest value first.
// Units that are alike are in the order in which they were added.
func (s *Solver) Placed(k int) (unit, team int) { return s.units[k].added, s.team[k] }

// sort brings the units into the order in which they are placed.
func (s *Solver) sort() {
	units := s.units
	for i := range units { // an insertion: they are few, and most often alike
		u, at := units[i], i
		for ; at > 0; at-- {
			before := &units[at-1]
			if s.bySize && before.size != u.size {
				if before.size > u.size {
					break
				}
			} else if !(before.value < u.value) {
				break
			}
			units[at] = *before
		}
		units[at] = u
	}
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

func (s *Solver) value(u *unit, k int) float64 {
	if k == 0 {
		return u.value
	}
	return s.values[u.added*s.width+k]
}

// spread returns the spread of the teams as they stand.
func (s *Solver) spread() int {
	fewest, largest := math.MaxInt, 0
	if s.moreTeams {
		fewest = 0
	}
	for i := range s.teams {
		fewest, largest = min(fewest, s.teams[i].players), max(largest, s.teams[i].players)
	}
	return largest - fewest
}
