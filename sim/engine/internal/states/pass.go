package states

import "mmsim/sim"

// Decide makes a pass if one is due now.
func (q *Queue) Decide() {
	if q.PassAt == q.Now() || q.Captured() {
		q.pass()
	}
}

// pass makes one matchmaking pass: cancellations and time-outs, then the turns of all datacenters in random order,
// and finally matches among the remaining warm bodies.
func (q *Queue) pass() {
	q.cancel()
	q.expire()
	before := q.waiting.Len()
	if datacenters := q.turns.BeginPass(); datacenters != 0 {
		for _, dc := range q.datacenterOrder() {
			if datacenters>>(uint32(dc)%sim.MaxDatacenters)&1 != 0 {
				q.turns.Turn(int(dc))
			}
		}
	}
	if q.Usable() != 0 {
		q.turns.MatchWarmBodies()
	}
	q.waiting.Compact()
	q.PassAt = q.nextPass(q.waiting.Len() < before)
}

// nextPass returns the next tick at which a pass can change anything. If a pass made no match, all
// searches have failed. There is then nothing to do until a ticket enters (which schedules a pass
// by itself), a ticket is cancelled or times out, or a failed search may succeed according to Retry.
func (q *Queue) nextPass(matched bool) sim.Instant {
	w := &q.waiting
	nextTick, at := q.turns.Retry()
	if w.Len() > 0 && (matched || nextTick) {
		return q.Now().Add(q.Config.Tick)
	}
	next := min(w.NextDeadline, at, q.NextCancellation())
	if next == sim.Never {
		return sim.Never
	}
	return next.CeilTo(q.Config.Tick)
}

// datacenterOrder draws the order of all datacenters in a pass. It does not depend on which of them may
// be used, so that the order of the others stays as it is when one is closed.
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
