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

// Closes reports whether Open may exclude any team.
func (q *State) Closes() bool { return len(q.Quotas)+len(q.Alone) > 0 }

// Open returns those of the given teams that a ticket may join by two kinds of rules: those about each
// player alone, and the quotas. The ticket may not join a team for which a quota of the ticket's texts is
// filled. Lets would return false for all teams that Open leaves out.
//
// Open is faster than Lets. If most candidates have a role of which a match needs few, a search through
// all groups spends most of its time on them: a pass over 4,000 tickets took 230 million instructions
// without Open, and 144 million with it (BenchmarkTooManyHealers).
func (q *State) Open(g *Group, filled *Filled, row Row, teams uint64) uint64 {
	t := &q.Traits[row]
	open := teams & t.Teams &^ filled[t.Texts]
	if closed := teams &^ open; closed != 0 {
		q.countClosed(g, filled, row, closed)
	}
	return open
}

// countClosed counts a failed evaluation for each team that Open excludes, of the first rule that excludes it.
func (q *State) countClosed(g *Group, filled *Filled, row Row, closed uint64) {
	for i := range q.Alone {
		a := &q.Alone[i]
		g.fail(a.Rule, bits.OnesCount64(closed&^a.Teams[row]))
		closed &= a.Teams[row]
	}
	for texts := q.Traits[row].Texts; closed != 0; texts &= texts - 1 {
		k := bits.TrailingZeros8(texts)
		full := filled[1<<k]
		g.fail(q.Quotas[k].Rule, bits.OnesCount64(closed&full))
		closed &^= full
	}
}
