package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
)

// refusalReasonsMax bounds the reasons that are told apart: they may quote values.
const refusalReasonsMax = 100

// ruleBook adds up RuleTotals.
type ruleBook struct {
	totals sim.RuleTotals
	index  map[string]int // of Refusals
}

func (b *ruleBook) init() { b.index = make(map[string]int) }

// refused counts players whose ticket was not taken.
func (b *ruleBook) refused(why error, players int) {
	reason := why.Error()
	if _, known := b.index[reason]; !known && len(b.index) == refusalReasonsMax {
		reason = "other reasons"
	}
	i, known := b.index[reason]
	if !known {
		i = len(b.totals.Refusals)
		b.index[reason] = i
		b.totals.Refusals = append(b.totals.Refusals, sim.RefusalCount{Reason: reason})
	}
	b.totals.Refusals[i].Players += players
}

// exhausted counts searches that stopped at a budget.
func (b *ruleBook) exhausted(hits []matcher.BudgetHit) {
	for _, hit := range hits {
		if hit.What == matcher.TeamSearch {
			b.totals.TeamBudgetHits++
		} else {
			b.totals.GroupBudgetHits++
		}
	}
}

// result returns what was counted, and the players who still wait.
func (b *ruleBook) result(waiting int) *sim.RuleTotals {
	totals := b.totals
	totals.SearchingAtEnd = waiting
	totals.Refusals = slices.Clone(totals.Refusals)
	slices.SortStableFunc(totals.Refusals, func(a, b sim.RefusalCount) int { return b.Players - a.Players })
	return &totals
}
