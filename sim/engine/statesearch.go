package engine

import "mmsim/sim"

// begin implements searching: the ticket goes to the first state that admits it.
func (q *stateQueue) begin(t ticketID) {
	if !q.turns.enters(t) {
		return
	}
	w, size := &q.waiting, q.players.of(t).size
	ideal, expand := q.reach(t)
	switch {
	case ideal != 0:
		q.become(t, sim.StateIdeal)
		w.add(t, size, ideal, q.now.Add(q.cfg.IdealFor))
		q.turns.admits(t, ideal)
	case expand != 0:
		q.become(t, sim.StateExpand)
		w.add(t, size, expand, q.now.Add(q.cfg.ExpandFor))
		q.turns.admits(t, expand)
	default:
		q.become(t, sim.StateWarmBody)
		w.addWarm(&q.players, t, q.now.Add(q.cfg.WarmBodyFor))
		q.turns.admits(t, 0)
	}
	q.passAt = min(q.passAt, q.now.CeilTo(q.cfg.Tick))
}

// reach returns the sets of datacenters within the ideal and the expand
// threshold of every player of the ticket: the worst member decides.
func (q *stateQueue) reach(t ticketID) (ideal, expand uint64) {
	ideal, expand = ^uint64(0), ^uint64(0)
	members := q.players.members(t)
	for i := range members {
		p := &members[i]
		if p.lastMile == 0 {
			reach := &q.places.Reach[p.Place]
			ideal &= reach.Ideal
			expand &= reach.Expand
		} else {
			ideal &= q.places.Within(p.Place, q.cfg.IdealRTT, p.lastMile)
			expand &= q.places.Within(p.Place, q.cfg.ExpandRTT, p.lastMile)
		}
	}
	return ideal, expand
}

// expire moves the tickets whose time in their state is over, at a tick and
// before its pass. The next deadline is the old one plus the limit, so ticks
// cause no drift, and a ticket may pass through several states at once.
func (q *stateQueue) expire() {
	w, at := &q.waiting, q.now
	if at < w.nextDeadline {
		return
	}
	w.nextDeadline = sim.Never
	n := 0
	for i, t := range w.ticket {
		admits, deadline := w.admits[i], w.deadline[i]
		if deadline <= at && q.players.of(t).state == sim.StateIdeal {
			q.become(t, sim.StateExpand)
			w.count(q.players.of(t).size, admits, -1)
			_, admits = q.reach(t)
			w.count(q.players.of(t).size, admits, 1)
			deadline = deadline.Add(q.cfg.ExpandFor)
			q.turns.admits(t, admits)
		}
		if deadline <= at {
			w.count(q.players.of(t).size, admits, -1)
			q.become(t, sim.StateWarmBody)
			w.addWarm(&q.players, t, deadline.Add(q.cfg.WarmBodyFor))
			q.turns.admits(t, 0)
			continue
		}
		w.ticket[n], w.admits[n], w.deadline[n] = t, admits, deadline
		w.nextDeadline = min(w.nextDeadline, deadline)
		n++
	}
	w.truncate(n)
	q.expireWarm()
}

// expireWarm ends the searches of the warm bodies whose time is over.
//
// It looks at the oldest only. Warm bodies stand in the order in which their searches began.
// A search becomes a warm body's between its beginning and IdealFor + ExpandFor later, and
// remains one for WarmBodyFor. So the deadline of a younger warm body is at most
// IdealFor + ExpandFor earlier than that of an older one.
func (q *stateQueue) expireWarm() {
	w, at := &q.waiting, q.now
	spread := q.cfg.IdealFor + q.cfg.ExpandFor
	first, looked, kept := sim.Never, 0, 0
	for ; looked < len(w.warm) && w.warm[looked].deadline.Add(-spread) < first; looked++ {
		body := w.warm[looked]
		if body.deadline <= at {
			w.countWarm(body.size, -1)
			q.turns.leaves(body.ticket)
			q.end(body.ticket, q.cfg.Then)
			continue
		}
		w.warm[kept] = body
		kept++
		first = min(first, body.deadline)
	}
	w.nextDeadline = min(w.nextDeadline, first)
	// Moving the few that stay up costs less than moving all younger ones down.
	copy(w.warm[looked-kept:looked], w.warm[:kept])
	w.warm = w.warm[looked-kept:]
}
