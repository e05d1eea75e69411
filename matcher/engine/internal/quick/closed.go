package quick

import (
	"math"
	"math/bits"
)

// Filled contains, for each set of quotas, a mask of the teams that may have no further player with the text
// of any quota in the set. Its index is a mask of quotas, such as Traits.Texts.
type Filled [1 << QuotasMax]uint64

// Filled returns the teams of a group whose quotas are filled. tickets is the number of tickets in the
// group.
func (q *State) Filled(g *Group, tickets int) (filled Filled) {
	for k := range q.Quotas {
		of, full := &q.Quotas[k], uint64(0)
		if q.capped[k] {
			most := g.OrFree(of.Rule.Most, math.Inf(1)).High
			for team, i := range of.Of {
				if i >= 0 && float64(q.depths[tickets].have[k][i]+1) > most {
					full |= 1 << team
				}
			}
		}
		for set, teams := range filled[:1<<k] {
			filled[1<<k|set] = teams | full
		}
	}
	return filled
}

// Closes reports whether Open and Close may exclude any team.
func (q *State) Closes() bool { return len(q.Quotas)+len(q.Alone) > 0 }

// Open returns those of the given teams that a ticket may join by two kinds of rules: those about each
// player alone, and the quotas. The ticket may not join a team for which a quota of the ticket's texts is
// filled. Lets would return false for all teams that Open leaves out.
func (q *State) Open(g *Group, filled *Filled, row Row, teams uint64) uint64 {
	t := &q.Traits[row]
	open := teams & t.Teams &^ filled[t.Texts]
	if closed := teams &^ open; closed != 0 {
		q.countClosed(g, filled, row, closed)
	}
	return open
}

// Shut returns how many rows at the beginning of a list Open would exclude from all of the given teams. It ends
// before the first row with another number of players.
func (q *State) Shut(g *Group, filled *Filled, rows []Row, players int32, teams uint64) (n int) {
	var times [1 << QuotasMax]int // for each set of quotas, the rows that only quotas exclude
	for _, row := range rows {
		t := &q.Traits[row]
		if teams&t.Teams&^filled[t.Texts] != 0 || g.Rows.Players[row] != players {
			break
		}
		if n++; teams&^t.Teams == 0 {
			times[t.Texts]++
		} else {
			q.countClosed(g, filled, row, teams)
		}
	}
	for texts, rows := range times[:1<<len(q.Quotas)] {
		q.countFilled(g, filled, uint8(texts), teams, rows)
	}
	return n
}

// countClosed counts a failed evaluation for each team that Open excludes, of the first rule that excludes it.
func (q *State) countClosed(g *Group, filled *Filled, row Row, closed uint64) {
	t := &q.Traits[row]
	for i := 0; closed&^t.Teams != 0; i++ {
		a := &q.Alone[i]
		g.fail(a.Rule, bits.OnesCount64(closed&^a.Teams[row]))
		closed &= a.Teams[row]
	}
	q.countFilled(g, filled, t.Texts, closed, 1)
}

// countFilled does the work of countClosed for quotas, for a number of rows with the same texts.
func (q *State) countFilled(g *Group, filled *Filled, texts uint8, closed uint64, rows int) {
	for ; closed != 0 && texts != 0; texts &= texts - 1 {
		k := bits.TrailingZeros8(texts)
		full := filled[1<<k]
		g.fail(q.Quotas[k].Rule, rows*bits.OnesCount64(closed&full))
		closed &^= full
	}
}

// Close removes the options that Open would exclude, and returns how many. It looks only at the words
// from...end-1 of each set, and only at the bits of mask.
//
// If most candidates have a role of which a match needs few, a search through all groups spends most of its
// time on them. A pass over 4,000 tickets took 230 million instructions when Lets excluded them, 136 million
// when Open did, and 93 million since Close and Shut do (BenchmarkTooManyHealers).
func (q *State) Close(g *Group, filled *Filled, options *Options, from, end int, mask uint64) (closed int) {
	remove := func(r *Rule, team int, of Set) {
		n := 0
		for at := from; at < end; at++ {
			word := &options.words[at*options.teams+team]
			out := *word & of[at] & mask
			*word &^= out
			n += bits.OnesCount64(out)
		}
		g.fail(r, n)
		closed += n
	}
	for i, set := range q.barred {
		remove(q.Alone[i/q.teams].Rule, i%q.teams, set)
	}
	for k := range q.Quotas {
		for full := filled[1<<k]; full != 0; full &= full - 1 {
			remove(q.Quotas[k].Rule, bits.TrailingZeros64(full), q.texts[k])
		}
	}
	return closed
}
