package sim

// verify implements queue.
func (q *stateQueue) verify(all *verifier) {
	v := q.verifier(all)
	q.verifyWaiting(&v)
	v.finish()
}

// verifyWaiting checks who searches.
func (q *stateQueue) verifyWaiting(v *matchVerifier) {
	w, parties := &q.waiting, 0
	count := func(t ticketID) {
		if q.players.of(t).size > 1 {
			parties++
		}
	}
	for i, t := range w.ticket {
		state := q.players.of(t).state
		ideal, expand := q.reach(t)
		if want := map[State]uint64{StateIdeal: ideal, StateExpand: expand}[state]; w.admits[i] != want || want == 0 {
			v.fail("%v ticket %d waits for datacenters %b, want %b", state, t, w.admits[i], want)
		}
		if i > 0 && q.players.of(w.ticket[i-1]).seq >= q.players.of(t).seq {
			v.fail("ticket %d stands before an older one", w.ticket[i-1])
		}
		v.visit(t, state)
		count(t)
	}
	for i, body := range w.warm {
		if i > 0 && q.players.of(w.warm[i-1].ticket).seq >= q.players.of(body.ticket).seq {
			v.fail("warm body %d stands before an older one", w.warm[i-1].ticket)
		}
		if state := q.players.of(body.ticket).state; state != StateWarmBody {
			v.fail("warm body %d is %v", body.ticket, state)
		}
		v.visit(body.ticket, StateWarmBody)
		count(body.ticket)
	}
	if parties != w.parties {
		v.fail("%d parties wait, counted %d", w.parties, parties)
	}
}
