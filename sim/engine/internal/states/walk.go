package states

import (
	"mmsim/matcher/packing"
	"mmsim/sim/engine/internal/lifecycle"
)

// clearWalk empties the walk, which is a list of tickets in walking order.
func (q *exactTurns) clearWalk() { q.walk, q.sizes = q.walk[:0], q.sizes[:0] }

// addToWalk appends a ticket to the walk.
func (q *exactTurns) addToWalk(t lifecycle.Ticket, size uint8) {
	q.walk, q.sizes = append(q.walk, t), append(q.sizes, size)
}

// pack hands the walk to the packer.
func (q *exactTurns) pack() *packing.Packer {
	q.packer.Reset(q.Own.MatchSize, q.sizes, q.mayMeet)
	return &q.packer
}

// ticketsAt returns the tickets at the given positions of the walk. The result is valid until the
// next call.
func (q *exactTurns) ticketsAt(positions []int32) []lifecycle.Ticket {
	q.group = q.group[:0]
	for _, i := range positions {
		q.group = append(q.group, q.walk[i])
	}
	return q.group
}
