// Package packed forms groups without a ruleset: a match is any tickets whose players add up
// to its exact size.
//
// In the turn of a datacenter, [Turns] lists the tickets of its queue in walking order (drawn
// anew, or oldest first), and the packer takes the first ticket with the first later ones
// that fit, again and again. The tickets that are left over form one partial group, if warm
// bodies complete it. At the end of a pass the remaining warm bodies play each other.
//
// A queue is not searched where the sizes of its tickets cannot add up to a match, and a
// search that must fail again is not repeated: so parties that can never be matched cost
// nothing while they wait.
package packed

import (
	"slices"

	"mmsim/matcher/packing"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/store"
	"mmsim/sim/engine/internal/waiting"
)

// Turns implements states.Turns.
type Turns struct {
	*lifecycle.Queue
	waiting *waiting.List
	failed  failedSearches
	shuffle sim.Stream
	mayMeet func(a, b int) bool // whether the tickets at two positions of walk may; nil: any may
	packer  packing.Packer

	// Memory that is reused, so that no pass allocates.
	queue   []int32        // positions in waiting of the tickets of the datacenter whose turn it is
	rest    []int32        // of those, the tickets that its full groups left over
	walk    []store.Ticket // in walking order
	sizes   []uint8        // of the tickets in walk
	keys    []uint64
	nearest [packing.MaxMatchSize + 1][]uint64 // warm bodies by size, see nearestWarm
	group   []store.Ticket
}

// New returns the turns of a queue, for the tickets of its list.
func New(q *lifecycle.Queue, list *waiting.List) *Turns {
	p := &Turns{
		Queue: q, waiting: list,
		failed:  failedSearches{cooledAt: sim.Never},
		shuffle: q.Stream(sim.PurposeShuffle),
	}
	if q.Own.PartnerCooldown > 0 {
		p.mayMeet = func(a, b int) bool { return !p.coolingDown(p.walk[a], p.walk[b]) }
	}
	return p
}

// Enters refuses a party that is larger than a match.
func (q *Turns) Enters(t store.Ticket) bool {
	p := q.Players.Of(t)
	if int(p.Size) > q.Own.MatchSize {
		q.End(t, sim.StateRejected)
		return false
	}
	if p.Size > 1 {
		q.waiting.CountSizes(&q.Players, q.Places.Datacenters)
	}
	if q.Own.PartnerCooldown > 0 && q.cools(t) {
		q.failed.coolDownEnds(q.cooledAt(t))
	}
	return true
}

// Admits: a new ticket may let a search succeed that failed.
func (q *Turns) Admits(_ store.Ticket, datacenters uint64) { q.failed.invalidate(datacenters) }

// Leaves does nothing: without a ticket no failed search succeeds.
func (*Turns) Leaves(store.Ticket) {}

// RuleTotals returns nil: there is no ruleset.
func (*Turns) RuleTotals() *sim.RuleTotals { return nil }

// BeginPass invalidates all failed searches if a cool-down has ended, and finds the next
// one that ends.
func (q *Turns) BeginPass() {
	q.failed.gaveUp = false
	if q.Now() < q.failed.cooledAt {
		return
	}
	q.failed.reset()
	for _, t := range q.waiting.Tickets {
		if q.cools(t) {
			q.failed.coolDownEnds(q.cooledAt(t))
		}
	}
}

// Retry: a search that exceeded the packer's budget may succeed in another walking order,
// and the end of a cool-down lets partners meet.
func (q *Turns) Retry() (nextTick bool, at sim.Instant) {
	return q.failed.gaveUp, q.failed.cooledAt
}

// Turn implements states.Turns.
func (q *Turns) Turn(dc int) {
	w := q.waiting
	if q.failed.has(dc) || !w.CanFill(dc, q.Own.MatchSize) {
		return
	}
	q.queue = w.Queue(dc, q.queue)
	if len(q.queue) == 0 || w.OnlySolos() && len(q.queue)+len(w.Warm) < q.Own.MatchSize {
		return
	}
	q.arrange(dc)
	q.clearWalk()
	for _, i := range q.queue {
		q.addToWalk(w.Tickets[i], q.Players.Of(w.Tickets[i]).Size)
	}
	p := q.pack()
	for group := p.Next(len(q.walk)); group != nil; group = p.Next(len(q.walk)) {
		for _, i := range group {
			w.Take(q.queue[i], q.sizes[i])
		}
		q.start(dc, q.ticketsAt(group))
	}
	gaveUp := p.GaveUp()
	complete := len(w.Warm) > 0 && q.completeGroup(dc)
	w.Compact() // the next turns scan what is left
	switch {
	case complete:
	case gaveUp || p.GaveUp():
		q.failed.gaveUp = true
	default:
		q.failed.add(dc)
	}
}

// start starts a match.
func (q *Turns) start(dc int, tickets []store.Ticket) {
	q.StartMatch(&lifecycle.Group{Datacenter: dc, Tickets: tickets, Region: sim.NoRegion})
}

// arrange brings a datacenter's queue into the order in which it is walked.
func (q *Turns) arrange(dc int) {
	if q.Own.Order == sim.OrderShuffle {
		src := q.shuffle.Source(uint64(q.Now()), uint64(q.Index*sim.MaxDatacenters+dc))
		src.Shuffle(q.queue)
	}
	if q.Own.Prefer == sim.PreferBest {
		q.sortByRTT(dc)
	}
}

// sortByRTT sorts the queue by RTT to the datacenter, ties in the order in which they were.
func (q *Turns) sortByRTT(dc int) {
	keys := q.keys[:0]
	for rank, i := range q.queue {
		rtt := q.RTT(q.waiting.Tickets[i], dc)
		keys = append(keys, uint64(rtt)<<48|uint64(rank))
	}
	slices.Sort(keys)
	before := append(q.rest[:0], q.queue...)
	for rank, key := range keys {
		q.queue[rank] = before[key&(1<<48-1)]
	}
	q.keys, q.rest = keys, before
}
