package states

import "mmsim/sim"

// Decide makes the pass of this instant, if there is one.
func (q *Queue) Decide() {
	if q.PassAt == q.Now() || q.Captured() {
		q.pass()
	}
}

// pass is one matchmaking pass: time-outs, the turns of all datacenters in an order drawn
// anew, and at last the warm bodies among themselves.
func (q *Queue) pass() {
	q.expire()
	q.turns.BeginPass()
	before := q.Matches()
	for _, dc := range q.datacenterOrder() {
		q.turns.Turn(int(dc))
	}
	q.turns.MatchWarmBodies()
	q.waiting.Compact()
	q.PassAt = q.nextPass(q.Matches() > before)
}

// nextPass returns the first tick whose pass could decide anything. After a pass that made
// no match, every search has failed. Passes are skipped until a ticket enters (which
// schedules one too), a ticket times out, or the turns would repeat a failed search.
func (q *Queue) nextPass(matched bool) sim.Instant {
	w := &q.waiting
	nextTick, at := q.turns.Retry()
	if w.Len() > 0 && (matched || nextTick) {
		return q.Now().Add(q.Config.Tick)
	}
	next := min(w.NextDeadline, at)
	if next == sim.Never {
		return sim.Never
	}
	return next.CeilTo(q.Config.Tick)
}

// datacenterOrder draws the order in which a pass visits the datacenters.
func (q *Queue) datacenterOrder() []int32 {
	order := q.datacenters[:0]
	for dc := range q.Places.Datacenters {
		order = append(order, int32(dc))
	}
	src := q.order.Source(uint64(q.Now()), uint64(q.Index))
	src.Shuffle(order)
	q.datacenters = order
	return order
}
