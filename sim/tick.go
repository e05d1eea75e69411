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
	census  Census
	match   Match
}

// pass is one matchmaking round: time-outs, the turns of all datacenters in an
// order drawn anew, and at last the warm bodies among themselves.
func (e *Engine) pass(at Instant) {
	e.expire(at)
	before := e.made
	for _, dc := range e.datacenterOrder(at) {
		e.turn(at, int(dc))
	}
	e.matchWarmBodies()
	e.waiting.compact()
	e.passAt = e.nextPass(at, e.made > before)
}

// nextPass returns the first tick whose pass could decide anything. Who waits
// after a pass that made no match cannot be matched in any order of walking, so
// until a ticket enters (which sets passAt too) or times out, passes decide
// nothing and are skipped. Cool-downs end with time alone.
func (e *Engine) nextPass(at Instant, matched bool) Instant {
	w := &e.waiting
	tick := e.cfg.Tick
	if someoneWaits := len(w.ticket)+len(w.warm) > 0; someoneWaits && (matched || e.cfg.PartnerCooldown > 0) {
		return at.Add(tick)
	}
	if w.nextDeadline == Never {
		return Never
	}
	return w.nextDeadline.ceilTo(tick)
}

// datacenterOrder draws the order in which a pass visits the datacenters.
func (e *Engine) datacenterOrder(at Instant) []int32 {
	order := e.scratch.order[:0]
	for dc := range e.places.Datacenters {
		order = append(order, int32(dc))
	}
	src := e.streams.order.source(uint64(at), 0)
	src.shuffle(order)
	e.scratch.order = order
	return order
}

// turn lets one datacenter form its matches: full groups of regular tickets,
// then one partial group completed with warm bodies.
func (e *Engine) turn(at Instant, dc int) {
	w, s := &e.waiting, &e.scratch
	s.queue = w.queue(dc, s.queue)
	if len(s.queue) == 0 {
		return
	}
	if w.parties == 0 && len(s.queue)+len(w.warm) < e.cfg.MatchSize {
		return
	}
	e.arrange(at, dc, s.queue)
	s.walk = s.walk[:0]
	for _, i := range s.queue {
		s.walk = append(s.walk, w.ticket[i])
	}

	p := e.walkOver(s.walk)
	for group := p.Next(len(s.walk)); group != nil; group = p.Next(len(s.walk)) {
		for _, i := range group {
			w.admits[s.queue[i]] = 0
		}
		e.startMatch(dc, e.tickets(group))
	}
	if len(w.warm) > 0 {
		e.completeGroup(dc)
	}
}

// arrange brings a datacenter's queue into the order in which it is walked.
func (e *Engine) arrange(at Instant, dc int, queue []int32) {
	if e.cfg.Order == OrderShuffle {
		src := e.streams.shuffle.source(uint64(at), uint64(dc))
		src.shuffle(queue)
	}
	if e.cfg.Prefer == PreferBest {
		e.sortByRTT(dc, queue)
	}
}

// sortByRTT sorts a queue by RTT to the datacenter, ties as they stand.
func (e *Engine) sortByRTT(dc int, queue []int32) {
	keys := e.scratch.keys[:0]
	for rank, i := range queue {
		rtt := e.rtt(e.waiting.ticket[i], dc)
		keys = append(keys, uint64(rtt)<<48|uint64(rank))
	}
	slices.Sort(keys)
	sorted := append(e.scratch.rest[:0], queue...)
	for rank, key := range keys {
		queue[rank] = sorted[key&(1<<48-1)]
	}
	e.scratch.keys, e.scratch.rest = keys, sorted
}
