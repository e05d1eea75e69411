package packed

import (
	"mmsim/matcher/packing"
	"mmsim/sim/engine/internal/store"
)

// clearWalk empties the walk, which is a list of tickets in walking order.
func (q *Turns) clearWalk() { q.walk, q.sizes = q.walk[:0], q.sizes[:0] }

// addToWalk appends a ticket to the walk.
func (q *Turns) addToWalk(t store.Ticket, size uint8) {
	q.walk, q.sizes = append(q.walk, t), append(q.sizes, size)
}

// pack hands the walk to the packer.
func (q *Turns) pack() *packing.Packer {
	q.packer.Reset(q.Own.MatchSize, q.sizes, q.mayMeet)
	return &q.packer
}

// ticketsAt returns the tickets at the given positions of the walk. The result is valid until the
// next call.
func (q *Turns) ticketsAt(positions []int32) []store.Ticket {
	q.group = q.group[:0]
	for _, i := range positions {
		q.group = append(q.group, q.walk[i])
	}
	return q.group
}
