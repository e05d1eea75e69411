package engine

import (
	"slices"

	"mmsim/sim"
)

// reportEntered reports the start of a search.
func (q *matchQueue) reportEntered(t ticketID) {
	if !q.watched() {
		return
	}
	s := q.search(t)
	q.observers.entered(s)
}

// reportEnded reports a search that found no match, in the state from which it ended.
func (q *matchQueue) reportEnded(t ticketID, from, into sim.State) {
	if !q.watched() {
		return
	}
	q.search(t).State = from
	ended := &q.scratch.ended
	ended.At, ended.Into = q.now, into
	q.observers.ended(ended)
}

// search fills in the record of a ticket's search. Records are filled in where they stand:
// whoever copies what was written just before in smaller pieces waits until it is there.
func (q *matchQueue) search(t ticketID) *sim.Search {
	members := q.players.members(t)
	s := &q.scratch.ended.Search
	first := &members[0]
	s.Queue, s.Began, s.State, s.Return = q.index, first.began, first.state, first.searches > 0
	s.Party, s.PartySize = uint64(first.id), first.size
	s.Players = s.Players[:0]
	for i := range members {
		s.Players = append(s.Players, sim.Player{})
		one := &s.Players[i]
		one.ID, one.Person = uint64(members[i].id), members[i].Person
	}
	return s
}

// reportMatched reports a match, or who joins a running one, before the tickets change.
func (q *matchQueue) reportMatched(f *formed, id uint64, ends sim.Instant, backfill bool) {
	match := &q.scratch.match
	match.ID, match.Queue, match.Backfill = id, q.index, backfill
	match.At, match.Ends = q.now, ends
	match.Datacenter, match.Region, match.Relaxed = f.datacenter, f.region, f.relaxed
	match.Players = q.appendMatched(match.Players[:0], f)
	q.observers.matched(match)
}

// appendMatched appends the records of those who are matched. RTTs of players
// anywhere are all over the memory: a loop that hardly does more lets the processor fetch
// them side by side.
func (q *matchQueue) appendMatched(matched []sim.Matched, f *formed) []sim.Matched {
	team := sim.NoTeam
	for n, t := range f.tickets {
		if f.teams != nil {
			team = f.teams[n]
		}
		ticket, members := q.players.of(t), q.players.members(t)
		again := ticket.searches > 0
		repeat := again && q.metAgain(ticket)
		for i := range members {
			p := &members[i]
			matched = append(matched, sim.Matched{})
			m := &matched[len(matched)-1]
			m.ID, m.Person = uint64(p.id), p.Person
			m.Began, m.State, m.Return, m.Repeat = ticket.began, ticket.state, again, repeat
			m.Party, m.PartySize, m.Team = uint64(ticket.id), ticket.size, team
			m.Estimate, m.Best = q.playerRTT(p, f.datacenter), sim.AddDelay(q.places.Best[p.Place], p.lastMile)
			m.RTT = q.jittered(m.Estimate, q.streams.jitter, p.Entity, uint64(ticket.searches))
		}
	}
	return matched
}

// metAgain tells whether a partner of a ticket in its last match is in the one that is
// being made. Who came in the same party is no partner: a party meets itself every time.
// With KeepTogether parties are whoever met once, and count.
func (q *matchQueue) metAgain(ticket *player) bool {
	own := uint32(ticket.size) // the ids of those who came together are one after the other
	if q.own.KeepTogether {
		own = 1
	}
	return q.scratch.all.HasOneOf(q.players.rosters.Of(ticket.last), ticket.id, own)
}

// recordProposed records a match about which its players are asked, if a scene is recorded.
func (q *matchQueue) recordProposed(f *formed, id uint64, backfill bool) {
	if q.recording == nil {
		return
	}
	all := q.observers
	q.observers = observers{q.recording}
	q.gather(f.tickets)
	q.reportMatched(f, id, sim.Never, backfill)
	q.observers = all
}

// record records what happens during a call into a scene, and delivers it to those who
// asked for it.
func (q *matchQueue) record(s *sim.Scene, happen func()) {
	all := q.observers
	q.recording = (*recorder)(s)
	q.observers = append(slices.Clip(all), q.recording)
	happen()
	q.observers, q.recording = all, nil
	q.captures.deliver(s)
}
