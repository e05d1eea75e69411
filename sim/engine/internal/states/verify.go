package states

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/world"
)

// Verify checks that every player of the queue is in exactly one place.
func (q *Queue) Verify(all *world.Verifier) {
	v := q.BeginVerify(all)
	q.verifyWaiting(&v)
	v.Finish()
}

// verifyWaiting checks the searching tickets.
func (q *Queue) verifyWaiting(v *lifecycle.Verifier) {
	w := &q.waiting
	for i, t := range w.Tickets {
		state := q.Players.Of(t).State
		ideal, expand := q.reach(t)
		if want := map[sim.State]uint64{sim.StateIdeal: ideal, sim.StateExpand: expand}[state]; w.Admits[i] != want || want == 0 {
			v.Errorf("%v ticket %d waits for datacenters %b, want %b", state, t, w.Admits[i], want)
		}
		if i > 0 && q.Players.Of(w.Tickets[i-1]).Seq >= q.Players.Of(t).Seq {
			v.Errorf("ticket %d is listed before an older one", w.Tickets[i-1])
		}
		v.Visit(t, state)
	}
	for i, body := range w.Warm {
		if i > 0 && q.Players.Of(w.Warm[i-1].Ticket).Seq >= q.Players.Of(body.Ticket).Seq {
			v.Errorf("warm body %d is listed before an older one", w.Warm[i-1].Ticket)
		}
		if state := q.Players.Of(body.Ticket).State; state != sim.StateWarmBody {
			v.Errorf("warm body %d is %v", body.Ticket, state)
		}
		if size := q.Players.Of(body.Ticket).Size; body.Size != size {
			v.Errorf("warm body %d has %d players, want %d", body.Ticket, body.Size, size)
		}
		v.Visit(body.Ticket, sim.StateWarmBody)
	}
	if err := w.VerifySizes(&q.Players, q.Places.Datacenters); err != nil {
		v.Errorf("%v", err)
	}
}
