package states

import (
	"slices"

	"mmsim/matcher/packing"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// exactTurns forms matches without a ruleset. A match is any set of tickets whose players add up to
// exactly the size of a match.
//
// In a datacenter's turn, exactTurns lists the tickets of its queue in walking order, which is
// random, oldest first, or lowest RTT first. The packer repeatedly combines the first ticket with
// the first later tickets that fit. The remaining tickets form one partial group if warm bodies can
// complete it. At the end of a pass, the remaining warm bodies play each other.
//
// If the party sizes in a queue cannot add up to a match, the queue is not searched. A search that
// is bound to fail is not repeated. So parties that can never be matched cost nothing while they
// wait.
type exactTurns struct {
	*lifecycle.Queue
	waiting *waitingList
	failed  failedSearches
	shuffle sim.Stream
	mayMeet func(a, b int) bool // whether the tickets at two positions of walk may meet; nil if all may
	packer  packing.Packer

	// The following fields are scratch memory, so that a pass does not allocate.
	queues  [][]int32          // by datacenter that has a turn in this pass: positions in waiting of its tickets
	queue   []int32            // those of the current datacenter that are not taken
	rest    []int32            // the entries of queue that remain after full groups
	walk    []lifecycle.Ticket // in walking order
	sizes   []uint8            // sizes of the tickets in walk
	keys    []uint64
	nearest [packing.MaxMatchSize + 1][]uint64 // warm bodies by size, see nearestWarm
	group   []lifecycle.Ticket
	formed  lifecycle.Group
}

// newExactTurns returns the turns of a queue whose waiting tickets are in list.
func newExactTurns(q *lifecycle.Queue, list *waitingList) *exactTurns {
	p := &exactTurns{
		Queue: q, waiting: list,
		failed:  failedSearches{cooledAt: sim.Never},
		shuffle: q.Stream(sim.PurposeShuffle),
		queues:  make([][]int32, q.Places.Datacenters),
		formed:  lifecycle.Group{Region: sim.NoRegion},
	}
	if q.Own.PartnerCooldown > 0 {
		p.mayMeet = func(a, b int) bool { return !p.coolingDown(p.walk[a], p.walk[b]) }
	}
	return p
}

// Enters rejects a party that is larger than a match.
func (q *exactTurns) Enters(t lifecycle.Ticket) bool {
	p := q.Players.Of(t)
	if int(p.Size) > q.Own.MatchSize {
		q.End(t, sim.StateRejected)
		return false
	}
	if p.Size > 1 {
		q.waiting.CountSizes(&q.Players, q.Places.Datacenters)
	}
	if q.Own.PartnerCooldown > 0 && q.inCoolDown(t) {
		q.failed.coolDownEnds(q.cooledAt(t))
	}
	return true
}

// Admits invalidates failed searches, because a new ticket may let them succeed.
func (q *exactTurns) Admits(_ lifecycle.Ticket, datacenters uint64) { q.failed.invalidate(datacenters) }

// Leaves does nothing. If a search failed while the ticket was waiting, it also fails without it.
func (*exactTurns) Leaves(lifecycle.Ticket) *sim.Apart { return nil }

// Cancels does nothing, for the same reason.
func (*exactTurns) Cancels(lifecycle.Ticket) {}

// UsableChanged does nothing: a datacenter that may not be used has no turns, and a ticket that begins
// to wait in the meantime invalidates its failed search like any other.
func (*exactTurns) UsableChanged() {}

// RuleTotals returns nil, because there is no ruleset.
func (*exactTurns) RuleTotals() *sim.RuleTotals { return nil }

// BeginPass implements Turns. Datacenters whose searches would fail again have no turn.
func (q *exactTurns) BeginPass() (datacenters uint64) {
	q.failed.gaveUp = false
	if q.Now() >= q.failed.cooledAt {
		q.endCoolDowns()
	}
	datacenters = q.Usable() &^ q.failed.datacenters
	q.waiting.Queues(datacenters, q.queues)
	return datacenters
}

// endCoolDowns forgets the failed searches, because a cool-down has ended. It then finds the end of the
// next cool-down.
func (q *exactTurns) endCoolDowns() {
	q.failed.reset()
	for _, t := range q.waiting.Tickets {
		if q.inCoolDown(t) {
			q.failed.coolDownEnds(q.cooledAt(t))
		}
	}
}

// Retry implements Turns. A search that ran out of its budget may succeed at the next tick,
// in another walking order. A search that failed because of cool-downs may succeed when the first
// of them ends.
func (q *exactTurns) Retry() (nextTick bool, at sim.Instant) {
	return q.failed.gaveUp, q.failed.cooledAt
}

// Turn implements Turns.
func (q *exactTurns) Turn(dc int) {
	w := q.waiting
	if !w.CanFill(dc, q.Own.MatchSize) {
		return
	}
	q.queue = w.NotTaken(q.queues[dc], dc)
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
	switch {
	case complete:
	case gaveUp || p.GaveUp():
		q.failed.gaveUp = true
	default:
		q.failed.add(dc)
	}
}

// start starts or proposes a match.
func (q *exactTurns) start(dc int, tickets []lifecycle.Ticket) {
	q.formed.Datacenter, q.formed.Tickets = dc, tickets
	q.Match(&q.formed)
}

// arrange puts the queue of a datacenter into walking order.
func (q *exactTurns) arrange(dc int) {
	if q.Own.Order == sim.OrderShuffle {
		src := q.shuffle.Source(uint64(q.Now()), uint64(q.Index*sim.MaxDatacenters+dc))
		src.Shuffle(q.queue)
	}
	if q.Own.Prefer == sim.PreferBest {
		q.sortByRTT(dc)
	}
}

// sortByRTT sorts the queue by RTT to the datacenter. Tickets with equal RTT keep their order.
func (q *exactTurns) sortByRTT(dc int) {
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
