package engine

import "mmsim/sim"

// verify implements queue.
func (q *stateQueue) verify(all *verifier) {
	v := q.verifier(all)
	q.verifyWaiting(&v)
	v.finish()
}

// verifyWaiting checks the tickets that search.
func (q *stateQueue) verifyWaiting(v *matchVerifier) {
	w := &q.waiting
	for i, t := range w.ticket {
		state := q.players.of(t).state
		ideal, expand := q.reach(t)
		if want := map[sim.State]uint64{sim.StateIdeal: ideal, sim.StateExpand: expand}[state]; w.admits[i] != want || want == 0 {
			v.fail("%v ticket %d waits for datacenters %b, want %b", state, t, w.admits[i], want)
		}
		if i > 0 && q.players.of(w.ticket[i-1]).seq >= q.players.of(t).seq {
			v.fail("ticket %d stands before an older one", w.ticket[i-1])
		}
		v.visit(t, state)
	}
	for i, body := range w.warm {
		if i > 0 && q.players.of(w.warm[i-1].ticket).seq >= q.players.of(body.ticket).seq {
			v.fail("warm body %d stands before an older one", w.warm[i-1].ticket)
		}
		if state := q.players.of(body.ticket).state; state != sim.StateWarmBody {
			v.fail("warm body %d is %v", body.ticket, state)
		}
		if size := q.players.of(body.ticket).size; body.size != size {
			v.fail("warm body %d has %d players, want %d", body.ticket, body.size, size)
		}
		v.visit(body.ticket, sim.StateWarmBody)
	}
	if err := w.verifySizes(&q.players, q.places.Datacenters); err != nil {
		v.fail("%v", err)
	}
}
