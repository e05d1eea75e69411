package sim

import "mmsim/matcher/packing"

// stateQueue is a queue in which tickets search as in the article: by the state
// machine, each waiting for every datacenter that its state admits.
type stateQueue struct {
	matchQueue
	waiting        waiting
	failed         failedSearches
	turns          turns
	ruled          *rulePool // of turns; nil without a ruleset
	order, shuffle Stream
	pad            passScratch
}

// passScratch is memory that every pass uses anew, kept so that none allocates.
type passScratch struct {
	order   []int32    // datacenters
	queue   []int32    // positions in waiting
	rest    []int32    // positions of the queue's left-over tickets
	walk    []ticketID // in walking order
	sizes   []uint8    // of the tickets in walk
	keys    []uint64
	nearest [packing.MaxMatchSize + 1][]uint64 // warm bodies by size, see nearestWarm
	group   []ticketID
	packer  packing.Packer
	mayMeet func(a, b int) bool // nil: everybody
}

// newStateQueue returns an empty queue of matches of at most size players.
func newStateQueue(w *world, index, size int) *stateQueue {
	q := &stateQueue{order: w.stream(PurposeDatacenterOrder), shuffle: w.stream(PurposeShuffle)}
	q.init(w, index, size, q)
	q.turns = packedTurns{q}
	if q.own.PartnerCooldown > 0 {
		q.pad.mayMeet = q.mayMeet
	}
	q.waiting.nextDeadline = Never
	q.failed.cooledAt = Never
	return q
}

// ending implements searching.
func (*stateQueue) ending(uint32) {}

// ruleTotals implements queue.
func (q *stateQueue) ruleTotals() *RuleTotals {
	if q.ruled == nil {
		return nil
	}
	return q.ruled.totals()
}
