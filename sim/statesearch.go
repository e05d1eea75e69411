package sim

// begin implements searching: the ticket goes to the first state that admits it.
func (q *stateQueue) begin(t ticketID) {
	if !q.turns.enters(t) {
		return
	}
	w, n := &q.waiting, int(q.players.of(t).size)
	ideal, expand := q.reach(t)
	switch {
	case ideal != 0:
		q.become(t, StateIdeal)
		w.add(t, ideal, q.now.Add(q.cfg.IdealFor))
		q.turns.admits(t, ideal)
	case expand != 0:
		q.become(t, StateExpand)
		w.add(t, expand, q.now.Add(q.cfg.ExpandFor))
		q.turns.admits(t, expand)
	default:
		q.become(t, StateWarmBody)
		w.addWarm(&q.players, t, q.now.Add(q.cfg.WarmBodyFor))
		q.turns.admits(t, 0)
	}
	if n > 1 {
		w.parties++
	}
	q.passAt = min(q.passAt, q.now.ceilTo(q.cfg.Tick))
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
			ideal &= q.places.within(p.Place, q.cfg.IdealRTT, p.lastMile)
			expand &= q.places.within(p.Place, q.cfg.ExpandRTT, p.lastMile)
		}
	}
	return ideal, expand
}

// expire moves the tickets whose time in their state is over, at a tick and
// before its pass. The next deadline is the old one plus the limit, so ticks
// cause no drift, and a ticket may pass through several states at once.
func (q *stateQueue) expire(at Instant) {
	w := &q.waiting
	if at < w.nextDeadline {
		return
	}
	w.nextDeadline = Never
	n := 0
	for i, t := range w.ticket {
		admits, deadline := w.admits[i], w.deadline[i]
		if deadline <= at && q.players.of(t).state == StateIdeal {
			q.become(t, StateExpand)
			_, admits = q.reach(t)
			deadline = deadline.Add(q.cfg.ExpandFor)
			q.turns.admits(t, admits)
		}
		if deadline <= at {
			q.become(t, StateWarmBody)
			w.addWarm(&q.players, t, deadline.Add(q.cfg.WarmBodyFor))
			q.turns.admits(t, 0)
			continue
		}
		w.ticket[n], w.admits[n], w.deadline[n] = t, admits, deadline
		w.nextDeadline = min(w.nextDeadline, deadline)
		n++
	}
	w.truncate(n)
	q.expireWarm(at)
}

// expireWarm ends the searches of the warm bodies whose time is over.
func (q *stateQueue) expireWarm(at Instant) {
	w := &q.waiting
	keep := w.warm[:0]
	for _, body := range w.warm {
		if body.deadline <= at {
			q.leaveQueue(body.ticket)
			q.turns.leaves(body.ticket)
			q.end(body.ticket, q.cfg.Then)
			continue
		}
		keep = append(keep, body)
		w.nextDeadline = min(w.nextDeadline, body.deadline)
	}
	w.warm = keep
}

// leaveQueue notes that a ticket does not wait any more.
func (q *stateQueue) leaveQueue(t ticketID) {
	if q.players.of(t).size > 1 {
		q.waiting.parties--
	}
}
