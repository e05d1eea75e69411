package engine

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/roster"
)

// join implements queue.
func (q *matchQueue) join(a *sim.Arrival) error {
	n := len(a.Members)
	if q.searches > sim.MaxSearches {
		return fmt.Errorf("sim: more than %d searches (MaxSearches) at %.3f s", sim.MaxSearches, a.At.Seconds())
	}
	t := q.players.alloc(n)
	for i := range a.Members {
		slot := t + uint32(i)
		p := &q.players.slots[slot]
		*p = player{size: uint8(n), state: sim.StateNew, last: roster.None}
		p.Person, p.Slot, p.id = a.Members[i], slot, q.joined
		p.lastMile = q.drawLastMile(p.Entity)
		q.joined++
	}
	q.players.rosters.Hold(roster.None)
	q.online[sim.StateNew] += n
	q.enter(t)
	return nil
}

// enter begins a search of a ticket in state NEW.
func (q *matchQueue) enter(t ticketID) {
	p := q.players.of(t)
	n := int(p.size)
	p.began = q.now
	p.seq = q.searches
	q.searches++
	q.ledger.begun += n
	q.reportEntered(t)
	q.way.begin(t)
}

// rtt returns the ticket's RTT to a datacenter: that of its worst member.
func (q *matchQueue) rtt(t ticketID, dc int) sim.RTT {
	var worst sim.RTT
	members := q.players.members(t)
	for i := range members {
		worst = max(worst, q.playerRTT(&members[i], dc))
	}
	return worst
}

func (q *matchQueue) playerRTT(p *player, dc int) sim.RTT {
	return sim.AddDelay(q.places.RTT[int(p.Place)*q.places.Datacenters+dc], p.lastMile)
}

// end ends a search without a match.
func (q *matchQueue) end(t ticketID, into sim.State) {
	from := q.players.of(t).state
	q.become(t, into)
	q.reportEnded(t, from, into)
	n := int(q.players.of(t).size)
	q.ledger.ended[into] += n
	if into == sim.StateBots {
		tickets := []ticketID{t}
		q.play(tickets, n, sim.StateBots, q.matchEnd(tickets))
		return
	}
	q.players.release(t)
}

func (q *matchQueue) drawLastMile(entity uint64) sim.RTT {
	if q.cfg.LastMileMedian == 0 {
		return 0
	}
	return lastMile(q.cfg.LastMileMedian, q.cfg.LastMileSigma, q.streams.lastMile, entity)
}

// fairestDatacenter returns the datacenter with the lowest worst RTT, the first such.
func (q *matchQueue) fairestDatacenter(tickets []ticketID) int {
	return q.fairestOf(q.places.AllDatacenters(), tickets)
}

// fairestOf returns the one of a set of datacenters with the lowest worst RTT, the
// first such.
func (q *matchQueue) fairestOf(set uint64, tickets []ticketID) int {
	best, bestRTT := bits.TrailingZeros64(set), ^sim.RTT(0)
	if set&(set-1) == 0 {
		return best
	}
	for dc := range sim.DatacentersIn(set) {
		var worst sim.RTT
		for _, t := range tickets {
			worst = max(worst, q.rtt(t, dc))
		}
		if worst < bestRTT {
			best, bestRTT = dc, worst
		}
	}
	return best
}

// capture asks for a scene.
func (q *matchQueue) capture(r captureRequest) { q.captures = append(q.captures, r) }

// become moves a ticket to another state.
func (q *matchQueue) become(t ticketID, to sim.State) {
	p := q.players.of(t)
	q.online.move(int(p.size), p.state, to)
	p.state = to
}

// reportOldestFirst reports the searches of tickets, the oldest first.
func (q *matchQueue) reportOldestFirst(tickets []ticketID, report func(s *sim.Search)) {
	slices.SortFunc(tickets, func(a, b ticketID) int { return cmp.Compare(q.players.of(a).seq, q.players.of(b).seq) })
	for _, t := range tickets {
		report(q.search(t))
	}
}
