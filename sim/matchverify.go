package sim

// verify implements queue.
func (q *matchQueue) verify(all *verifier) {
	v := matchVerifier{matchQueue: q, verifier: all, seen: make([]bool, len(q.players.slots))}
	v.waitingTickets()
	v.runningMatches()
	v.freeSlots()
}

type matchVerifier struct {
	*matchQueue
	*verifier
	seen []bool // by slot
}

// visit notes the slots of a ticket that is found where tickets are in state s.
func (v *matchVerifier) visit(t ticketID, s State) {
	for i := range v.players.members(t) {
		slot := t + uint32(i)
		if v.seen[slot] {
			v.fail("slot %d is in two places", slot)
		}
		v.seen[slot] = true
	}
	v.counted[s] += int(v.players.of(t).size)
}

func (v *matchVerifier) waitingTickets() {
	w, parties := &v.waiting, 0
	count := func(t ticketID) {
		if v.players.of(t).size > 1 {
			parties++
		}
	}
	for i, t := range w.ticket {
		state := v.players.of(t).state
		ideal, expand := v.reach(t)
		if want := map[State]uint64{StateIdeal: ideal, StateExpand: expand}[state]; w.admits[i] != want || want == 0 {
			v.fail("%v ticket %d waits for datacenters %b, want %b", state, t, w.admits[i], want)
		}
		if i > 0 && v.players.of(w.ticket[i-1]).seq >= v.players.of(t).seq {
			v.fail("ticket %d stands before an older one", w.ticket[i-1])
		}
		v.visit(t, state)
		count(t)
	}
	for i, body := range w.warm {
		if i > 0 && v.players.of(w.warm[i-1].ticket).seq >= v.players.of(body.ticket).seq {
			v.fail("warm body %d stands before an older one", w.warm[i-1].ticket)
		}
		if state := v.players.of(body.ticket).state; state != StateWarmBody {
			v.fail("warm body %d is %v", body.ticket, state)
		}
		v.visit(body.ticket, StateWarmBody)
		count(body.ticket)
	}
	if parties != w.parties {
		v.fail("%d parties wait, counted %d", w.parties, parties)
	}
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
			if began := v.players.of(t).state; began != StateBots && began != StatePlaying {
				v.fail("ticket %d of match %d is %v", t, m, began)
			}
			v.visit(t, state)
			players += int(v.players.of(t).size)
		}
		if players != int(v.matches.players[m]) {
			v.fail("match %d has %d players, counted %d", m, v.matches.players[m], players)
		}
	}
	if running := len(v.matches.count) - len(v.matches.free); v.timers.len() != running {
		v.fail("%d timers for %d matches", v.timers.len(), running)
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
