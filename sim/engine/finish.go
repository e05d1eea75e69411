package engine

import "mmsim/sim"

// Finish ends the run where the clock stands, reports the unfinished searches and returns the
// totals. A run that ends in the warm-up period has measured nothing: all its totals are 0.
func (e *Engine) Finish() sim.Totals {
	if !e.run.Measuring() {
		return e.noTotals()
	}
	totals := e.run.Totals()
	e.reportUnfinished()
	totals.Rules = make([]*sim.RuleTotals, len(e.queues))
	for i, q := range e.queues {
		totals.Rules[i] = q.RuleTotals()
	}
	return totals
}

// noTotals returns the totals of a run whose measured window has not begun. They do not count
// the players who search at this instant: their searches were not reported to observers, and
// totals and outcomes have to balance.
func (e *Engine) noTotals() sim.Totals {
	totals := sim.Totals{Rules: make([]*sim.RuleTotals, len(e.queues))}
	for i, q := range e.queues {
		if q.RuleTotals() != nil {
			totals.Rules[i] = &sim.RuleTotals{}
		}
	}
	return totals
}

// reportUnfinished reports the searches that the end of the run cuts off.
func (e *Engine) reportUnfinished() {
	for _, o := range e.run.Observers {
		if o, is := o.(sim.UnfinishedObserver); is {
			for _, q := range e.queues {
				q.Unfinished(func(s *sim.Search) { o.Unfinished(s, e.run.Now()) })
			}
		}
	}
}
