package pool

import (
	"cmp"
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// givesUp returns the instant at which a ticket has waited for GiveUp.
func (q *Queue) givesUp(t lifecycle.Ticket) sim.Instant {
	return q.Players.Of(t).Began.Add(q.Own.GiveUp)
}

// timeOver returns the instant at which a ticket's time is over, and the state in which its search
// then ends.
func (q *Queue) timeOver(t lifecycle.Ticket) (sim.Instant, sim.State) {
	givesUp := q.givesUp(t)
	if cancels := q.Cancels(t); cancels < givesUp {
		return cancels, sim.StateCancelled
	}
	return givesUp, sim.StateExpired
}

// Clock implements lifecycle.Searcher.
func (q *Queue) Clock(t lifecycle.Ticket) lifecycle.Clock {
	over, then := q.timeOver(t)
	return lifecycle.Clock{Over: over, Then: then}
}

// TimeOver implements lifecycle.Searcher.
func (q *Queue) TimeOver(t lifecycle.Ticket, into sim.State) { q.End(t, into) }

// cancel ends the searches in the pool that their players cancel by now, oldest first. Proposals
// end the searches of their own tickets. It also finds the tickets whose time is over and that began to
// wait anew after a proposal, which expire cannot find by their age in the pool.
func (q *Queue) cancel() {
	q.leaving, q.late = q.leaving[:0], q.late[:0]
	for _, handle := range q.Cancellations() {
		row := matcher.Row(handle)
		t, waits := q.rules.Waits(row)
		if !waits {
			continue // the ticket was matched
		}
		switch at, into := q.timeOver(t); {
		case at > q.Now(): // the row has another ticket now
		case into == sim.StateCancelled:
			q.leaving = append(q.leaving, row)
		case q.rules.Since(row) > q.Players.Of(t).Began:
			q.late = append(q.late, row)
		}
	}
	q.sortOldestFirst(q.late)
	q.endEarly(q.leaving, sim.StateCancelled)
}

// Close ends all searches in the pool, oldest first, because a maintenance begins. Proposals end those of
// their own tickets.
func (q *Queue) Close() {
	q.leaving = q.rules.Pool.AppendWaiting(q.leaving[:0])
	q.endEarly(q.leaving, sim.StateClosed)
}

// endEarly ends the searches of the tickets in some rows, oldest first, before their time is over.
func (q *Queue) endEarly(rows []matcher.Row, into sim.State) {
	q.sortOldestFirst(rows)
	for _, row := range rows {
		t, _ := q.rules.Waits(row)
		q.rules.Cancel(row)
		q.End(t, into)
	}
}

// sortOldestFirst sorts the rows of waiting tickets.
func (q *Queue) sortOldestFirst(rows []matcher.Row) {
	seq := func(row matcher.Row) uint32 {
		t, _ := q.rules.Waits(row)
		return q.Players.Of(t).Seq
	}
	slices.SortFunc(rows, func(a, b matcher.Row) int { return cmp.Compare(seq(a), seq(b)) })
}

// expire ends the searches of the tickets that have waited for GiveUp, oldest first. The tickets
// stay in the pool until all of these searches have ended, because each explanation also counts the
// other expired tickets.
func (q *Queue) expire() {
	pool := q.rules.Pool
	q.leaving = pool.AppendOldest(q.leaving[:0], int64(q.Now().Add(-q.Own.GiveUp)))
	for _, row := range q.late {
		if !slices.Contains(q.leaving, row) {
			q.leaving = append(q.leaving, row)
		}
	}
	for _, row := range q.leaving {
		apart := q.rules.Explain(row)
		q.EndApart(q.rules.Release(row), sim.StateExpired, apart)
	}
	for _, row := range q.leaving {
		pool.Remove(row)
	}
}
