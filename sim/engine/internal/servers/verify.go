package servers

import (
	"mmsim/matcher/scoring"
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Verify checks that every player is on exactly one running server, that each server's player count
// is right, that no server is empty, and that the acquaintances have as many entries as there are
// players.
func (q *Queue) Verify(v *world.Verifier) {
	players := map[*scoring.Server]int{}
	online, between := 0, 0
	for slot := range q.occupants {
		g := &q.occupants[slot]
		if g.state == sim.StateBetween {
			v.Counted[g.state]++
			between++
		}
		if g.server == nil {
			continue
		}
		if g.state != sim.StateWaiting && g.state != sim.StatePlaying {
			v.Errorf("player %d on server %d is %v", g.id, g.server.Sequence, g.state)
		}
		if players[g.server] == 0 {
			v.Found.Seats += g.server.Capacity
		}
		players[g.server]++
		v.Counted[g.state]++
		online++
	}
	for slot := range q.occupants {
		if s := q.occupants[slot].server; s != nil && s.Players() != players[s] {
			v.Errorf("server %d has %d players, counted %d", s.Sequence, players[s], s.Players())
		}
	}
	if online+between+len(q.free) != len(q.occupants) {
		v.Errorf("%d players and %d free slots, want %d", online+between, len(q.free), len(q.occupants))
	}
	if q.back.Len() != between {
		v.Errorf("%d timers for %d players who come back", q.back.Len(), between)
	}
	if q.starts.Len()+q.ends.Len() != online || q.known.byRow.Len() != online {
		v.Errorf("%d timers and %d entries for %d players", q.starts.Len()+q.ends.Len(), q.known.byRow.Len(), online)
	}
	if len(players) != q.fleet.Running() {
		v.Errorf("%d servers have players, %d run", len(players), q.fleet.Running())
	}
	v.Found.Running += len(players)
	v.Found.Taken += online
}
