package lifecycle

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Verifier checks that every ticket of a queue is in exactly one place.
type Verifier struct {
	*Queue
	*world.Verifier
	seen  []bool   // by slot
	users []uint32 // number of tickets that use each roster
}

// BeginVerify begins a check. The caller must visit all tickets that wait in its queues and then call
// Finish.
func (q *Queue) BeginVerify(all *world.Verifier) Verifier {
	v := Verifier{Queue: q, Verifier: all, seen: make([]bool, len(q.Players.Slots)), users: make([]uint32, len(q.Players.Rosters.Users()))}
	v.users[NoRoster]++ // NoRoster is never free
	return v
}

// Finish visits the tickets in proposals and matches, and those that pause alone. It then checks that
// every slot was visited once or is free.
func (v *Verifier) Finish() {
	v.runningMatches()
	if v.missing != nil {
		v.missing.returns.Each(func(t world.Timer) { v.Visit(t.Payload, sim.StateBetween) })
	}
	v.VisitAsked(func(t Ticket) { v.Visit(t, v.Players.Of(t).State) })
	if v.asking != nil {
		v.asking.returns.Each(func(t world.Timer) { v.Visit(t.Payload, sim.StateBetween) })
	}
	v.freeSlots()
	if rosters := &v.Players.Rosters; !slices.Equal(v.users, rosters.Users()) {
		v.Errorf("rosters are remembered by %v tickets, counted %v", rosters.Users(), v.users)
	}
}

// Visit counts a ticket in state s, and notes an error if the ticket was visited before.
func (v *Verifier) Visit(t Ticket, s sim.State) {
	for i := range v.Players.Members(t) {
		slot := t + uint32(i)
		if v.seen[slot] {
			v.Errorf("slot %d is in two places", slot)
		}
		if v.Players.Slots[slot].Slot != slot {
			v.Errorf("the player in slot %d has noted %d", slot, v.Players.Slots[slot].Slot)
		}
		v.seen[slot] = true
	}
	v.users[v.Players.Of(t).Last]++
	v.Counted[s] += int(v.Players.Of(t).Size)
}

func (v *Verifier) runningMatches() {
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
			if began := v.Players.Of(t).State; began != sim.StateBots && began != sim.StatePlaying {
				v.Errorf("ticket %d of match %d is %v", t, m, began)
			}
			v.Visit(t, state)
			players += int(v.Players.Of(t).Size)
		}
		if players != int(v.matches.players[m]) {
			v.Errorf("match %d has %d players, counted %d", m, v.matches.players[m], players)
		}
	}
	if running, timers := len(v.matches.count)-len(v.matches.free), v.ends.Len()+v.returns.Len(); timers != running {
		v.Errorf("%d timers for %d matches", timers, running)
	}
}

func (v *Verifier) freeSlots() {
	for n, free := range v.Players.Free {
		for _, t := range free {
			for slot := t; slot < t+uint32(n); slot++ {
				if v.seen[slot] {
					v.Errorf("slot %d is free and in use", slot)
				}
				v.seen[slot] = true
			}
		}
	}
	for slot, seen := range v.seen {
		if !seen {
			v.Errorf("slot %d is nowhere", slot)
		}
	}
}
