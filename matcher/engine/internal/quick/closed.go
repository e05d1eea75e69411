package quick

import (
	"math"
	"math/bits"
)

// Filled contains, for each quota, a mask of the teams that may have no further player with the quota's
// text.
type Filled [QuotasMax]uint64

// Filled returns the teams of a group whose quotas are filled. tickets is the number of tickets in the
// group.
func (q *State) Filled(g *Group, tickets int) (filled Filled) {
	for k := range q.Quotas {
		of := &q.Quotas[k]
		if !q.capped[k] {
			continue
		}
		most := g.OrFree(of.Rule.Most, math.Inf(1)).High
		for team, i := range of.Of {
			if i >= 0 && float64(q.depths[tickets].have[k][i]+1) > most {
				filled[k] |= 1 << team
			}
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
	for i := range q.Alone {
		teams = g.exclude(teams, ^q.Alone[i].Teams[row], q.Alone[i].Rule)
	}
	for k := range q.Quotas {
		if of := &q.Quotas[k]; of.Players[row] > 0 {
			teams = g.exclude(teams, filled[k], of.Rule)
		}
	}
	return teams
}

// exclude returns the given teams without the excluded ones. For each team that it removes, it counts a
// failed evaluation of the rule.
func (g *Group) exclude(teams, excluded uint64, r *Rule) uint64 {
	for range bits.OnesCount64(teams & excluded) {
		g.Count(r, fails)
	}
	return teams &^ excluded
}
