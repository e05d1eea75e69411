package sim

import "fmt"

// join takes in a party at its first appearance.
func (e *Engine) join(a *Arrival) error {
	n := len(a.Members)
	if n < 1 || n > MaxMatchSize {
		return fmt.Errorf("sim: a party of %d players at %.3f s, want 1 to %d (MaxMatchSize)", n, a.At.Seconds(), MaxMatchSize)
	}
	if e.searches > MaxSearches {
		return fmt.Errorf("sim: more than %d searches (MaxSearches) at %.3f s", MaxSearches, a.At.Seconds())
	}
	t := e.players.alloc(n)
	for i, person := range a.Members {
		if int(person.Place) >= len(e.places.Reach) {
			return fmt.Errorf("sim: place %d of an arrival at %.3f s, want below %d", person.Place, a.At.Seconds(), len(e.places.Reach))
		}
		slot := t + uint32(i)
		e.players.slots[slot] = player{
			entity:   person.Entity,
			id:       e.joined,
			row:      person.Row,
			place:    person.Place,
			lastMile: e.drawLastMile(person.Entity),
			size:     uint8(n),
			state:    StateNew,
		}
		e.players.forgetPartners(slot, 0)
		e.joined++
	}
	e.online[StateNew] += n
	e.enter(t)
	return nil
}

// enter begins a search of a ticket in state NEW.
func (e *Engine) enter(t ticketID) {
	p, w := e.players.of(t), &e.waiting
	n := int(p.size)
	p.began = e.now
	p.seq = e.searches
	e.searches++
	e.ledger.entries += n
	e.tellEntered(t)

	if n > e.cfg.MatchSize {
		e.end(t, StateRejected)
		return
	}
	ideal, expand := e.reach(t)
	switch {
	case ideal != 0:
		e.become(t, StateIdeal)
		w.add(t, ideal, e.now.Add(e.cfg.IdealFor))
	case expand != 0:
		e.become(t, StateExpand)
		w.add(t, expand, e.now.Add(e.cfg.ExpandFor))
	default:
		e.become(t, StateWarmBody)
		w.addWarm(&e.players, t, e.now.Add(e.cfg.WarmBodyFor))
	}
	if n > 1 {
		w.parties++
	}
	e.passAt = min(e.passAt, e.now.ceilTo(e.cfg.Tick))
}

// reach returns the sets of datacenters within the ideal and the expand
// threshold of every player of the ticket: the worst member decides.
func (e *Engine) reach(t ticketID) (ideal, expand uint64) {
	ideal, expand = ^uint64(0), ^uint64(0)
	members := e.players.members(t)
	for i := range members {
		p := &members[i]
		if p.lastMile == 0 {
			reach := &e.places.Reach[p.place]
			ideal &= reach.Ideal
			expand &= reach.Expand
		} else {
			ideal &= e.places.within(p.place, e.cfg.IdealRTT, p.lastMile)
			expand &= e.places.within(p.place, e.cfg.ExpandRTT, p.lastMile)
		}
	}
	return ideal, expand
}

// rtt returns the ticket's RTT to a datacenter: that of its worst member.
func (e *Engine) rtt(t ticketID, dc int) RTT {
	var worst RTT
	members := e.players.members(t)
	for i := range members {
		worst = max(worst, e.playerRTT(&members[i], dc))
	}
	return worst
}

func (e *Engine) playerRTT(p *player, dc int) RTT {
	return plus(e.places.RTT[int(p.place)*e.places.Datacenters+dc], p.lastMile)
}

// expire moves the tickets whose time in their state is over, at a tick and
// before its pass. The next deadline is the old one plus the limit, so ticks
// cause no drift, and a ticket may pass through several states at once.
func (e *Engine) expire(at Instant) {
	w := &e.waiting
	if at < w.nextDeadline {
		return
	}
	w.nextDeadline = Never
	n := 0
	for i, t := range w.ticket {
		admits, deadline := w.admits[i], w.deadline[i]
		if deadline <= at && e.players.of(t).state == StateIdeal {
			e.become(t, StateExpand)
			_, admits = e.reach(t)
			deadline = deadline.Add(e.cfg.ExpandFor)
		}
		if deadline <= at {
			e.become(t, StateWarmBody)
			w.addWarm(&e.players, t, deadline.Add(e.cfg.WarmBodyFor))
			continue
		}
		w.ticket[n], w.admits[n], w.deadline[n] = t, admits, deadline
		w.nextDeadline = min(w.nextDeadline, deadline)
		n++
	}
	w.truncate(n)
	e.expireWarm(at)
}

// expireWarm ends the searches of the warm bodies whose time is over.
func (e *Engine) expireWarm(at Instant) {
	w := &e.waiting
	keep := w.warm[:0]
	for _, body := range w.warm {
		if body.deadline <= at {
			e.leaveQueue(body.ticket)
			e.end(body.ticket, e.cfg.Then)
			continue
		}
		keep = append(keep, body)
		w.nextDeadline = min(w.nextDeadline, body.deadline)
	}
	w.warm = keep
}

// leaveQueue notes that a ticket does not wait any more.
func (e *Engine) leaveQueue(t ticketID) {
	if e.players.of(t).size > 1 {
		e.waiting.parties--
	}
}

// end ends a search without a match.
func (e *Engine) end(t ticketID, into State) {
	e.become(t, into)
	e.tellEnded(t, into)
	n := int(e.players.of(t).size)
	switch into {
	case StateBots:
		e.ledger.bots += n
		e.play([]ticketID{t}, n, StateBots)
		return
	case StateFailed:
		e.ledger.failed += n
	case StateRejected:
		e.ledger.rejected += n
	}
	e.players.release(t)
}

func (e *Engine) drawLastMile(entity uint64) RTT {
	if e.cfg.LastMileMedian == 0 {
		return 0
	}
	return lastMile(e.cfg.LastMileMedian, e.cfg.LastMileSigma, e.streams.lastMile, entity)
}
