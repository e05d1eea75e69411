package engine

import "mmsim/sim"

// formed is a match as it is decided on.
type formed struct {
	datacenter int
	tickets    []ticketID
	teams      []int16       // by ticket: the team it is in; nil: no sides
	region     int           // see Match
	relaxed    []sim.Relaxed // see Match
}

// ticketsOf returns the tickets of a match that is being played or in its pause.
func (q *matchQueue) ticketsOf(match uint32) []ticketID { return q.matches.of(match) }

// playersIn returns the number of players of a match.
func (q *matchQueue) playersIn(match uint32) int { return int(q.matches.players[match]) }

// playing tells whether a match is being played.
func (q *matchQueue) playing(match uint32) bool { return q.matches.state[match] == sim.StatePlaying }

// startMatch puts tickets together, and returns the match.
func (q *matchQueue) startMatch(f *formed) uint32 {
	q.gather(f.tickets)
	ends := q.matchEnd(f.tickets)
	if q.watched() {
		q.reportMatched(f, q.made, ends, false)
	}
	q.seat(f.tickets)
	q.remember(f.tickets)
	q.made++
	return q.play(f.tickets, len(q.scratch.all.IDs), sim.StatePlaying, ends)
}

// joinMatch lets tickets play in a running match until its end.
func (q *matchQueue) joinMatch(match uint32, id uint64, f *formed) {
	there := int(q.matches.count[match])
	q.matches.add(match, f.tickets)
	all := q.matches.of(match)
	q.gather(all)
	if q.watched() {
		q.reportMatched(f, id, q.matches.ends[match], true)
	}
	q.seat(f.tickets)
	q.remember(all)
	for _, t := range all[there:] {
		q.matches.players[match] += uint16(q.players.of(t).size)
	}
}

// seat makes players of those who searched.
func (q *matchQueue) seat(tickets []ticketID) {
	for _, t := range tickets {
		q.become(t, sim.StatePlaying)
		q.ledger.ended[sim.StatePlaying] += int(q.players.of(t).size)
	}
}

// play starts a match of tickets, or in StateBots one against bots: no match in
// the results, but as long as one.
func (q *matchQueue) play(tickets []ticketID, players int, s sim.State, ends sim.Instant) uint32 {
	match := q.matches.alloc(tickets, players, s, ends)
	q.timers.Push(int64(ends), timerMatchEnd, match)
	return match
}

// matchEnd returns the end of a match that starts now.
func (q *matchQueue) matchEnd(tickets []ticketID) sim.Instant {
	entity, k := q.lengthKey(tickets)
	return q.now.Add(q.own.MatchLength.Draw(q.streams.matchLength, entity, k))
}

// lengthKey names a match by the player who searched longest, so that the same
// player's match takes as long in another configuration.
func (q *matchQueue) lengthKey(tickets []ticketID) (entity, k uint64) {
	oldest := q.players.of(tickets[0])
	for _, t := range tickets[1:] {
		if p := q.players.of(t); p.seq < oldest.seq {
			oldest = p
		}
	}
	return oldest.Entity, uint64(oldest.searches)
}

// gather lists the players of the tickets.
func (q *matchQueue) gather(tickets []ticketID) {
	all := &q.scratch.all
	all.Reset()
	for _, t := range tickets {
		members := q.players.members(t)
		for i := range members {
			all.Add(members[i].id)
		}
	}
}

// remember writes down for the tickets of a match who is in it. All have been gathered.
func (q *matchQueue) remember(tickets []ticketID) {
	rosters := &q.players.rosters
	roster := rosters.Alloc(q.scratch.all.IDs, len(tickets))
	for _, t := range tickets {
		p := q.players.of(t)
		rosters.Drop(p.last)
		p.last = roster
	}
}

// endMatch sends the players of a match into the pause.
func (q *matchQueue) endMatch(match uint32) {
	q.way.ending(match)
	if q.own.KeepTogether && q.matches.count[match] > 1 {
		q.unite(match)
	}
	state, players := &q.matches.state[match], int(q.matches.players[match])
	q.online.move(players, *state, sim.StateBetween)
	*state = sim.StateBetween
	q.timers.Push(int64(q.now.Add(q.cfg.Between)), timerReturn, match)
}

// unite replaces the tickets of a match by one party of all its players.
func (q *matchQueue) unite(match uint32) {
	p := &q.players
	tickets, players := q.matches.of(match), int(q.matches.players[match])
	party := p.alloc(players)
	slot := party
	for _, t := range tickets {
		for _, one := range p.members(t) {
			one.Slot = slot
			p.slots[slot] = one
			slot++
		}
	}
	first := p.of(party)
	first.size, first.state = uint8(players), sim.StatePlaying
	p.rosters.Hold(first.last)
	for _, t := range tickets {
		p.release(t)
	}
	tickets[0] = party
	q.matches.count[match] = 1
}

// returnFrom ends the pause after a match: every ticket draws once whether it
// plays again and searches on its own.
func (q *matchQueue) returnFrom(match uint32) {
	tickets := q.matches.of(match)
	// The players were last touched a match ago and are out of the caches. A loop
	// that does nothing else lets the processor fetch them side by side.
	for _, t := range tickets {
		p := q.players.of(t)
		p.state, p.lastEnd = sim.StateBetween, q.now.Add(-q.cfg.Between)
	}
	for _, t := range tickets {
		p := q.players.of(t)
		if q.streams.playAgain.Uniform(p.Entity, uint64(p.searches)) >= q.cfg.PlayAgain {
			q.become(t, sim.StateLeft)
			q.players.release(t)
			continue
		}
		q.become(t, sim.StateNew)
		p.searches++
		q.enter(t)
	}
	q.matches.release(match)
}
