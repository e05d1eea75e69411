package scan

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/split"
)

// Limits of the search for the most even teams.
const (
	allUnits  = 12   // up to this number of tickets, all arrangements are tried
	someTries = 1000 // number of arrangements tried for more tickets
)

// division looks for the most even teams for the tickets of a group: first by sizes, then by
// averages. It searches depth first, places the tickets with the highest worth first, and tries
// the team with the lowest sum first. Of equally even arrangements, the first is taken.
type division struct {
	search      *Search
	sizes       matcher.TeamSizes
	units       []unit
	slots       []Team // teams among which the tickets are divided; the remaining teams up to MaxTeams are empty
	orders      [][]int
	total       int // players
	tries       int // number of arrangements that may still be tried
	all         bool
	worth       float64      // of all players
	left        int          // players of the units that are not placed yet
	missing     int          // players that the teams with players need
	floor       int          // largest possible size of the smallest team; 0 if some teams remain empty
	least, most int          // sizes of the teams with players if the sizes are as even as possible
	scale       float64      // sum of the worths of all units and settled teams, without signs
	rest        [][2]float64 // by unit: the lowest and the highest worth per player of the units behind it

	found   bool
	size    int
	average float64
	best    []int // by unit

	solos  split.Solos
	values []float64 // scratch of halve
}

// unit is a ticket.
type unit struct {
	member, players, slot int
	worth                 float64
}

// balance makes the teams as even as possible. settled are the players that a session's teams
// already have.
func (s *Search) balance(sizes *matcher.TeamSizes, settled []Team) {
	d := &s.division
	d.search, d.sizes, d.units, d.found, d.tries = s, *sizes, d.units[:0], false, someTries
	d.slots, d.total, d.size, d.average = append(d.slots[:0], settled...), 0, math.MaxInt, math.Inf(1)
	d.worth, d.scale = 0, 0
	for i := range s.Teams {
		s.Teams[i].worth = 0
	}
	for i := range settled {
		d.total += settled[i].Players
		s.Teams[i].worth = settled[i].worth
		d.add(settled[i].worth)
	}
	for i, m := range s.Members {
		worth := s.rules.traits[m.Row].worth
		at := len(d.units) // insertion sort: there are few units
		d.units = append(d.units, unit{i, m.players, m.Team, worth})
		for ; at > 0 && d.units[at].before(&d.units[at-1]); at-- {
			d.units[at], d.units[at-1] = d.units[at-1], d.units[at]
		}
		d.total += m.players
		d.add(worth)
		s.Teams[m.Team].worth += worth
	}
	for len(d.slots) < min(sizes.MaxTeams, len(settled)+len(d.units)+1) {
		d.slots = append(d.slots, Team{})
	}
	d.all = len(d.units) <= allUnits
	d.rest = slices.Grow(d.rest[:0], len(d.units))[:len(d.units)]
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := len(d.units) - 1; i >= 0; i-- {
		d.rest[i] = [2]float64{lowest, highest}
		mean := d.units[i].worth / float64(d.units[i].players)
		lowest, highest = min(lowest, mean), max(highest, mean)
	}
	d.least, d.most, d.floor = d.total/sizes.MaxTeams, (d.total+sizes.MaxTeams-1)/sizes.MaxTeams, d.total/sizes.MaxTeams
	if teams := d.total / max(1, sizes.MinPlayers); 0 < teams && teams < sizes.MaxTeams {
		d.least, d.most, d.floor = sizes.MinPlayers, (d.total+teams-1)/teams, 0
	}
	d.left, d.missing = d.total, 0
	for i := range settled {
		d.left -= settled[i].Players
		d.missing += d.lacks(settled[i].Players)
	}
	for len(d.orders) <= len(d.units) {
		d.orders = append(d.orders, nil)
	}
	d.orders[0] = d.orders[0][:0]
	for i := range d.slots {
		d.orders[0] = append(d.orders[0], i)
	}
	if !d.halve() {
		d.place(0)
	}
	if !d.found {
		return
	}
	size, average := d.arranged()
	greedySize, greedyAverage := gaps(s.Teams, (sizes.MaxTeams-len(s.Teams)+1)/2)
	if size < greedySize || size <= greedySize && average <= greedyAverage {
		d.take()
	}
}

// before reports whether a unit is placed before another one.
func (u *unit) before(other *unit) bool {
	return u.worth > other.worth || u.worth == other.worth && u.slot < other.slot
}

// halve is place for solos in two teams of the same size, as in most matches.
func (d *division) halve() bool {
	half, rules := len(d.units)/2, d.search.rules
	if !d.all || 2*half != d.total || len(d.units) != d.total || d.sizes.MaxTeams != 2 || half < max(1, d.sizes.MinPlayers) || half > d.sizes.MaxPlayers ||
		rules.Set.Blocking == matcher.OtherTeams && rules.blockers > 0 {
		return false
	}
	d.values, d.best = d.values[:0], d.best[:0]
	for i := range d.units {
		d.values = append(d.values, d.units[i].worth)
	}
	second, _ := d.solos.Split(d.values, true)
	for i := range d.units {
		d.best = append(d.best, int(second>>i&1))
	}
	d.found = true
	return true
}

// place tries the next ticket in one team after another.
func (d *division) place(next int) {
	if next == len(d.units) {
		d.tries--
		d.judge()
		return
	}
	order := d.orders[next]
	for i := 1; i < len(order); i++ { // insertion sort: there are few teams, nearly in order
		slot, at := order[i], i
		for ; at > 0 && d.slots[slot].worth < d.slots[order[at-1]].worth; at-- {
			order[at] = order[at-1]
		}
		order[at] = slot
	}
	u, emptyTried := &d.units[next], false
	for i, slot := range order {
		t := &d.slots[slot]
		players, worth := t.Players+u.players, t.worth
		missing := d.missing + d.lacks(players) - d.lacks(t.Players)
		if players > d.sizes.MaxPlayers || d.all && (emptyTried && t.Players == 0 || missing > d.left-u.players || d.hopeless(next, players, worth+u.worth)) {
			continue
		}
		emptyTried = emptyTried || t.Players == 0
		open := append(d.orders[next+1][:0], order...)
		if players == d.sizes.MaxPlayers {
			open = slices.Delete(open, i, i+1)
		}
		u.slot, d.orders[next+1] = slot, open
		t.Players, d.left, d.missing, missing = players, d.left-u.players, missing, d.missing
		t.worth += u.worth
		d.place(next + 1)
		t.Players, t.worth, d.left, d.missing = players-u.players, worth, d.left+u.players, missing
		if !d.all && d.tries == 0 {
			return
		}
	}
}

// add adds the worth of a unit or of a settled team to the total.
func (d *division) add(worth float64) {
	d.worth += worth
	d.scale += math.Abs(worth)
}

// lacks returns the number of players that a team needs; an empty one needs none.
func (d *division) lacks(players int) int {
	if players == 0 {
		return 0
	}
	return max(0, d.sizes.MinPlayers-players)
}

// hopeless reports whether no arrangement can beat the best one if, after a unit, a team has the
// given players and worth. If the best one has the most even sizes, only its averages can be
// beaten: another team is on the other side of the mean.
func (d *division) hopeless(unit, players int, worth float64) bool {
	if players-d.floor > d.size {
		return true
	}
	if !d.found || d.size > d.most-d.floor {
		return false
	}
	mean, reach := d.worth/float64(d.total), d.average+1e-9*(1+d.scale)
	low, high := math.Inf(1), math.Inf(-1)
	for size := max(d.least, players); size <= d.most; size++ {
		lowest, highest := worth, worth
		if joining := float64(size - players); joining > 0 {
			lowest, highest = worth+joining*d.rest[unit][0], worth+joining*d.rest[unit][1]
		}
		low, high = min(low, lowest/float64(size)), max(high, highest/float64(size))
	}
	return low > mean+reach || high < mean-reach
}

// judge keeps an arrangement that is valid and better than the best so far.
func (d *division) judge() {
	teams := 0
	least, most, lowest, highest := math.MaxInt, 0, math.Inf(1), math.Inf(-1)
	for i := range d.slots {
		t := &d.slots[i]
		if t.Players == 0 {
			continue
		}
		if t.Players < d.sizes.MinPlayers {
			return
		}
		teams++
		mean := t.worth / float64(t.Players)
		least, most, lowest, highest = min(least, t.Players), max(most, t.Players), min(lowest, mean), max(highest, mean)
		if most-least > d.size || most-least == d.size && highest-lowest >= d.average {
			return
		}
	}
	if teams < d.sizes.MaxTeams {
		least = 0
	}
	size, average := most-least, highest-lowest
	if teams < d.sizes.MinTeams || size > d.size || size == d.size && average >= d.average || d.blocked() {
		return
	}
	d.found, d.size, d.average, d.best = true, size, average, d.best[:0]
	for i := range d.units {
		d.best = append(d.best, d.units[i].slot)
	}
}

// blocked reports whether two tickets in the same team block each other.
func (d *division) blocked() bool {
	s := d.search
	if s.rules.Set.Blocking != matcher.OtherTeams || s.rules.blockers == 0 {
		return false
	}
	for i := range d.units {
		row := s.Members[d.units[i].member].Row
		if anyIn(s.rules.traits[row].blocked, d.slots[d.units[i].slot].people) {
			return true
		}
		for k := range i {
			if d.units[k].slot == d.units[i].slot && s.rules.apart(row, s.Members[d.units[k].member].Row) {
				return true
			}
		}
	}
	return false
}

// arranged fills the teams with the best arrangement and returns their gaps.
func (d *division) arranged() (size int, average float64) {
	for i := range d.units {
		t := &d.slots[d.best[i]]
		t.Players += d.units[i].players
		t.worth += d.units[i].worth
	}
	teams := 0
	for i := range d.slots {
		if d.slots[i].Players > 0 {
			teams = i + 1
		}
	}
	return gaps(d.slots[:teams], d.sizes.MaxTeams-teams)
}

// gaps returns the largest differences between teams in players and in averages. empty is the
// number of further teams, which have no players.
func gaps(teams []Team, empty int) (size int, average float64) {
	least, most, lowest, highest := math.MaxInt, 0, math.Inf(1), math.Inf(-1)
	for i := range len(teams) + min(empty, 1) {
		players, mean := 0, 0.0
		if i < len(teams) && teams[i].Players > 0 {
			players, mean = teams[i].Players, teams[i].worth/float64(teams[i].Players)
		}
		least, most, lowest, highest = min(least, players), max(most, players), min(lowest, mean), max(highest, mean)
	}
	return most - least, highest - lowest
}

// take applies the best arrangement to the group.
func (d *division) take() {
	s := d.search
	for len(s.Teams) < len(d.slots) {
		s.Teams = append(s.Teams, Team{})
	}
	s.Teams = s.Teams[:len(d.slots)]
	for i := range d.slots {
		s.Teams[i].Players = d.slots[i].Players
	}
	for i := range d.units {
		s.Members[d.units[i].member].Team = d.best[i]
	}
	for n := len(s.Teams); n > 0 && s.Teams[n-1].Players == 0; n-- {
		s.Teams = s.Teams[:n-1]
	}
}
