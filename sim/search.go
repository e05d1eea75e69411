package sim

import "fmt"

// join implements queue.
func (q *matchQueue) join(a *Arrival) error {
	n := len(a.Members)
	if q.searches > MaxSearches {
		return fmt.Errorf("sim: more than %d searches (MaxSearches) at %.3f s", MaxSearches, a.At.Seconds())
	}
	t := q.players.alloc(n)
	for i, person := range a.Members {
		slot := t + uint32(i)
		q.players.slots[slot] = player{
			entity:   person.Entity,
			id:       q.joined,
			row:      person.Row,
			place:    person.Place,
			lastMile: q.drawLastMile(person.Entity),
			size:     uint8(n),
			state:    StateNew,
		}
		q.players.forgetPartners(slot, 0)
		q.joined++
	}
	q.online[StateNew] += n
	q.enter(t)
	return nil
}

// enter begins a search of a ticket in state NEW.
func (q *matchQueue) enter(t ticketID) {
	p, w := q.players.of(t), &q.waiting
	n := int(p.size)
	p.began = q.now
	p.seq = q.searches
	q.searches++
	q.ledger.entries += n
	q.tellEntered(t)

	if n > q.own.MatchSize {
		q.end(t, StateRejected)
		return
	}
	ideal, expand := q.reach(t)
	switch {
	case ideal != 0:
		q.become(t, StateIdeal)
		w.add(t, ideal, q.now.Add(q.cfg.IdealFor))
	case expand != 0:
		q.become(t, StateExpand)
		w.add(t, expand, q.now.Add(q.cfg.ExpandFor))
	default:
		q.become(t, StateWarmBody)
		w.addWarm(&q.players, t, q.now.Add(q.cfg.WarmBodyFor))
	}
	if n > 1 {
		w.parties++
	}
	q.passAt = min(q.passAt, q.now.ceilTo(q.cfg.Tick))
}

// reach returns the sets of datacenters within the ideal and the expand
// threshold of every player of the ticket: the worst member decides.
func (q *matchQueue) reach(t ticketID) (ideal, expand uint64) {
	ideal, expand = ^uint64(0), ^uint64(0)
	members := q.players.members(t)
	for i := range members {
		p := &members[i]
		if p.lastMile == 0 {
			reach := &q.places.Reach[p.place]
			ideal &= reach.Ideal
			expand &= reach.Expand
		} else {
			ideal &= q.places.within(p.place, q.cfg.IdealRTT, p.lastMile)
			expand &= q.places.within(p.place, q.cfg.ExpandRTT, p.lastMile)
		}
	}
	return ideal, expand
}

// rtt returns the ticket's RTT to a datacenter: that of its worst member.
func (q *matchQueue) rtt(t ticketID, dc int) RTT {
	var worst RTT
	members := q.players.members(t)
	for i := range members {
		worst = max(worst, q.playerRTT(&members[i], dc))
	}
	return worst
}

func (q *matchQueue) playerRTT(p *player, dc int) RTT {
	return plus(q.places.RTT[int(p.place)*q.places.Datacenters+dc], p.lastMile)
}

// expire moves the tickets whose time in their state is over, at a tick and
// before its pass. The next deadline is the old one plus the limit, so ticks
// cause no drift, and a ticket may pass through several states at once.
func (q *matchQueue) expire(at Instant) {
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
		}
		if deadline <= at {
			q.become(t, StateWarmBody)
			w.addWarm(&q.players, t, deadline.Add(q.cfg.WarmBodyFor))
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
func (q *matchQueue) expireWarm(at Instant) {
	w := &q.waiting
	keep := w.warm[:0]
	for _, body := range w.warm {
		if body.deadline <= at {
			q.leaveQueue(body.ticket)
			q.end(body.ticket, q.cfg.Then)
			continue
		}
		keep = append(keep, body)
		w.nextDeadline = min(w.nextDeadline, body.deadline)
	}
	w.warm = keep
}

// leaveQueue notes that a ticket does not wait any more.
func (q *matchQueue) leaveQueue(t ticketID) {
	if q.players.of(t).size > 1 {
		q.waiting.parties--
	}
}

// end ends a search without a match.
func (q *matchQueue) end(t ticketID, into State) {
	q.become(t, into)
	q.tellEnded(t, into)
	n := int(q.players.of(t).size)
	switch into {
	case StateBots:
		q.ledger.bots += n
		q.play([]ticketID{t}, n, StateBots)
		return
	case StateFailed:
		q.ledger.failed += n
	case StateRejected:
		q.ledger.rejected += n
	}
	q.players.release(t)
}

func (q *matchQueue) drawLastMile(entity uint64) RTT {
	if q.cfg.LastMileMedian == 0 {
		return 0
	}
	return lastMile(q.cfg.LastMileMedian, q.cfg.LastMileSigma, q.streams.lastMile, entity)
}
