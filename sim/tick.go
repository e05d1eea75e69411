package sim

import "slices"

// decide implements queue.
func (q *stateQueue) decide() {
	if q.passAt == q.now || q.captures.next() == q.now {
		q.pass(q.now)
	}
}

// pass is one matchmaking round: time-outs, the turns of all datacenters in an
// order drawn anew, and at last the warm bodies among themselves.
func (q *stateQueue) pass(at Instant) {
	q.expire(at)
	q.failed.beginPass(q)
	before := q.made
	for _, dc := range q.datacenterOrder(at) {
		q.turns.turn(at, int(dc))
	}
	q.turns.matchWarmBodies()
	q.waiting.compact()
	q.passAt = q.nextPass(at, q.made > before)
}

// nextPass returns the first tick whose pass could decide anything. After a pass
// that made no match every search has failed, so until a ticket enters (which sets
// passAt too), a ticket times out or a cool-down ends, passes decide nothing and
// are skipped. A search that exceeded the packer's budget may succeed in another
// order, and rules relax with time.
func (q *stateQueue) nextPass(at Instant, matched bool) Instant {
	w := &q.waiting
	tick := q.cfg.Tick
	if someoneWaits := len(w.ticket)+len(w.warm) > 0; someoneWaits && (matched || q.failed.gaveUp || q.own.Rules != nil) {
		return at.Add(tick)
	}
	next := min(w.nextDeadline, q.failed.cooledAt)
	if next == Never {
		return Never
	}
	return next.ceilTo(tick)
}

// datacenterOrder draws the order in which a pass visits the datacenters.
func (q *stateQueue) datacenterOrder(at Instant) []int32 {
	order := q.pad.order[:0]
	for dc := range q.places.Datacenters {
		order = append(order, int32(dc))
	}
	src := q.order.Source(uint64(at), uint64(q.index))
	src.Shuffle(order)
	q.pad.order = order
	return order
}

// turn lets one datacenter form its matches: full groups of regular tickets,
// then one partial group completed with warm bodies.
func (q *stateQueue) turn(at Instant, dc int) {
	if q.failed.has(dc) || !q.waiting.canFill(dc, q.own.MatchSize) {
		return
	}
	w, s := &q.waiting, &q.pad
	s.queue = w.queue(dc, s.queue)
	if len(s.queue) == 0 || w.sizes == nil && len(s.queue)+len(w.warm) < q.own.MatchSize {
		return
	}
	q.arrange(at, dc, s.queue)
	s.clearWalk()
	for _, i := range s.queue {
		s.addToWalk(w.ticket[i], q.players.of(w.ticket[i]).size)
	}
	p := q.walk()
	for group := p.Next(len(s.walk)); group != nil; group = p.Next(len(s.walk)) {
		for _, i := range group {
			w.take(s.queue[i], s.sizes[i])
		}
		q.pack(dc, q.tickets(group))
	}
	gaveUp := p.GaveUp()
	if len(w.warm) > 0 && q.completeGroup(dc) {
		return
	}
	if gaveUp || p.GaveUp() {
		q.failed.gaveUp = true
		return
	}
	q.failed.add(dc)
}

// pack starts a match that was formed by counting.
func (q *stateQueue) pack(dc int, tickets []ticketID) {
	q.startMatch(&formed{datacenter: dc, tickets: tickets, region: NoRegion})
}

// arrange brings a datacenter's queue into the order in which it is walked.
func (q *stateQueue) arrange(at Instant, dc int, queue []int32) {
	if q.own.Order == OrderShuffle {
		src := q.shuffle.Source(uint64(at), uint64(q.index*MaxDatacenters+dc))
		src.Shuffle(queue)
	}
	if q.own.Prefer == PreferBest {
		q.sortByRTT(dc, queue)
	}
}

// sortByRTT sorts a queue by RTT to the datacenter, ties as they stand.
func (q *stateQueue) sortByRTT(dc int, queue []int32) {
	keys := q.pad.keys[:0]
	for rank, i := range queue {
		rtt := q.rtt(q.waiting.ticket[i], dc)
		keys = append(keys, uint64(rtt)<<48|uint64(rank))
	}
	slices.Sort(keys)
	sorted := append(q.pad.rest[:0], queue...)
	for rank, key := range keys {
		queue[rank] = sorted[key&(1<<48-1)]
	}
	q.pad.keys, q.pad.rest = keys, sorted
}
