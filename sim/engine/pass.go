package engine

import "mmsim/sim"

// decide implements queue.
func (q *stateQueue) decide() {
	if q.passAt == q.now || q.captures.next() == q.now {
		q.pass()
	}
}

// pass is one matchmaking pass: time-outs, the turns of all datacenters in an order drawn
// anew, and at last the warm bodies among themselves.
func (q *stateQueue) pass() {
	q.expire()
	q.turns.beginPass()
	before := q.made
	for _, dc := range q.datacenterOrder() {
		q.turns.turn(int(dc))
	}
	q.turns.matchWarmBodies()
	q.waiting.compact()
	q.passAt = q.nextPass(q.made > before)
}

// nextPass returns the first tick whose pass could decide anything. After a pass that made
// no match every search has failed. Until a ticket enters (which sets passAt too), a ticket
// times out or its turns would repeat a failed search, passes decide nothing and are skipped.
func (q *stateQueue) nextPass(matched bool) sim.Instant {
	w := &q.waiting
	nextTick, at := q.turns.retry()
	if w.len() > 0 && (matched || nextTick) {
		return q.now.Add(q.cfg.Tick)
	}
	next := min(w.nextDeadline, at)
	if next == sim.Never {
		return sim.Never
	}
	return next.CeilTo(q.cfg.Tick)
}

// datacenterOrder draws the order in which a pass visits the datacenters.
func (q *stateQueue) datacenterOrder() []int32 {
	order := q.datacenters[:0]
	for dc := range q.places.Datacenters {
		order = append(order, int32(dc))
	}
	src := q.order.Source(uint64(q.now), uint64(q.index))
	src.Shuffle(order)
	q.datacenters = order
	return order
}
