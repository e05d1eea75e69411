package lifecycle

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Join adds a party, which begins to search.
func (q *Queue) Join(a *sim.Arrival) error {
	n := len(a.Members)
	if q.searches > sim.MaxSearches {
		return fmt.Errorf("sim: more than %d searches (MaxSearches) at %.3f s", sim.MaxSearches, a.At.Seconds())
	}
	t, first := q.Players.Alloc(n), q.AddPlayers(n)
	for i := range a.Members {
		slot := t + uint32(i)
		p := &q.Players.Slots[slot]
		*p = Player{Size: uint8(n), State: sim.StateNew, Last: NoRoster}
		p.Person, p.Slot, p.ID = a.Members[i], slot, first+uint32(i)
		p.LastMile = world.LastMile(&q.Config, q.streams.lastMile, p.Entity)
	}
	if q.Config.Season != nil {
		q.keepKeys(t)
	}
	q.Players.Rosters.Hold(NoRoster)
	q.enter(t)
	return nil
}

// enter begins a search of a NEW ticket.
func (q *Queue) enter(t Ticket) {
	p := q.Players.Of(t)
	n := int(p.Size)
	p.Began = q.Now()
	p.Seq = q.searches
	q.searches++
	q.SearchesBegin(n)
	if q.Config.Season != nil {
		q.Config.Season.Searches(&p.Person)
	}
	q.reportEntered(t)
	q.MeasureRTTs(t)
	q.search.Begin(t)
}

// MeasureRTTs measures the RTTs of a ticket whose search or state begins.
func (q *Queue) MeasureRTTs(t Ticket) {
	if q.mayBeSlow() {
		q.noteMeasured(t)
	}
}

// mayBeSlow reports whether events add to RTTs now, or did when the last search of a player began.
func (q *Queue) mayBeSlow() bool { return q.Players.slow > 0 || q.AddsLatency() }

// noteMeasured is a separate function so that the compiler can inline MeasureRTTs.
func (q *Queue) noteMeasured(t Ticket) {
	p := &q.Players
	for i := range p.Members(t) {
		slot := t + uint32(i)
		p.setMeasured(slot, q.Measure(p.Slots[slot].Place))
	}
}

// MeasuredAt returns when the RTTs of a searching player were measured.
func (q *Queue) MeasuredAt(p *Player) world.Measured {
	if int(p.Slot) >= len(q.Players.Measured) {
		return 0 // no event has added to RTTs since there was the slot
	}
	return q.Players.Measured[p.Slot]
}

// RTT returns a ticket's RTT to a datacenter, which is the highest RTT among its players.
func (q *Queue) RTT(t Ticket, dc int) sim.RTT {
	var worst sim.RTT
	members := q.Players.Members(t)
	for i := range members {
		worst = max(worst, q.playerRTT(&members[i], dc))
	}
	return worst
}

// playerRTT returns a player's RTT to a datacenter as it was measured.
func (q *Queue) playerRTT(p *Player, dc int) sim.RTT {
	rtt := sim.AddDelay(q.Places.RTT[int(p.Place)*q.Places.Datacenters+dc], p.LastMile)
	if at := q.MeasuredAt(p); at != 0 {
		return sim.AddDelay(rtt, q.Added(at, p.Place, dc))
	}
	return rtt
}

// EndApart ends the search of a ticket whose time is over. apart counts the other tickets by what
// kept them apart from it, or is nil if this is unknown.
func (q *Queue) EndApart(t Ticket, into sim.State, apart *sim.Apart) {
	q.scratch.ended.Apart = apart
	q.End(t, into)
	q.scratch.ended.Apart = nil
}

// End ends a search without a match.
func (q *Queue) End(t Ticket, into sim.State) {
	from := q.Players.Of(t).State
	q.Become(t, into)
	q.reportEnded(t, from, into)
	n := int(q.Players.Of(t).Size)
	q.SearchesEnd(n, into)
	switch {
	case into == sim.StateBots:
		q.playBots(t)
	case into == sim.StateDeclined && q.searchesAfterDeclining(t):
		q.returnAfterDeclining(t)
	case into == sim.StateClosed && q.returnsAfterMaintenance(t):
	default:
		if q.Config.Season != nil {
			q.reportLeft(t, true)
		}
		q.Players.Release(t)
	}
}

// returnsAfterMaintenance lets a ticket whose search a maintenance has ended return, or reports that it
// does not.
func (q *Queue) returnsAfterMaintenance(t Ticket) bool {
	event, _ := q.Closed()
	comes, after := q.comesBack(q.Players.Of(t), event)
	if comes {
		q.Become(t, sim.StateBetween)
		q.returnAfter(t, after)
	}
	return comes
}

// FairestDatacenter returns the usable datacenter in which the highest RTT of the tickets is lowest. If
// several are equal, it returns the first.
func (q *Queue) FairestDatacenter(tickets []Ticket) int {
	return q.FairestOf(q.Usable(), tickets)
}

// FairestOf is like FairestDatacenter, but considers only the datacenters in set.
func (q *Queue) FairestOf(set uint64, tickets []Ticket) int {
	best, bestRTT := bits.TrailingZeros64(set), ^sim.RTT(0)
	if set&(set-1) == 0 {
		return best
	}
	for dc := range sim.DatacentersIn(set) {
		var worst sim.RTT
		for _, t := range tickets {
			worst = max(worst, q.RTT(t, dc))
		}
		if worst < bestRTT {
			best, bestRTT = dc, worst
		}
	}
	return best
}

// Become moves a ticket to another state.
func (q *Queue) Become(t Ticket, to sim.State) {
	p := q.Players.Of(t)
	q.Move(int(p.Size), p.State, to)
	p.State = to
}

// ReportOldestFirst calls report with the record of each ticket's search, oldest first. It reuses
// the memory of the record.
func (q *Queue) ReportOldestFirst(tickets []Ticket, report func(s *sim.Search)) {
	slices.SortFunc(tickets, func(a, b Ticket) int { return cmp.Compare(q.Players.Of(a).Seq, q.Players.Of(b).Seq) })
	for _, t := range tickets {
		report(q.Record(t))
	}
}
