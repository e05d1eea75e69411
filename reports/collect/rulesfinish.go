package collect

import (
	"strconv"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// result returns the statistics of the ruleset. totals has what the simulator counted for the
// queue.
func (t *rulesTally) result(totals *sim.RuleTotals) *outcome.Rules {
	r := &outcome.Rules{
		Name:           t.Name,
		Dialect:        t.Dialect,
		Placement:      t.Placement,
		Follow:         t.Follow,
		ExpansionBasis: t.ExpansionBasis,
		OptionalBasis:  t.OptionalBasis,
		Relaxation:     outcome.Relaxations{},
		ByHour:         make([]outcome.RulesHour, len(t.hours)),
		Layouts:        t.layouts.parts(),
		Backfill:       t.backfill,
		BudgetHits:     outcome.BudgetHit{Groups: outcome.Count(totals.GroupBudgetHits), Teams: outcome.Count(totals.TeamBudgetHits)},
		Refused:        refused(totals.Refusals),
		Expiry:         t.expiry.expiry(t.Rules),
	}
	for i, e := range totals.Evaluations {
		if e.Passed+e.Failed > 0 {
			r.Evaluations = append(r.Evaluations, outcome.Evaluation{Name: t.Rules[i].Name, Passed: outcome.Count(e.Passed), Failed: outcome.Count(e.Failed)})
		}
	}
	matches, relaxed := 0, 0
	for i := range t.hours {
		all := 0
		for _, n := range t.hours[i] {
			all += n
		}
		r.ByHour[i] = outcome.RulesHour{Matches: outcome.Count(all), ShareRelaxed: outcome.ShareOf(all-t.hours[i][outcome.AsAtStart], all), Furthest: countedParts(t.hours[i][:], all, func(class int) string { return outcome.RelaxKeys[class] })}
		matches += all
		relaxed += all - t.hours[i][outcome.AsAtStart]
	}
	r.Matches, r.ShareRelaxed = outcome.Count(matches), outcome.ShareOf(relaxed, matches)
	r.FillAtStart = outcome.ShareOf(t.players, matches*t.size)
	for i, rule := range t.Rules {
		r.Relaxation = append(r.Relaxation, t.rules[i].relaxation(rule.Name, matches))
	}
	r.Sizes = countedParts(t.sizes, matches, strconv.Itoa)
	return r
}

// acceptance returns the statistics of the proposals in the queues from first to end-1, or nil if none
// of these queues asks players.
func acceptance(queues []setup.Queue, t *sim.Totals, first, end int) *outcome.Acceptance {
	asks, all := false, sim.AcceptanceTotals{}
	for i := first; i < end; i++ {
		if asks = asks || queues[i].Asks; i < len(t.Acceptance) && t.Acceptance[i] != nil {
			all.Add(t.Acceptance[i])
		}
	}
	if !asks {
		return nil
	}
	decided := all.Started + all.Refused + all.TimedOut + all.Lapsed
	mean := func(ms int64, n int) outcome.Seconds { return waitSeconds(outcome.Ratio(float64(ms), float64(n))) }
	return &outcome.Acceptance{
		Proposals: outcome.Count(decided), Started: outcome.Count(all.Started), Refused: outcome.Count(all.Refused), TimedOut: outcome.Count(all.TimedOut), Lapsed: outcome.Count(all.Lapsed),
		ShareStarted: outcome.ShareOf(all.Started, decided), PerStart: outcome.RoundAverage(outcome.Ratio(float64(decided), float64(all.Started))),
		AnswerMean: mean(all.AnswerTime, all.Players), Returned: outcome.Count(all.Returned), LostMean: mean(all.LostTime, all.Returned), LostPerMatch: mean(all.LostTime, all.Players),
	}
}

// refused returns the number of players with refused tickets, by reason.
func refused(refusals []sim.RefusalCount) outcome.Parts {
	parts, all := outcome.Parts{}, 0
	for _, r := range refusals {
		all += r.Players
	}
	for _, r := range refusals {
		parts = append(parts, partOf(r.Reason, r.Players, all))
	}
	return parts
}

// matchmaking returns the statistics of a queue's ruleset, and what the vendor's service reports
// at the end of the run.
func (c *Collector) matchmaking(queue int, t *sim.Totals) outcome.Matchmaking {
	tally := c.rules[queue]
	if tally == nil {
		return outcome.Matchmaking{}
	}
	totals := &sim.RuleTotals{}
	if queue < len(t.Rules) && t.Rules[queue] != nil {
		totals = t.Rules[queue]
	}
	searching := t.SearchingAtEnd
	if len(c.rules) > 1 {
		searching = totals.SearchingAtEnd
	}
	return outcome.Matchmaking{Rules: tally.result(totals), QueueStatistics: tally.waits.statistics(t.Reached, searching)}
}
