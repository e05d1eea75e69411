package quick

// Option is a candidate with a mask of the teams that it may still join.
type Option struct {
	Row   Row
	Teams uint64
	at    int32 // index in pairs.all
}

// pairs finds out which options may be in a match together with a group and a further option. It
// checks what excludes pairs: spreads, agreements and latency rules. Whatever a pair excludes, Lets
// would exclude as well, but only after the ticket is seated and each of the others is tried.
//
// Most steps of a search that fails end here. Without it, 40 minutes of a day of 5v5 with six rules
// took 3.5 s of CPU time instead of 3.1 s, and two hours 10.9 s instead of 7.3 s on a quiet machine.
type pairs struct {
	tickets int      // number of tickets in the group
	pace    Row      // the ticket that decides the group's stage, or -1 if there is none
	all     []Option // all options
	words   int      // number of words in a set of options
	known   []int32  // for each option, the first word of its set, or asked or unasked
	sets    []uint64 // for options in known, the set of those that each may be in a match with
	depth   depth    // scratch space for pair
}

// The set of an option is computed when Meeting asks for it again. A search that succeeds at once asks
// only once for each, mostly for few of the others.
const (
	unasked int32 = -2
	asked   int32 = -1
)

// Pairs sets the options of Meeting. pace is the ticket that decides the group's stage, or -1 if the
// group has no tickets. tickets is the number of tickets in the group.
func (q *State) Pairs(tickets int, pace Row, all []Option) {
	p := &q.pairs
	p.tickets, p.pace, p.all, p.words = tickets, pace, all, (len(all)+63)/64
	p.known, p.sets = p.known[:0], p.sets[:0]
	for at := range all {
		all[at].at = int32(at)
		p.known = append(p.known, unasked)
	}
}

// Meeting appends those options that may be in a match with another one and the group for which Pairs
// was called, or with a group that this one has become. It also returns their number of players.
func (q *State) Meeting(g *Group, dst, from []Option, o Option) (kept []Option, players int32) {
	set := q.meetingAgain(g, o)
	for _, other := range from {
		if set != nil && set[other.at/64]>>(other.at%64)&1 == 1 || set == nil && q.meets(g, &q.pairs.depth, other.Row) {
			dst = append(dst, other)
			players += g.Rows.Players[other.Row]
		}
	}
	return dst, players
}

// meetingAgain returns the set of an option if Meeting has asked for it before. Otherwise, it returns
// nil and prepares the State for calls of meets.
func (q *State) meetingAgain(g *Group, o Option) []uint64 {
	p := &q.pairs
	switch p.known[o.at] {
	case unasked:
		p.known[o.at] = asked
		q.with(g, o.Row)
		return nil
	case asked:
		p.known[o.at] = int32(len(p.sets))
		q.pair(g, o.Row)
	}
	return p.sets[p.known[o.at]:][:p.words]
}

// with computes the totals of the group of Pairs with a further ticket, and reads the limits that then
// apply. They can only get narrower as further tickets join.
func (q *State) with(g *Group, row Row) {
	p, stage := &q.pairs, g.Stage
	g.Stage = g.Rows.Stage[q.Deciding(g, p.pace, row)]
	if q.stage != g.Stage {
		q.goBy(g)
	}
	g.Stage = stage
	q.join(g, &q.depths[p.tickets], &p.depth, entry(row))
}

// pair appends the set of options that a ticket may be in a match with.
func (q *State) pair(g *Group, row Row) {
	p := &q.pairs
	q.with(g, row)
	for at, o := range p.all {
		if at%64 == 0 {
			p.sets = append(p.sets, 0)
		}
		if q.meets(g, &p.depth, o.Row) {
			p.sets[len(p.sets)-1] |= 1 << (at % 64)
		}
	}
}

// meets reports whether a ticket may be in a match with a group by the rules about pairs, with the
// limits that goBy has read last. d is the totals of the group.
func (q *State) meets(g *Group, d *depth, row Row) bool {
	for i := range q.Spreads {
		x := d.spans[i]
		if x.Add(g.Columns.Cell(q.Spreads[i].Column, entry(row)).Number); x.High-x.Low > q.most[i] {
			return false
		}
	}
	for i := range q.Agreements {
		if d.texts[i]&g.Columns.Cell(q.Agreements[i].Column, entry(row)).All == 0 {
			return false
		}
	}
	common := q.Only
	for i, r := range q.Regions {
		mask := d.masks[i][q.levels[i]] & r.Reach.ByLevel(row)[q.levels[i]]
		if r.Enclosing == nil { // see Lets
			common &= mask
			mask = common
		}
		if mask == 0 {
			return false
		}
	}
	return true
}

// Deciding returns the ticket that decides the stage of a group once row has joined. pace is the
// ticket that decides it before, or -1 if the group has no tickets.
func (q *State) Deciding(g *Group, pace, row Row) Row {
	if pace < 0 {
		return row
	}
	old, young := g.Rows.ByWait(pace, row)
	if q.Oldest {
		return old
	}
	return young
}
