package engine

import "mmsim/sim"

// Finish ends the run at the current instant, reports the unfinished searches and returns the
// totals. If the run ends in the warm-up period, all totals are 0.
func (e *Engine) Finish() sim.Totals {
	if !e.world.Measuring() {
		return e.noTotals()
	}
	totals := e.world.Totals()
	e.reportUnfinished()
	totals.Rules = make([]*sim.RuleTotals, len(e.queues))
	totals.Acceptance = make([]*sim.AcceptanceTotals, len(e.queues))
	for i, q := range e.queues {
		totals.Rules[i], totals.Acceptance[i] = q.RuleTotals(), q.AcceptanceTotals()
	}
	return totals
}

// noTotals returns the totals of a run whose measured window has not begun. They leave out the
// players who are searching now. Observers did not receive those searches, and the totals must
// balance with the facts that observers received.
func (e *Engine) noTotals() sim.Totals {
	totals := sim.Totals{Rules: make([]*sim.RuleTotals, len(e.queues))}
	for i, q := range e.queues {
		if q.RuleTotals() != nil {
			totals.Rules[i] = &sim.RuleTotals{}
		}
	}
	return totals
}

// reportUnfinished reports the searches that are unfinished when the run ends.
func (e *Engine) reportUnfinished() {
	for _, o := range e.world.Observers {
		if o, is := o.(sim.UnfinishedObserver); is {
			for _, q := range e.queues {
				q.Unfinished(func(s *sim.Search) { o.Unfinished(s, e.world.Now()) })
			}
		}
	}
}
