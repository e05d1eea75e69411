package engine

import (
	"mmsim/matcher/scoring"
	"mmsim/sim"
)

// verify implements queue: every player is on one running server, each server has
// the players who are on it, nobody is on none, and whoever is online is known to be.
func (q *serverQueue) verify(v *verifier) {
	players := map[*scoring.Server]int{}
	online := 0
	for slot := range q.occupants {
		g := &q.occupants[slot]
		if g.server == nil {
			continue
		}
		if g.state != sim.StateWaiting && g.state != sim.StatePlaying {
			v.fail("player %d on server %d is %v", g.id, g.server.Sequence, g.state)
		}
		if players[g.server] == 0 {
			v.found.Seats += g.server.Capacity
		}
		players[g.server]++
		v.counted[g.state]++
		online++
	}
	for slot := range q.occupants {
		if s := q.occupants[slot].server; s != nil && s.Players() != players[s] {
			v.fail("server %d has %d players, counted %d", s.Sequence, players[s], s.Players())
		}
	}
	if online+len(q.free) != len(q.occupants) {
		v.fail("%d players and %d free slots, want %d", online, len(q.free), len(q.occupants))
	}
	if q.timers.Len() != online || q.known.byRow.Len() != online {
		v.fail("%d timers and %d entries for %d players", q.timers.Len(), q.known.byRow.Len(), online)
	}
	if len(players) != q.fleet.Running() {
		v.fail("%d servers have players, %d run", len(players), q.fleet.Running())
	}
	v.found.Running += len(players)
	v.found.Taken += online
}
