package matcher

import "math"

// index finds the tickets that a seed may meet without looking at the others.
//
// Tickets are divided by the text of one EqualText rule; one division holds all:
// it serves seeds for which the text rule may not be enforced and those that may
// meet any text. A division has a lane for each region that is the nearest of some
// ticket, if there is a region rule. In a lane those with a number of the axis, a
// NumberDistance rule, stand in numeric order, those without by age. Besides, all
// tickets of a division stand by age, for seeds without a number.
type index struct {
	on        bool    // tickets are in it
	perBlock  int     // see indexPerBlock
	text      *column // divides, or nil
	axis      *column // orders, or nil
	all       division
	anyText   division
	divisions []*division // by Text, nil where nobody has waited yet
}

// division is a part of the tickets in every order that seeds ask for.
type division struct {
	byAge sortedList
	lanes []*lane // by the nearest Region plus 1; nil where nobody has waited yet; none without axis
}

// lane is the tickets of a division that have the same nearest region.
type lane struct {
	byNumber sortedList // tickets with a number on the axis
	without  sortedList // tickets without one, by age
	nearest  []float64  // by Region: nobody here has a shorter round-trip time; behind the end +Inf
}

func (x *index) init(pairs []*column) {
	x.perBlock = indexPerBlock
	for _, c := range pairs {
		switch {
		case c.kind == equalText && (x.text == nil || c.firm() && !x.text.firm()):
			x.text = c
		case c.kind == numberDistance && (x.axis == nil || narrower(c, x.axis)):
			x.axis = c
		}
	}
}

// firm tells whether a rule is enforced whatever the waits.
func (c *column) firm() bool { return !c.everInactive && c.optionalAfterMS == Never }

// narrower tells whether a rule about numbers cuts more off than another, as far
// as rules by themselves tell: one that is always enforced before one that is not,
// then the one whose full weight stands for less difference.
func narrower(a, b *column) bool {
	if a.firm() != b.firm() {
		return a.firm()
	}
	return a.largest*b.weight < b.largest*a.weight
}

// An index is worth its upkeep when so many tickets wait for each region that is the
// nearest of somebody, taken as blocksLeast at least: among fewer it takes less time
// to look at all. Below half of that it goes again. Where seeds ask who is around them
// they look at 64 at a time, and to tell each sleeper of all who come, by way of the
// index, costs many times as much.
const (
	indexPerBlock       = 128
	indexPerBlockAsking = 1024
	blocksLeast         = 4
)

// worth returns how many tickets must wait for an index to be worth its upkeep.
func (p *Pool) worth() int { return p.index.perBlock * max(blocksLeast, p.blocks) }

// settleIn counts a ticket for the block of its nearest region, leaveHome takes it out.
func (p *Pool) settleIn(home uint8) {
	if p.homes[home]++; p.homes[home] == 1 {
		p.blocks++
	}
}

func (p *Pool) leaveHome(home uint8) {
	if p.homes[home]--; p.homes[home] == 0 {
		p.blocks--
	}
}

// enter brings a ticket that came into the index.
func (p *Pool) enter(row Row) {
	switch {
	case p.index.on:
		p.file(row, (*sortedList).insert)
	case p.waiting > p.worth():
		p.index.on = true
		for i := range p.all.members {
			if p.all.holds(&p.all.members[i]) {
				p.file(p.all.members[i].row, (*sortedList).insert)
			}
		}
	}
}

// exit takes a ticket that leaves out of the index.
func (p *Pool) exit(row Row) {
	if p.index.on {
		p.file(row, (*sortedList).remove)
	}
}

// close takes all tickets out of the index when it is not worth its upkeep any more.
func (p *Pool) close() {
	if !p.index.on || p.waiting > p.worth()/2 {
		return
	}
	p.index.on = false
	for i := range p.all.members {
		p.file(p.all.members[i].row, (*sortedList).remove)
	}
}

// file does something to a ticket's entry in every list that holds it.
func (p *Pool) file(row Row, do func(*sortedList, entry)) {
	if p.star != nil {
		p.star.index(row, do)
		return
	}
	p.index.each(p, row, do)
}

// each does the same to a row's entry in every list that holds it.
func (x *index) each(p *Pool, row Row, do func(*sortedList, entry)) {
	aged := entry{float64(p.createdMS[row]), p.sequence[row], p.createdMS[row], row, p.size[row]}
	x.eachOf(p, &x.all, aged, do)
	if x.text != nil {
		if d := x.division(x.text.text[row]); d != nil {
			x.eachOf(p, d, aged, do)
		}
	}
}

func (x *index) eachOf(p *Pool, d *division, aged entry, do func(*sortedList, entry)) {
	do(&d.byAge, aged)
	if x.axis == nil {
		return
	}
	l := d.lane(p.nearest(aged.row))
	if l.empty() {
		l.nearest = l.nearest[:0]
	}
	if p.region != nil {
		l.widen(&p.reach, aged.row)
	}
	if number := x.axis.number[aged.row]; math.IsNaN(number) {
		do(&l.without, aged)
	} else {
		aged.key = number
		do(&l.byNumber, aged)
	}
}

// nearest returns the region that a ticket reaches fastest, NoRegion when it
// reaches none or regions do not matter.
func (p *Pool) nearest(row Row) Region { return Region(p.reach.home[p.reach.view[row]]) - 1 }

// division returns where tickets with a text stand; nil for a party that clashes,
// which nobody meets while the rule is enforced.
func (x *index) division(text Text) *division {
	switch {
	case text == clashedText:
		return nil
	case text == anyText:
		return &x.anyText
	}
	for int(text) >= len(x.divisions) {
		x.divisions = append(x.divisions, nil)
	}
	if x.divisions[text] == nil {
		x.divisions[text] = new(division)
	}
	return x.divisions[text]
}

// lane returns where tickets with a nearest region stand.
func (d *division) lane(nearest Region) *lane {
	for int(nearest)+1 >= len(d.lanes) {
		d.lanes = append(d.lanes, nil)
	}
	if d.lanes[nearest+1] == nil {
		d.lanes[nearest+1] = new(lane)
	}
	return d.lanes[nearest+1]
}

func (l *lane) empty() bool { return len(l.byNumber.chunks) == 0 && len(l.without.chunks) == 0 }

// widen makes nearest hold for a row too.
func (l *lane) widen(t *regionTable, row Row) {
	for i, rtt := range t.row(row) {
		region := t.order[i]
		for int(region) >= len(l.nearest) {
			l.nearest = append(l.nearest, math.Inf(1))
		}
		l.nearest[region] = min(l.nearest[region], rtt)
	}
}

// to returns a lower bound of a round-trip time in ms of all in the lane.
func (l *lane) to(region Region) float64 {
	if int(region) < len(l.nearest) {
		return l.nearest[region]
	}
	return math.Inf(1)
}
