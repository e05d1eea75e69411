package engine

import (
	"slices"

	"mmsim/sim"
)

// coolingDown tells whether two tickets met in the last match of one of them that ended
// less than the cool-down ago. Warm bodies may meet any ticket.
func (q *packedTurns) coolingDown(a, b ticketID) bool {
	if q.players.of(a).state == sim.StateWarmBody || q.players.of(b).state == sim.StateWarmBody {
		return false
	}
	return q.cools(a) && q.metAny(a, b) || q.cools(b) && q.metAny(b, a)
}

// cools tells whether the ticket's last match ended less than the cool-down ago.
func (q *packedTurns) cools(t ticketID) bool {
	p := q.players.of(t)
	return p.searches > 0 && q.now.Sub(p.lastEnd) < q.own.PartnerCooldown
}

// cooledAt returns when the cool-down of a ticket that returned ends.
func (q *packedTurns) cooledAt(t ticketID) sim.Instant {
	return q.players.of(t).lastEnd.Add(q.own.PartnerCooldown)
}

// metAny tells whether a player of b was in the last match of a.
func (q *packedTurns) metAny(a, b ticketID) bool {
	roster := q.players.rosters.Of(q.players.of(a).last)
	members := q.players.members(b)
	for i := range members {
		if slices.Contains(roster, members[i].id) {
			return true
		}
	}
	return false
}
