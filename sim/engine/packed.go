package engine

import (
	"slices"

	"mmsim/matcher/packing"
	"mmsim/sim"
)

// packedTurns is turns without a ruleset: matches of an exact size, by counting players.
type packedTurns struct {
	*matchQueue
	waiting *waiting
	failed  failedSearches
	shuffle sim.Stream
	mayMeet func(a, b int) bool // of two positions in walk; nil: any two tickets
	packer  packing.Packer

	// Scratch, kept so that no pass allocates.
	queue   []int32    // positions in waiting of the tickets of the datacenter whose turn it is
	rest    []int32    // of those, the tickets that its full groups left over
	walk    []ticketID // in walking order
	sizes   []uint8    // of the tickets in walk
	keys    []uint64
	nearest [packing.MaxMatchSize + 1][]uint64 // warm bodies by size, see nearestWarm
	group   []ticketID
}

func newPackedTurns(q *matchQueue, waiting *waiting) *packedTurns {
	p := &packedTurns{
		matchQueue: q, waiting: waiting,
		failed:  failedSearches{cooledAt: sim.Never},
		shuffle: q.stream(sim.PurposeShuffle),
	}
	if q.own.PartnerCooldown > 0 {
		p.mayMeet = func(a, b int) bool { return !p.coolingDown(p.walk[a], p.walk[b]) }
	}
	return p
}

func (q *packedTurns) enters(t ticketID) bool {
	p := q.players.of(t)
	if int(p.size) > q.own.MatchSize {
		q.end(t, sim.StateRejected)
		return false
	}
	if p.size > 1 {
		q.waiting.countSizes(&q.players, q.places.Datacenters)
	}
	if q.own.PartnerCooldown > 0 && q.cools(t) {
		q.failed.coolDownEnds(q.cooledAt(t))
	}
	return true
}

func (q *packedTurns) admits(_ ticketID, datacenters uint64) { q.failed.invalidate(datacenters) }

func (*packedTurns) leaves(ticketID) {}

func (*packedTurns) ruleTotals() *sim.RuleTotals { return nil }

// beginPass invalidates all failed searches if a cool-down has ended, and finds the next
// one that ends.
func (q *packedTurns) beginPass() {
	q.failed.gaveUp = false
	if q.now < q.failed.cooledAt {
		return
	}
	q.failed.reset()
	for _, t := range q.waiting.ticket {
		if q.cools(t) {
			q.failed.coolDownEnds(q.cooledAt(t))
		}
	}
}

// retry: a search that exceeded the packer's budget may succeed in another walking order,
// and the end of a cool-down lets partners meet.
func (q *packedTurns) retry() (nextTick bool, at sim.Instant) {
	return q.failed.gaveUp, q.failed.cooledAt
}

func (q *packedTurns) turn(dc int) {
	w := q.waiting
	if q.failed.has(dc) || !w.canFill(dc, q.own.MatchSize) {
		return
	}
	q.queue = w.queue(dc, q.queue)
	if len(q.queue) == 0 || w.onlySolos() && len(q.queue)+len(w.warm) < q.own.MatchSize {
		return
	}
	q.arrange(dc)
	q.clearWalk()
	for _, i := range q.queue {
		q.addToWalk(w.ticket[i], q.players.of(w.ticket[i]).size)
	}
	p := q.pack()
	for group := p.Next(len(q.walk)); group != nil; group = p.Next(len(q.walk)) {
		for _, i := range group {
			w.take(q.queue[i], q.sizes[i])
		}
		q.start(dc, q.tickets(group))
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

// start starts a match.
func (q *packedTurns) start(dc int, tickets []ticketID) {
	q.startMatch(&formed{datacenter: dc, tickets: tickets, region: sim.NoRegion})
}

// arrange brings a datacenter's queue into the order in which it is walked.
func (q *packedTurns) arrange(dc int) {
	if q.own.Order == sim.OrderShuffle {
		src := q.shuffle.Source(uint64(q.now), uint64(q.index*sim.MaxDatacenters+dc))
		src.Shuffle(q.queue)
	}
	if q.own.Prefer == sim.PreferBest {
		q.sortByRTT(dc)
	}
}

// sortByRTT sorts the queue by RTT to the datacenter, ties in the order in which they were.
func (q *packedTurns) sortByRTT(dc int) {
	keys := q.keys[:0]
	for rank, i := range q.queue {
		rtt := q.rtt(q.waiting.ticket[i], dc)
		keys = append(keys, uint64(rtt)<<48|uint64(rank))
	}
	slices.Sort(keys)
	before := append(q.rest[:0], q.queue...)
	for rank, key := range keys {
		q.queue[rank] = before[key&(1<<48-1)]
	}
	q.keys, q.rest = keys, before
}
