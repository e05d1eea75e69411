package rules

import (
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
)

// refusalReasonsMax bounds the reasons that are counted each on its own: they may quote
// values.
const refusalReasonsMax = 100

// counts adds up the totals about a ruleset.
type counts struct {
	totals sim.RuleTotals
	index  map[string]int // of totals.Refusals, by reason
}

// refused counts players whose ticket was not taken.
func (c *counts) refused(why error, players int) {
	reason := why.Error()
	if _, known := c.index[reason]; !known && len(c.index) == refusalReasonsMax {
		reason = "other reasons"
	}
	i, known := c.index[reason]
	if !known {
		i = len(c.totals.Refusals)
		c.index[reason] = i
		c.totals.Refusals = append(c.totals.Refusals, sim.RefusalCount{Reason: reason})
	}
	c.totals.Refusals[i].Players += players
}

// exhausted counts searches that stopped at a budget.
func (c *counts) exhausted(hits []matcher.BudgetHit) {
	for _, hit := range hits {
		if hit.What == matcher.TeamSearch {
			c.totals.TeamBudgetHits++
		} else {
			c.totals.GroupBudgetHits++
		}
	}
}

// result returns what was counted, with the number of players who still wait.
func (c *counts) result(waiting int) *sim.RuleTotals {
	totals := c.totals
	totals.SearchingAtEnd = waiting
	totals.Refusals = slices.Clone(totals.Refusals)
	slices.SortStableFunc(totals.Refusals, func(a, b sim.RefusalCount) int { return b.Players - a.Players })
	return &totals
}
