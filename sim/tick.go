package sim

import (
	"slices"

	"mmsim/matcher"
)

// scratch is memory that a pass uses and leaves behind.
type scratch struct {
	order   []int32    // datacenters
	queue   []int32    // positions in waiting
	rest    []int32    // positions of the queue's left-over tickets
	walk    []ticketID // in walking order
	keys    []uint64
	sizes   []uint8 // of the tickets in walk
	group   []ticketID
	packer  matcher.Packer
	mayMeet func(a, b int) bool // nil: everybody
	slots   []uint32            // of the players of a match
	ended   Ended
	match   Match
}

// decide implements queue.
func (q *matchQueue) decide() {
	if q.passAt == q.now {
		q.pass(q.now)
	}
}

// pass is one matchmaking round: time-outs, the turns of all datacenters in an
// order drawn anew, and at last the warm bodies among themselves.
func (q *matchQueue) pass(at Instant) {
	q.expire(at)
	before := q.made
	for _, dc := range q.datacenterOrder(at) {
		q.turn(at, int(dc))
	}
	q.matchWarmBodies()
	q.waiting.compact()
	q.passAt = q.nextPass(at, q.made > before)
}

// nextPass returns the first tick whose pass could decide anything. Who waits
// after a pass that made no match cannot be matched in any order of walking, so
// until a ticket enters (which sets passAt too) or times out, passes decide
// nothing and are skipped. Cool-downs end with time alone.
func (q *matchQueue) nextPass(at Instant, matched bool) Instant {
	w := &q.waiting
	tick := q.cfg.Tick
	if someoneWaits := len(w.ticket)+len(w.warm) > 0; someoneWaits && (matched || q.own.PartnerCooldown > 0) {
		return at.Add(tick)
	}
	if w.nextDeadline == Never {
		return Never
	}
	return w.nextDeadline.ceilTo(tick)
}

// datacenterOrder draws the order in which a pass visits the datacenters.
func (q *matchQueue) datacenterOrder(at Instant) []int32 {
	order := q.scratch.order[:0]
	for dc := range q.places.Datacenters {
		order = append(order, int32(dc))
	}
	src := q.streams.order.source(uint64(at), uint64(q.index))
	src.shuffle(order)
	q.scratch.order = order
	return order
}

// turn lets one datacenter form its matches: full groups of regular tickets,
// then one partial group completed with warm bodies.
func (q *matchQueue) turn(at Instant, dc int) {
	w, s := &q.waiting, &q.scratch
	s.queue = w.queue(dc, s.queue)
	if len(s.queue) == 0 {
		return
	}
	if w.parties == 0 && len(s.queue)+len(w.warm) < q.own.MatchSize {
		return
	}
	q.arrange(at, dc, s.queue)
	s.walk = s.walk[:0]
	for _, i := range s.queue {
		s.walk = append(s.walk, w.ticket[i])
	}

	p := q.walkOver(s.walk)
	for group := p.Next(len(s.walk)); group != nil; group = p.Next(len(s.walk)) {
		for _, i := range group {
			w.admits[s.queue[i]] = 0
		}
		q.startMatch(dc, q.tickets(group))
	}
	if len(w.warm) > 0 {
		q.completeGroup(dc)
	}
}

// arrange brings a datacenter's queue into the order in which it is walked.
func (q *matchQueue) arrange(at Instant, dc int, queue []int32) {
	if q.own.Order == OrderShuffle {
		src := q.streams.shuffle.source(uint64(at), uint64(q.index*MaxDatacenters+dc))
		src.shuffle(queue)
	}
	if q.own.Prefer == PreferBest {
		q.sortByRTT(dc, queue)
	}
}

// sortByRTT sorts a queue by RTT to the datacenter, ties as they stand.
func (q *matchQueue) sortByRTT(dc int, queue []int32) {
	keys := q.scratch.keys[:0]
	for rank, i := range queue {
		rtt := q.rtt(q.waiting.ticket[i], dc)
		keys = append(keys, uint64(rtt)<<48|uint64(rank))
	}
	slices.Sort(keys)
	sorted := append(q.scratch.rest[:0], queue...)
	for rank, key := range keys {
		queue[rank] = sorted[key&(1<<48-1)]
	}
	q.scratch.keys, q.scratch.rest = keys, sorted
}
