package engine

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/roster"
)

type matchVerifier struct {
	*matchQueue
	*verifier
	seen  []bool   // by slot
	users []uint32 // of rosters
}

// verifier begins the check of the queue.
func (q *matchQueue) verifier(all *verifier) matchVerifier {
	v := matchVerifier{matchQueue: q, verifier: all, seen: make([]bool, len(q.players.slots)), users: make([]uint32, len(q.players.rosters.Users()))}
	v.users[roster.None]++ // its own
	return v
}

// finish checks everything but who searches, who must have been visited.
func (v *matchVerifier) finish() {
	v.runningMatches()
	v.freeSlots()
	if rosters := &v.players.rosters; !slices.Equal(v.users, rosters.Users()) {
		v.fail("rosters are remembered by %v tickets, counted %v", rosters.Users(), v.users)
	}
}

// visit notes the slots of a ticket that is found where tickets are in state s.
func (v *matchVerifier) visit(t ticketID, s sim.State) {
	for i := range v.players.members(t) {
		slot := t + uint32(i)
		if v.seen[slot] {
			v.fail("slot %d is in two places", slot)
		}
		if v.players.slots[slot].Slot != slot {
			v.fail("the player in slot %d believes to be in %d", slot, v.players.slots[slot].Slot)
		}
		v.seen[slot] = true
	}
	v.users[v.players.of(t).last]++
	v.counted[s] += int(v.players.of(t).size)
}

func (v *matchVerifier) runningMatches() {
	free := make(map[uint32]bool)
	for _, m := range v.matches.free {
		free[m] = true
	}
	for m := range v.matches.count {
		if free[uint32(m)] {
			continue
		}
		players, state := 0, v.matches.state[m]
		for _, t := range v.matches.of(uint32(m)) {
			if began := v.players.of(t).state; began != sim.StateBots && began != sim.StatePlaying {
				v.fail("ticket %d of match %d is %v", t, m, began)
			}
			v.visit(t, state)
			players += int(v.players.of(t).size)
		}
		if players != int(v.matches.players[m]) {
			v.fail("match %d has %d players, counted %d", m, v.matches.players[m], players)
		}
	}
	if running := len(v.matches.count) - len(v.matches.free); v.timers.Len() != running {
		v.fail("%d timers for %d matches", v.timers.Len(), running)
	}
}

func (v *matchVerifier) freeSlots() {
	for n, free := range v.players.free {
		for _, t := range free {
			for slot := t; slot < t+uint32(n); slot++ {
				if v.seen[slot] {
					v.fail("slot %d is free and in use", slot)
				}
				v.seen[slot] = true
			}
		}
	}
	for slot, seen := range v.seen {
		if !seen {
			v.fail("slot %d is nowhere", slot)
		}
	}
}
