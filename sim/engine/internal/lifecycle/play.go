package lifecycle

import (
	"mmsim/matcher"
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Group is a set of tickets that will play together.
type Group struct {
	Datacenter int
	Tickets    []Ticket
	Teams      []int16       // team of each ticket; nil if there are no teams
	Region     int           // see sim.Match
	Relaxed    []sim.Relaxed // see sim.Match
	Ref        matcher.Ref   // of the proposal of an external matchmaker

	// The following fields are set if the tickets join a running match.
	Backfill bool
	Match    uint32 // handle of the match
	MatchID  uint64
	Refills  int // how many of the players take seats that became empty in the match
}

// TicketsOf returns the tickets of a match that is being played or has ended and is in its pause.
func (q *Queue) TicketsOf(match uint32) []Ticket { return q.matches.of(match) }

// PlayersIn returns the number of players of a match.
func (q *Queue) PlayersIn(match uint32) int { return int(q.matches.players[match]) }

// Playing reports whether a match is being played.
func (q *Queue) Playing(match uint32) bool { return q.matches.state[match] == sim.StatePlaying }

// StartMatch starts a match and returns its handle, which is valid until the players return.
func (q *Queue) StartMatch(f *Group) uint32 {
	q.gather(f.Tickets)
	ends := q.matchEnd(f.Tickets)
	if q.missing != nil {
		ends = q.foresee(f.Datacenter, f.Tickets, ends)
	}
	q.reportMatched(f, q.Matches(), ends)
	q.seat(f.Tickets)
	q.remember(f.Tickets)
	q.AddMatch()
	match := q.play(f.Tickets, len(q.scratch.all.IDs), sim.StatePlaying, ends)
	if q.Config.Season != nil {
		q.keepTeams(match, f)
	}
	if q.missing != nil {
		q.scheduleLeaves(match, f.Tickets)
	}
	return match
}

// JoinMatch adds tickets to a running match, in which they then play until its end.
func (q *Queue) JoinMatch(f *Group) {
	match := f.Match
	there := int(q.matches.count[match])
	q.matches.add(match, f.Tickets)
	all := q.matches.of(match)
	q.gather(all)
	if q.missing != nil {
		q.foreseeJoin(f)
	}
	if q.Config.Season != nil {
		q.keepTeams(match, f)
	}
	q.reportMatched(f, f.MatchID, q.matches.ends[match])
	q.seat(f.Tickets)
	q.remember(all)
	if q.missing != nil {
		q.scheduleLeaves(match, f.Tickets)
	}
	for _, t := range all[there:] {
		q.matches.players[match] += uint16(q.Players.Of(t).Size)
	}
}

// seat ends the searches of tickets that start to play.
func (q *Queue) seat(tickets []Ticket) {
	for _, t := range tickets {
		q.Become(t, sim.StatePlaying)
		q.SearchesEnd(int(q.Players.Of(t).Size), sim.StatePlaying)
	}
}

// play stores a match that lasts until the given instant, and schedules its end. If s is StateBots,
// the tickets play against bots, and the results do not count a match.
func (q *Queue) play(tickets []Ticket, players int, s sim.State, ends sim.Instant) uint32 {
	match := q.matches.alloc(tickets, players, s, ends)
	q.ends.Push(ends, match)
	return match
}

// playBots starts a match against bots. It is in no datacenter, so that only a maintenance cuts it short.
func (q *Queue) playBots(t Ticket) {
	tickets := []Ticket{t}
	ends, from := q.matchEnd(tickets), missingFrom{}
	if cut := q.Cut(world.NoDatacenter); cut.At < ends {
		ends, from = cut.At, missingFrom{cut: true, event: uint8(cut.Event + 1)}
	}
	match := q.play(tickets, int(q.Players.Of(t).Size), sim.StateBots, ends)
	if q.missing != nil {
		q.matches.missing[match] = from
	}
}

// matchEnd returns the end of a match that starts now.
func (q *Queue) matchEnd(tickets []Ticket) sim.Instant {
	if q.Own.MatchLength.SD == 0 {
		return q.Now().Add(q.Own.MatchLength.Mean)
	}
	return q.Now().Add(q.drawLength(tickets))
}

// drawLength draws the length of a match. The key of the draw comes from the player who has searched
// longest. So if the same player searches longest in another configuration, the match has the same
// length there.
func (q *Queue) drawLength(tickets []Ticket) sim.Duration {
	oldest := q.Players.Of(tickets[0])
	for _, t := range tickets[1:] {
		if p := q.Players.Of(t); p.Seq < oldest.Seq {
			oldest = p
		}
	}
	return q.Own.MatchLength.Draw(q.streams.matchLength, q.VisitKey(&oldest.Person), uint64(oldest.Searches))
}

// gather lists the players of the tickets in scratch.all.
func (q *Queue) gather(tickets []Ticket) {
	all := &q.scratch.all
	all.Reset()
	for _, t := range tickets {
		members := q.Players.Members(t)
		for i := range members {
			all.Add(members[i].ID)
		}
	}
}

// remember stores the players in scratch.all as the last partners of the tickets. Call gather
// first.
func (q *Queue) remember(tickets []Ticket) {
	rosters := &q.Players.Rosters
	roster := rosters.Alloc(q.scratch.all.IDs, len(tickets))
	for _, t := range tickets {
		p := q.Players.Of(t)
		rosters.Drop(p.Last)
		p.Last = roster
	}
}

// endMatch ends a match and begins the pause of its players.
func (q *Queue) endMatch(match uint32) {
	q.search.Ending(match)
	if q.missing != nil && q.matches.missing[match].cut {
		q.interrupt(match)
		return
	}
	if q.Config.Season != nil {
		q.reportFinished(match)
	}
	if q.Own.KeepTogether && q.matches.count[match] > 1 {
		q.unite(match)
	}
	state, players := &q.matches.state[match], int(q.matches.players[match])
	q.Move(players, *state, sim.StateBetween)
	*state = sim.StateBetween
	q.returns.Push(q.Now().Add(q.Config.Between), match)
}

// unite replaces the tickets of a match with one party of all its players.
func (q *Queue) unite(match uint32) {
	p := &q.Players
	tickets, players := q.matches.of(match), int(q.matches.players[match])
	party := p.Alloc(players)
	slot := party
	for _, t := range tickets {
		for _, one := range p.Members(t) {
			one.Slot = slot
			p.Slots[slot] = one
			slot++
		}
	}
	first := p.Of(party)
	first.Size, first.State = uint8(players), sim.StatePlaying
	p.Rosters.Hold(first.Last)
	for _, t := range tickets {
		p.Release(t)
	}
	tickets[0] = party
	q.matches.count[match] = 1
}

// returnFrom ends the pause after a match. It draws for each ticket whether the players play again
// and, if they do, begins their next search.
func (q *Queue) returnFrom(match uint32) {
	tickets := q.matches.of(match)
	// Visit the players in a loop that does nothing else, so that the processor can fetch several
	// of them in parallel. They were last used a match ago and are no longer in the CPU caches.
	for _, t := range tickets {
		p := q.Players.Of(t)
		p.State, p.LastEnd = sim.StateBetween, q.Now().Add(-q.Config.Between)
	}
	again := q.scratch.again[:0]
	for _, t := range tickets { // all draws first, for the same reason
		again = append(again, q.playsAgain(q.Players.Of(t)))
	}
	q.scratch.again = again
	for i, t := range tickets {
		if again[i] {
			q.searchAgain(t)
		} else {
			q.leave(t)
		}
	}
	q.matches.release(match)
}

// leave ends the visit of a ticket whose players do not play again.
func (q *Queue) leave(t Ticket) {
	q.Become(t, sim.StateLeft)
	if q.Config.Season != nil {
		q.reportLeft(t, false)
	}
	q.Players.Release(t)
}

// playsAgain draws whether a ticket searches again after its last match.
func (q *Queue) playsAgain(p *Player) bool {
	key, chance := p.Entity, q.Config.PlayAgain
	if s := q.Config.Season; s != nil {
		key, chance = q.VisitKey(&p.Person), s.PlayAgain(q.Index, &p.Person)
	}
	return !q.dead(p) && q.streams.playAgain.Uniform(key, uint64(p.Searches)) < chance
}

// searchAgain begins the next search of a ticket that is BETWEEN, unless there is a maintenance.
func (q *Queue) searchAgain(t Ticket) {
	if event, closed := q.Closed(); closed {
		q.returnLater(t, event)
		return
	}
	p := q.Players.Of(t)
	q.Move(int(p.Size), p.State, sim.StateNew)
	p.State = sim.StateNew
	p.Searches++
	q.enter(t)
}

// returnLater draws whether a ticket that is BETWEEN returns after a maintenance. If it does not, it
// leaves.
func (q *Queue) returnLater(t Ticket, event int) {
	if comes, after := q.comesBack(q.Players.Of(t), event); comes {
		q.returnAfter(t, after)
	} else {
		q.leave(t)
	}
}
