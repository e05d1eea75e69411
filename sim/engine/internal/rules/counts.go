package rules

import (
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
)

// refusalReasonsMax limits the number of refusal reasons that are counted separately. A reason may
// quote a value, so there could be any number of them.
const refusalReasonsMax = 100

// counts collects the totals about a ruleset.
type counts struct {
	totals sim.RuleTotals
	index  map[string]int // index into totals.Refusals by reason
}

// refused counts the players of a ticket that was refused.
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

// exhausted counts the searches that ran out of their budget.
func (c *counts) exhausted(hits []matcher.BudgetHit) {
	for _, hit := range hits {
		if hit.Search == matcher.TeamSearch {
			c.totals.TeamBudgetHits++
		} else {
			c.totals.GroupBudgetHits++
		}
	}
}

// result returns the totals. waiting is the number of players who still wait.
func (c *counts) result(waiting int) *sim.RuleTotals {
	totals := c.totals
	totals.SearchingAtEnd = waiting
	totals.Refusals = slices.Clone(totals.Refusals)
	slices.SortStableFunc(totals.Refusals, func(a, b sim.RefusalCount) int { return b.Players - a.Players })
	return &totals
}
