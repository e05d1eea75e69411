package matcher

import "math"

// BalanceExact is the largest number of tickets that are divided into teams of
// proven evenness. More are divided by the same search as long as its steps last,
// and improved by exchanges.
const BalanceExact = 12

// Steps of the search for even teams: a ticket placed.
const (
	balanceSteps     = 1_000_000
	balanceManySteps = 20_000
)

// balanceUnit is a ticket to be placed.
type balanceUnit struct {
	member int // place in the group
	size   int
	value  float64 // summed over its players
	team   int
}

// balanceTeam is a team as it grows.
type balanceTeam struct {
	size  int
	sum   float64
	fixed bool // some of it cannot move
}

// balancer divides tickets into teams so that the largest and the smallest differ
// least in players and then, of all such divisions, least in average value.
type balancer struct {
	units   []balanceUnit
	teams   []balanceTeam
	fixed   []balanceTeam // the teams before any unit is placed
	sizes   TeamSizes
	players int
	left    []int // players of the units from one on
	low     int   // players that every team has at least
	high    int   // and at most
	steps   int
	bestGap float64
	best    []int
	halving halving
	apart   func(unit, other int) bool // tells whether two units are never in one team; nil: none are
	barred  func(unit, team int) bool  // tells whether somebody who cannot move keeps a unit out of a team; nil: nobody
}

// solve places all units, whose teams must be valid as they stand: it is the
// division that is improved on.
func (b *balancer) solve() {
	b.begin()
	given := b.given()
	sizeGap := b.search(given.sizeGap)
	if len(b.best) > 0 && (evenness{sizeGap, b.bestGap}).better(given) {
		for i := range b.units {
			b.units[i].team = b.best[i]
		}
	}
	if b.steps <= 0 {
		b.improve()
	}
}

// begin brings the units into the order in which they are placed, and counts.
func (b *balancer) begin() {
	units := b.units
	for i := range units { // they are few, and equal ones stay in order
		u, at := units[i], i
		for ; at > 0 && units[at-1].value < u.value; at-- {
			units[at] = units[at-1]
		}
		units[at] = u
	}
	b.players = 0
	for i := range units {
		b.players += units[i].size
	}
	for i := range b.teams {
		b.players += b.teams[i].size
	}
	b.steps = balanceSteps
	if len(b.units) > BalanceExact {
		b.steps = balanceManySteps
	}
	b.best, b.bestGap = b.best[:0], math.Inf(1)
}

// search looks for the best of the divisions whose sizes differ least, and at most by
// so many players; it returns by how many.
func (b *balancer) search(most int) (sizeGap int) {
	if b.halve() {
		return 0
	}
	b.count()
	for ; sizeGap <= most && b.steps > 0; sizeGap++ {
		if b.within(sizeGap); len(b.best) > 0 {
			break
		}
	}
	return sizeGap
}

// count counts the players of the units from each on.
func (b *balancer) count() {
	b.left = append(b.left[:0], make([]int, len(b.units)+1)...)
	for i := len(b.units) - 1; i >= 0; i-- {
		b.left[i] = b.left[i+1] + b.units[i].size
	}
}

// given returns how even the teams are that the units say.
func (b *balancer) given() evenness {
	b.fixed = append(b.fixed[:0], b.teams...)
	for i := range b.units {
		b.put(i, 1)
	}
	e := b.judge()
	copy(b.teams, b.fixed)
	return e
}

// extremes returns the players of the smallest and the largest team. Teams beyond
// those listed would be empty.
func (b *balancer) extremes() (least, most int) {
	least = math.MaxInt
	if b.sizes.MaxTeams > len(b.teams) {
		least = 0
	}
	for i := range b.teams {
		least, most = min(least, b.teams[i].size), max(most, b.teams[i].size)
	}
	return least, most
}

// within searches all divisions whose sizes differ by a gap, or less.
func (b *balancer) within(gap int) {
	if b.sizes.MaxTeams > len(b.teams) {
		b.low, b.high = 0, min(gap, b.sizes.MaxPlayers)
		b.place(0)
		return
	}
	teams := len(b.teams)
	for b.low = max(0, (b.players-teams*gap+teams-1)/teams); b.low <= b.players/teams; b.low++ {
		b.high = min(b.low+gap, b.sizes.MaxPlayers)
		b.place(0)
	}
}

// place tries the teams for a unit, the one with the lowest sum first.
func (b *balancer) place(i int) {
	if b.steps -= 1 + len(b.teams)/4; b.steps < 0 || b.bestGap == 0 || !b.possible(i) {
		return
	}
	if i == len(b.units) {
		if gap := b.averageGap(); gap < b.bestGap {
			b.bestGap = gap
			b.best = b.best[:0]
			for k := range b.units {
				b.best = append(b.best, b.units[k].team)
			}
		}
		return
	}
	u := &b.units[i]
	home := u.team
	var buffer [32]int
	for _, team := range b.order(buffer[:0]) {
		t := &b.teams[team]
		if t.size+u.size > b.high || !b.free(i, team, i) {
			continue
		}
		before := *t
		t.size, t.sum, u.team = t.size+u.size, t.sum+u.value, team
		b.place(i + 1)
		*t = before
	}
	u.team = home
}

// free tells whether a unit may be in a team with those of the first others that
// are in it.
func (b *balancer) free(i, team, others int) bool {
	if b.barred != nil && b.barred(i, team) {
		return false
	}
	for k := 0; b.apart != nil && k < others; k++ {
		if k != i && b.units[k].team == team && b.apart(i, k) {
			return false
		}
	}
	return true
}

// order lists the teams by their sums, without the likes of one before.
func (b *balancer) order(list []int) []int {
	for team := range b.teams {
		t := &b.teams[team]
		at, twin := 0, false
		for at < len(list) && b.teams[list[at]].sum <= t.sum {
			other := &b.teams[list[at]]
			alike := other.sum == t.sum && other.size == t.size && !other.fixed && !t.fixed
			twin = twin || alike && (b.apart == nil || t.size == 0)
			at++
		}
		if twin {
			continue
		}
		list = append(list, team)
		for k := len(list) - 1; k > at; k-- { // of two teams most often: slices.Insert is slower
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	return list
}

// possible tells whether the units from one on can bring every team between low
// and high, as far as numbers of players tell.
func (b *balancer) possible(i int) bool {
	missing, room, filled := 0, 0, 0
	for k := range b.teams {
		size := b.teams[k].size
		if size > b.high {
			return false
		}
		room += b.high - size
		if size > 0 {
			filled++
		}
		if size > 0 || b.low > 0 {
			missing += max(0, max(b.low, b.sizes.MinPlayers)-size)
		}
	}
	if b.low == 0 && filled < b.sizes.MinTeams {
		missing += (b.sizes.MinTeams - filled) * b.sizes.MinPlayers
	}
	return missing <= b.left[i] && b.left[i] <= room
}

// averageGap returns the difference between the highest and the lowest team
// average; teams without players have none.
func (b *balancer) averageGap() float64 {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range b.teams {
		if t := &b.teams[i]; t.size > 0 {
			average := t.sum / float64(t.size)
			lowest, highest = min(lowest, average), max(highest, average)
		}
	}
	return max(0, highest-lowest)
}
