package lifecycle

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// reportEntered reports the start of a search.
func (q *Queue) reportEntered(t Ticket) {
	if !q.Watched() {
		return
	}
	q.Observers.Entered(q.Record(t))
}

// reportEnded reports a search that ended without a match. from is the state that it left.
func (q *Queue) reportEnded(t Ticket, from, into sim.State) {
	if !q.Watched() {
		return
	}
	q.Record(t).State = from
	ended := &q.scratch.ended
	ended.At, ended.Into = q.Now(), into
	q.Observers.Ended(ended)
}

// Record returns the record of a ticket's search. The next call overwrites it. Record writes the
// fields directly into the shared record: filling a local struct and copying it would make the
// processor wait for the preceding writes.
func (q *Queue) Record(t Ticket) *sim.Search {
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

// reportMatched reports a match, or the tickets that join a running one. It must be called before
// the tickets change their state.
func (q *Queue) reportMatched(f *Group, id uint64, ends sim.Instant) {
	season := q.Config.Season
	if season == nil && !q.Watched() {
		return
	}
	match := q.describeMatch(f, id, ends)
	if season != nil {
		season.Started(match)
	}
	if q.Watched() {
		q.Observers.Matched(match)
	}
}

// describeMatch returns the record of a match. The next call overwrites it.
func (q *Queue) describeMatch(f *Group, id uint64, ends sim.Instant) *sim.Match {
	match := &q.scratch.match
	match.ID, match.Queue, match.Backfill = id, q.Index, f.Backfill
	match.At, match.Ends = q.Now(), ends
	match.Datacenter, match.Region, match.Relaxed = f.Datacenter, f.Region, f.Relaxed
	match.Players = q.appendMatched(match.Players[:0], f)
	if q.missing != nil && ends != sim.Never { // Never: the match is only proposed
		q.reportMissing(match, f.Tickets)
	}
	return match
}

// appendMatched appends the records of a group's players. Their RTTs are far apart in memory. The
// loop does little else, so the processor can fetch several of them in parallel.
func (q *Queue) appendMatched(matched []sim.Matched, f *Group) []sim.Matched {
	team, jitters, slows := sim.NoTeam, q.Config.JitterSD > 0, q.mayBeSlow()
	rtts, all, usable := q.Places.RTT[f.Datacenter:], q.Places.Best, q.BestUsable()
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
			m.Estimate = sim.AddDelay(rtts[int(p.Place)*q.Places.Datacenters], p.LastMile)
			m.Best, m.BestOfAll = sim.AddDelay(usable[p.Place], p.LastMile), sim.AddDelay(all[p.Place], p.LastMile)
			m.RTT = m.Estimate
			if slows {
				q.addLatency(m, p, f.Datacenter)
			}
			if jitters {
				m.RTT = q.Jittered(m.RTT, q.streams.jitter, q.VisitKey(&p.Person), uint64(ticket.Searches))
			}
		}
	}
	return matched
}

// addLatency completes the RTTs of a player in a match that starts now with what events add to them. The
// RTT of the match is as it is now. The others are as they were measured.
func (q *Queue) addLatency(m *sim.Matched, p *Player, dc int) {
	measured, now := q.MeasuredAt(p), q.Measure(p.Place)
	if measured == 0 && now == 0 {
		return
	}
	m.RTT = sim.AddDelay(m.RTT, q.Added(now, p.Place, dc))
	m.Estimate = sim.AddDelay(m.Estimate, q.Added(measured, p.Place, dc))
	best, ofAll := q.Best(measured, p.Place)
	m.Best, m.BestOfAll = sim.AddDelay(best, p.LastMile), sim.AddDelay(ofAll, p.LastMile)
}

// metAgain reports whether the match that the ticket starts or joins includes a player from the
// ticket's last match. Players of the ticket's own party do not count, because they meet in every
// match. With KeepTogether they do count, because they became a party by meeting in a match.
func (q *Queue) metAgain(ticket *Player) bool {
	own := uint32(ticket.Size) // players who joined together have consecutive IDs
	if q.Own.KeepTogether {
		own = 1
	}
	return q.scratch.all.HasOneOf(q.Players.Rosters.Of(ticket.Last), ticket.ID, own)
}

// recordProposed records a proposed match if a scene is being recorded.
func (q *Queue) recordProposed(f *Group) {
	if q.recording == nil {
		return
	}
	id := q.Matches()
	if f.Backfill {
		id = f.MatchID
	}
	all := q.Observers
	q.Observers = world.Observers{q.recording}
	q.gather(f.Tickets)
	q.Observers.Matched(q.describeMatch(f, id, sim.Never))
	q.Observers = all
}

// RecordScene runs call, records in s what happens, and then passes s to everyone who asked to
// capture it.
func (q *Queue) RecordScene(s *sim.Scene, call func()) {
	all := q.Observers
	q.recording = (*world.SceneRecorder)(s)
	q.Observers = append(slices.Clip(all), q.recording)
	call()
	q.Observers, q.recording = all, nil
	q.captures.Deliver(s)
}
