package scan

import (
	"math"

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
	search *Search
	sizes  matcher.TeamSizes
	units  []unit
	slots  []Team // teams among which the tickets are divided; the remaining teams up to MaxTeams are empty
	orders [][]int
	total  int // players
	tries  int // number of arrangements that may still be tried
	all    bool
	above  []float64 // see bound: by number of units, the total worth of the units with the highest worth; empty: the bound does not apply

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
	for i := range s.Teams {
		s.Teams[i].worth = 0
	}
	for i := range settled {
		d.total += settled[i].Players
		s.Teams[i].worth = settled[i].worth
	}
	for i, m := range s.Members {
		worth := s.rules.traits[m.Row].worth
		at := len(d.units) // insertion sort: there are few units
		d.units = append(d.units, unit{i, m.players, m.Team, worth})
		for ; at > 0 && d.units[at].before(&d.units[at-1]); at-- {
			d.units[at], d.units[at-1] = d.units[at-1], d.units[at]
		}
		d.total += m.players
		s.Teams[m.Team].worth += worth
	}
	for len(d.slots) < min(sizes.MaxTeams, len(settled)+len(d.units)+1) {
		d.slots = append(d.slots, Team{})
	}
	d.all = len(d.units) <= allUnits
	d.bound(settled)
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
	for _, slot := range order {
		t := &d.slots[slot]
		players, worth := t.Players+u.players, t.worth
		if players > d.sizes.MaxPlayers || d.all && (emptyTried && t.Players == 0 || players-d.total/d.sizes.MaxTeams > d.size) {
			continue // a team of this size is worse than the best arrangement, whatever follows
		}
		if len(d.above) > 0 && d.found && d.size == 0 && d.hopeless(next, players, worth+u.worth) {
			emptyTried = emptyTried || t.Players == 0
			continue
		}
		emptyTried = emptyTried || t.Players == 0
		u.slot, t.Players = slot, players
		t.worth += u.worth
		d.orders[next+1] = append(d.orders[next+1][:0], order...)
		d.place(next + 1)
		t.Players, t.worth = players-u.players, worth
		if !d.all && d.tries == 0 {
			return
		}
	}
}

// bound prepares hopeless, which applies if all teams will be full of solos and no worth is
// negative.
func (d *division) bound(settled []Team) {
	d.above = d.above[:0]
	if !d.all || len(settled) > 0 || d.total != d.sizes.MaxTeams*d.sizes.MaxPlayers || d.total != len(d.units) {
		return
	}
	if d.units[len(d.units)-1].worth < 0 {
		return
	}
	sum := 0.0
	d.above = append(d.above, 0)
	for i := range d.units {
		sum += d.units[i].worth
		d.above = append(d.above, sum)
	}
}

// hopeless reports whether no arrangement can beat the best one if, after the current unit, a
// team has the given players and worth, whichever units join it. The other teams together have
// the rest of the worth, so that one of them is on the other side of the mean.
func (d *division) hopeless(next, players int, worth float64) bool {
	size, all := d.sizes.MaxPlayers, d.above[len(d.units)]
	mean, slack := all/float64(d.sizes.MaxTeams), d.average*float64(size)+1e-9*(1+all)
	if d.sizes.MaxTeams == 2 { // the other team is equally far from the mean
		slack /= 2
	}
	most := worth + d.above[next+1+size-players] - d.above[next+1]
	return worth > mean+slack || most < mean-slack
}

// judge keeps an arrangement that is valid and better than the best so far.
func (d *division) judge() {
	size, average, teams := 0, 0.0, 0
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
	}
	if teams < d.sizes.MaxTeams {
		least = 0
	}
	size, average = most-least, highest-lowest
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
