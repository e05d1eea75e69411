package sim

import "mmsim/matcher"

// stateQueue is a queue in which tickets search as in the article: by the state
// machine, each waiting for every datacenter that its state admits.
type stateQueue struct {
	matchQueue
	waiting        waiting
	order, shuffle Stream
	pad            passScratch
}

// passScratch is memory that a pass uses and leaves behind.
type passScratch struct {
	order   []int32    // datacenters
	queue   []int32    // positions in waiting
	rest    []int32    // positions of the queue's left-over tickets
	walk    []ticketID // in walking order
	keys    []uint64
	sizes   []uint8 // of the tickets in walk
	group   []ticketID
	packer  matcher.Packer
	mayMeet func(a, b int) bool // nil: everybody
}

func newStateQueue(w *world, index int) *stateQueue {
	q := &stateQueue{order: w.stream(PurposeDatacenterOrder), shuffle: w.stream(PurposeShuffle)}
	q.init(w, index, w.cfg.Queues[index].MatchSize, q)
	if q.own.PartnerCooldown > 0 {
		q.pad.mayMeet = q.mayMeet
	}
	q.waiting.nextDeadline = Never
	return q
}

// ending implements searching.
func (*stateQueue) ending(uint32) {}

// ruleTotals implements queue.
func (*stateQueue) ruleTotals() *RuleTotals { return nil }
