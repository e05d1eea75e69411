package lifecycle

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/capture"
	"mmsim/sim/engine/internal/run"
	"mmsim/sim/engine/internal/store"
)

// reportEntered reports the start of a search.
func (q *Queue) reportEntered(t store.Ticket) {
	if !q.Watched() {
		return
	}
	q.Observers.Entered(q.Record(t))
}

// reportEnded reports a search that found no match, in the state from which it ended.
func (q *Queue) reportEnded(t store.Ticket, from, into sim.State) {
	if !q.Watched() {
		return
	}
	q.Record(t).State = from
	ended := &q.scratch.ended
	ended.At, ended.Into = q.Now(), into
	q.Observers.Ended(ended)
}

// Record returns the record of a ticket's search, which the next call reuses. Its fields are
// written where they stand: to copy a record right after it was written field by field makes
// the processor wait for these writes.
func (q *Queue) Record(t store.Ticket) *sim.Search {
	members := q.Players.Members(t)
	s := &q.scratch.ended.Search
	first := &members[0]
	s.Queue, s.Began, s.State, s.Return = q.Index, first.Began, first.State, first.Searches > 0
	s.Party, s.PartySize = uint64(first.ID), first.Size
	s.Players = s.Players[:0]
	for i := range members {
		s.Players = append(s.Players, sim.Player{})
		one := &s.Players[i]
		one.ID, one.Person = uint64(members[i].ID), members[i].Person
	}
	return s
}

// reportMatched reports a match, or the tickets that join a running one, before they change
// their state.
func (q *Queue) reportMatched(f *Group, id uint64, ends sim.Instant, backfill bool) {
	match := &q.scratch.match
	match.ID, match.Queue, match.Backfill = id, q.Index, backfill
	match.At, match.Ends = q.Now(), ends
	match.Datacenter, match.Region, match.Relaxed = f.Datacenter, f.Region, f.Relaxed
	match.Players = q.appendMatched(match.Players[:0], f)
	q.Observers.Matched(match)
}

// appendMatched appends the records of the players of a group. Their RTTs lie far apart in
// memory: a loop that does little else lets the processor fetch them side by side.
func (q *Queue) appendMatched(matched []sim.Matched, f *Group) []sim.Matched {
	team := sim.NoTeam
	for n, t := range f.Tickets {
		if f.Teams != nil {
			team = f.Teams[n]
		}
		ticket, members := q.Players.Of(t), q.Players.Members(t)
		again := ticket.Searches > 0
		repeat := again && q.metAgain(ticket)
		for i := range members {
			p := &members[i]
			matched = append(matched, sim.Matched{})
			m := &matched[len(matched)-1]
			m.ID, m.Person = uint64(p.ID), p.Person
			m.Began, m.State, m.Return, m.Repeat = ticket.Began, ticket.State, again, repeat
			m.Party, m.PartySize, m.Team = uint64(ticket.ID), ticket.Size, team
			m.Estimate, m.Best = q.playerRTT(p, f.Datacenter), sim.AddDelay(q.Places.Best[p.Place], p.LastMile)
			m.RTT = q.Jittered(m.Estimate, q.streams.jitter, p.Entity, uint64(ticket.Searches))
		}
	}
	return matched
}

// metAgain reports whether a partner of a ticket in its last match is in the one that is being
// made. Players of the same party are no partners, because they meet in every match. With
// KeepTogether the players of a party met in a match, and do count.
func (q *Queue) metAgain(ticket *store.Player) bool {
	own := uint32(ticket.Size) // the IDs of players who joined together follow each other
	if q.Own.KeepTogether {
		own = 1
	}
	return q.scratch.all.HasOneOf(q.Players.Rosters.Of(ticket.Last), ticket.ID, own)
}

// RecordProposed records a match for which its players are asked, if a scene is recorded.
func (q *Queue) RecordProposed(f *Group, id uint64, backfill bool) {
	if q.recording == nil {
		return
	}
	all := q.Observers
	q.Observers = run.Observers{q.recording}
	q.gather(f.Tickets)
	q.reportMatched(f, id, sim.Never, backfill)
	q.Observers = all
}

// RecordScene records what happens during a call into a scene, and answers the requests for
// it.
func (q *Queue) RecordScene(s *sim.Scene, call func()) {
	all := q.Observers
	q.recording = (*capture.Recorder)(s)
	q.Observers = append(slices.Clip(all), q.recording)
	call()
	q.Observers, q.recording = all, nil
	q.captures.Deliver(s)
}
