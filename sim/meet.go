package sim

import (
	"slices"

	"mmsim/matcher/packing"
)

// mayMeet tells whether two of the tickets being walked may be in one match.
func (q *stateQueue) mayMeet(a, b int) bool {
	return !q.coolingDown(q.pad.walk[a], q.pad.walk[b])
}

// clearWalk begins a list of tickets in walking order.
func (s *passScratch) clearWalk() { s.walk, s.sizes = s.walk[:0], s.sizes[:0] }

// addToWalk appends a ticket of some size to the list.
func (s *passScratch) addToWalk(t ticketID, size uint8) {
	s.walk, s.sizes = append(s.walk, t), append(s.sizes, size)
}

// walk hands the list to the packer.
func (q *stateQueue) walk() *packing.Packer {
	s := &q.pad
	s.packer.Reset(q.own.MatchSize, s.sizes, s.mayMeet)
	return &s.packer
}

// tickets returns the tickets at some positions of the walk.
func (q *stateQueue) tickets(positions []int32) []ticketID {
	s := &q.pad
	s.group = s.group[:0]
	for _, i := range positions {
		s.group = append(s.group, s.walk[i])
	}
	return s.group
}

// coolingDown tells whether two tickets met in the last match of one of them,
// less than the cool-down ago. Warm bodies meet anybody.
func (q *stateQueue) coolingDown(a, b ticketID) bool {
	if q.players.of(a).state == StateWarmBody || q.players.of(b).state == StateWarmBody {
		return false
	}
	return q.cools(a) && q.metAny(a, b) || q.cools(b) && q.metAny(b, a)
}

// cools tells whether the ticket's last match ended less than the cool-down ago.
func (q *stateQueue) cools(t ticketID) bool {
	p := q.players.of(t)
	return p.searches > 0 && q.now.Sub(p.lastEnd) < q.own.PartnerCooldown
}

// cooledAt returns when the cool-down of a ticket that returned ends.
func (q *stateQueue) cooledAt(t ticketID) Instant {
	return q.players.of(t).lastEnd.Add(q.own.PartnerCooldown)
}

// metAny tells whether somebody of b was in the last match of a.
func (q *stateQueue) metAny(a, b ticketID) bool {
	roster := q.players.rosters.Of(q.players.of(a).last)
	members := q.players.members(b)
	for i := range members {
		if slices.Contains(roster, members[i].id) {
			return true
		}
	}
	return false
}
