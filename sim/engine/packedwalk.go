package engine

import "mmsim/matcher/packing"

// clearWalk begins a list of tickets in walking order.
func (q *packedTurns) clearWalk() { q.walk, q.sizes = q.walk[:0], q.sizes[:0] }

// addToWalk appends a ticket of some size to the list.
func (q *packedTurns) addToWalk(t ticketID, size uint8) {
	q.walk, q.sizes = append(q.walk, t), append(q.sizes, size)
}

// pack hands the list to the packer.
func (q *packedTurns) pack() *packing.Packer {
	q.packer.Reset(q.own.MatchSize, q.sizes, q.mayMeet)
	return &q.packer
}

// tickets returns the tickets at some positions of the list. The result is good until the
// next call.
func (q *packedTurns) tickets(positions []int32) []ticketID {
	q.group = q.group[:0]
	for _, i := range positions {
		q.group = append(q.group, q.walk[i])
	}
	return q.group
}
