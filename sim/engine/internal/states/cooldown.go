package states

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// coolingDown reports whether two tickets must not meet yet. This is the case if they met in the
// last match of either ticket, and if that match ended less than PartnerCooldown ago. Warm bodies
// may meet any ticket.
func (q *exactTurns) coolingDown(a, b lifecycle.Ticket) bool {
	if q.Players.Of(a).State == sim.StateWarmBody || q.Players.Of(b).State == sim.StateWarmBody {
		return false
	}
	return q.inCoolDown(a) && q.metAny(a, b) || q.inCoolDown(b) && q.metAny(b, a)
}

// inCoolDown reports whether a ticket's last match ended less than PartnerCooldown ago.
func (q *exactTurns) inCoolDown(t lifecycle.Ticket) bool {
	p := q.Players.Of(t)
	return p.Searches > 0 && q.Now().Sub(p.LastEnd) < q.Own.PartnerCooldown
}

// cooledAt returns the end of the cool-down of a ticket that has played before.
func (q *exactTurns) cooledAt(t lifecycle.Ticket) sim.Instant {
	return q.Players.Of(t).LastEnd.Add(q.Own.PartnerCooldown)
}

// metAny reports whether a player of b was in the last match of a.
func (q *exactTurns) metAny(a, b lifecycle.Ticket) bool {
	roster := q.Players.Rosters.Of(q.Players.Of(a).Last)
	members := q.Players.Members(b)
	for i := range members {
		if slices.Contains(roster, members[i].ID) {
			return true
		}
	}
	return false
}
