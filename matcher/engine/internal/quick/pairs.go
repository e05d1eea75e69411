package quick

import "math/bits"

// pairs finds out which options may be in a match together with a group and a further option. It
// checks what excludes pairs: spreads, agreements and latency rules. Whatever a pair excludes, Lets
// would exclude as well, but only after the ticket is seated and each of the others is tried.
//
// Most steps of a search that fails end here. Without it, 40 minutes of a day of 5v5 with six rules
// took 3.5 s of CPU time instead of 3.1 s, and two hours 10.9 s instead of 7.3 s on a quiet machine.
type pairs struct {
	tickets int      // number of tickets in the group
	pace    Row      // the ticket that decides the group's stage, or -1 if there is none
	options Set      // all options
	known   []int32  // for each candidate, the first word of its set, or asked or unasked
	sets    []uint64 // for candidates in known, the set of options that each may be in a match with
	depth   depth    // scratch space for meet
}

// The set of an option is computed when Meeting asks for it again. A search that succeeds at once asks
// only once for each, mostly for few of the others.
const (
	unasked int32 = -2
	asked   int32 = -1
)

// Pairs sets the options of Meeting. pace is the ticket that decides the group's stage, or -1 if the
// group has no tickets. tickets is the number of tickets in the group.
func (q *State) Pairs(tickets int, pace Row, options *Options) {
	p := &q.pairs
	p.tickets, p.pace, p.known, p.sets, p.options = tickets, pace, p.known[:0], p.sets[:0], p.options[:0]
	for at := range q.all {
		p.options = append(p.options, options.At(at).Any())
	}
	for range q.rows {
		p.known = append(p.known, unasked)
	}
}

// Meeting removes from a set of options those that may not be in a match with an option and the group for
// which Pairs was called, or with a group that this one has become. It returns the number of players left.
func (q *State) Meeting(g *Group, set Set, option int) (players int32) {
	p := &q.pairs
	switch p.known[option] {
	case unasked:
		p.known[option] = asked
		q.meet(g, set, option)
		return q.players(set)
	case asked:
		p.known[option] = int32(len(p.sets))
		p.sets = append(p.sets, p.options...)
		q.meet(g, p.sets[len(p.sets)-len(set):], option)
	}
	for at, word := range p.sets[p.known[option]:][:len(set)] {
		set[at] &= word
	}
	return q.players(set)
}

// meet does the work of Meeting. It reads the limits that apply once the option has joined the group of Pairs.
// They can only get narrower as further tickets join.
func (q *State) meet(g *Group, set Set, option int) {
	p, stage, d, row := &q.pairs, g.Stage, &q.pairs.depth, q.rows[option]
	g.Stage = g.Rows.Stage[q.Deciding(g, p.pace, row)]
	if q.stage != g.Stage {
		q.goBy(g)
	}
	g.Stage = stage
	q.join(g, &q.depths[p.tickets], d, entry(row))
	for i := range q.Spreads {
		column, most := q.Spreads[i].Column, q.most[i]
		q.keep(set, func(row Row) bool {
			return !d.spans[i].Exceeds(g.Columns.Cell(column, entry(row)).Number, most)
		})
	}
	for i := range q.Agreements {
		column, texts := q.Agreements[i].Column, d.texts[i]
		q.keep(set, func(row Row) bool { return texts&g.Columns.Cell(column, entry(row)).All != 0 })
	}
	for i, level := range q.levels {
		regions, reach := d.masks[i][level], q.Regions[i].Reach
		q.keep(set, func(row Row) bool { return regions&reach.ByLevel(row)[level] != 0 })
	}
	if len(q.Regions) > 1 {
		q.keep(set, func(row Row) bool { return q.agree(d, row) })
	}
}

// keep removes the candidates from a set that do not pass a test.
func (q *State) keep(set Set, test func(row Row) bool) {
	for at, word := range set {
		for ; word != 0; word &= word - 1 {
			if !test(q.rows[64*at+bits.TrailingZeros64(word)]) {
				set[at] &^= word & -word
			}
		}
	}
}

// agree reports whether a ticket and a group with totals d have a region in common that satisfies all latency
// rules outside of compounds.
func (q *State) agree(d *depth, row Row) bool {
	common := q.Only
	for i, r := range q.Regions {
		if level := q.levels[i]; r.Enclosing == nil { // see Lets
			common &= d.masks[i][level] & r.Reach.ByLevel(row)[level]
		}
	}
	return common != 0
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
