// Package servers implements a queue without matches. A player who joins is placed at once on the
// running server with the highest score, or on a new server, and stays for one session.
//
// Package scoring computes the scores. This package keeps track of the players on servers and their
// timers, of the running servers, and of which players know each other.
package servers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Queue implements the engine's queue interface.
type Queue struct {
	*world.World
	index int
	own   *sim.Servers

	fleet     *scoring.Fleet
	known     acquaintances
	starts    world.Timers // of players whose server has not started yet
	ends      world.Timers // of the sessions of players on servers
	back      world.Timers // of players who come back after a session that was cut short
	occupants []occupant
	free      world.FreeList[uint32] // free slots
	ids       []uint64               // match ID of each server, by its Sequence

	lastMile, jitter, session, interrupted sim.Stream

	scratch scratch
}

// occupant is a player on a server.
type occupant struct {
	person    sim.Person
	id        uint32 // sequence number of the player's join
	party     uint32 // id of the party's first player
	partySize uint8
	lastMile  sim.RTT
	measured  world.Measured // when the RTTs of the search were measured
	state     sim.State      // StateWaiting until the server has started, then StatePlaying
	began     sim.Instant
	first     bool            // whether the server was started for this player
	server    *scoring.Server // nil if the slot is free, or if state is StateBetween

	searches uint32       // number of earlier searches
	lost     bool         // whether an event stops the server before it has started
	event    int          // if an event cuts the session short, 1 more than the index of the event; otherwise 0
	rest     sim.Duration // what an event left of the session; 0 for a new session
}

// scratch is memory for reuse, so that placing a player allocates nothing.
type scratch struct {
	player                matcher.Player // the player who is being placed
	joiner                scoring.Joiner
	rttMS                 []float64
	slots                 []uint32
	servers               []int32 // servers with somebody whom the player knows
	ended                 sim.Ended
	match                 sim.Match
	placed                sim.Placed
	measures              []float64
	contributions         []float64
	runnerUpContributions []float64
}

// New returns an empty queue.
func New(w *world.World, index int) *Queue {
	own := w.Config.Queues[index].Servers
	return &Queue{
		World: w, index: index, own: own,
		fleet: scoring.NewFleet(own.Scoring), known: newAcquaintances(own.People),
		lastMile: w.Stream(sim.PurposeLastMile), jitter: w.Stream(sim.PurposeJitter), session: w.Stream(sim.PurposeSession), interrupted: w.Stream(sim.PurposeInterrupted),
		scratch: scratch{rttMS: make([]float64, w.Places.Datacenters)},
	}
}

// Next returns the next instant at which a timer is due.
func (q *Queue) Next() sim.Instant { return min(q.starts.Next(), q.ends.Next(), q.back.Next()) }

// Ends runs the timers of sessions that end now.
func (q *Queue) Ends() {
	for q.ends.Due(q.Now()) {
		q.leave(q.ends.Pop().Payload)
	}
}

// Close does nothing: only players whose server has not started yet are searching, and those servers are
// lost at the same instant, see Returns.
func (q *Queue) Close() {}

// UsableChanged closes the servers in datacenters that may not be used to more players, and opens those
// in datacenters that may be used again.
func (q *Queue) UsableChanged() {
	for slot := range q.occupants {
		s := q.occupants[slot].server
		if s == nil {
			continue
		}
		closed := ""
		if q.Usable()>>s.Region&1 == 0 {
			closed = "outage"
		}
		q.fleet.SetClosed(s, closed)
	}
}

// Returns runs the timers of servers that start or are lost now, and of players who come back.
func (q *Queue) Returns() {
	for q.starts.Due(q.Now()) {
		if slot := q.starts.Pop().Payload; q.occupants[slot].lost {
			q.lose(slot)
		} else {
			q.play(slot)
		}
	}
	for q.back.Due(q.Now()) {
		q.comeBack(q.back.Pop().Payload)
	}
}

// Decide does nothing, because there are no matching passes.
func (q *Queue) Decide() {}

// RuleTotals returns nil, because there is no ruleset.
func (*Queue) RuleTotals() *sim.RuleTotals { return nil }

// AcceptanceTotals returns nil, because players are not asked.
func (*Queue) AcceptanceTotals() *sim.AcceptanceTotals { return nil }

// Join places the players of a party, one after another.
func (q *Queue) Join(a *sim.Arrival) error {
	n := len(a.Members)
	if q.Joined() > sim.MaxSearches {
		return fmt.Errorf("sim: more than %d players (MaxSearches) at %.3f s", sim.MaxSearches, a.At.Seconds())
	}
	party := q.AddPlayers(n)
	q.SearchesBegin(n)
	q.reportEntered(a, party)

	q.scratch.servers = q.scratch.servers[:0]
	for i := range a.Members {
		g := occupant{person: a.Members[i], id: party + uint32(i), party: party, partySize: uint8(n), state: sim.StateNew, began: q.Now(), measured: q.Measure(a.Members[i].Place)}
		g.lastMile = world.LastMile(&q.Config, q.lastMile, g.person.Entity)
		// scratch.servers has the servers of the earlier members. The call adds the server of this
		// member.
		q.scratch.servers = q.place(g, q.scratch.servers)
	}
	return nil
}

// place puts a player on a server. together lists the servers of the party members placed so far.
// place returns together with the player's server appended, or unchanged if it rejects the player.
func (q *Queue) place(g occupant, together []int32) []int32 {
	class, ok := q.own.People.Describe(&g.person, &q.scratch.player)
	if !ok || q.Usable() == 0 {
		q.reject(&g)
		return together
	}
	party := len(together)
	for _, slot := range q.acquaintances(&g.person) {
		together = append(together, q.occupants[slot].server.Sequence)
	}
	q.measureRTTs(&g)
	joiner := &q.scratch.joiner
	*joiner = scoring.NewJoiner(q.scratch.player, class, together)

	best, runnerUp := q.fleet.Best(joiner)
	if g.first = best == nil; g.first {
		best = q.open(joiner)
	}
	q.reportPlaced(&g, joiner, best, runnerUp)
	q.fleet.Join(best, &joiner.Player)
	q.TakeSeats(1)
	g.server = best
	slot := q.alloc(g)
	q.known.enter(&g.person, slot)

	q.become(slot, sim.StateWaiting)
	if up := sim.Instant(best.CreatedMS).Add(q.own.Start); up > q.Now() {
		cut := q.Cut(int(best.Region)).At
		q.occupants[slot].lost = cut <= up
		q.starts.Push(min(up, cut), slot)
	} else {
		q.play(slot)
	}
	return append(together[:party], best.Sequence)
}

// acquaintances returns the slots of the players whom a person knows. The result is valid until the
// next call.
func (q *Queue) acquaintances(p *sim.Person) []uint32 {
	q.scratch.slots = q.known.of(p, q.scratch.slots[:0])
	return q.scratch.slots
}

// measureRTTs sets the RTTs of the player who is being placed. A datacenter that may not be used counts
// as not measured.
func (q *Queue) measureRTTs(g *occupant) {
	for dc, rtt := range q.Places.Row(g.person.Place) {
		q.scratch.rttMS[dc] = math.NaN()
		if q.Usable()>>dc&1 != 0 {
			q.scratch.rttMS[dc] = sim.RTTMillis(sim.AddDelay(sim.AddDelay(rtt, g.lastMile), q.Added(g.measured, g.person.Place, dc)))
		}
	}
	q.scratch.player.RTTMS = q.scratch.rttMS
}

// open starts a server for a player.
func (q *Queue) open(first *scoring.Joiner) *scoring.Server {
	s := q.own.New(first)
	s.Region, s.CreatedMS = first.BestRegion(), int64(q.Now())
	server := q.fleet.Open(s)
	q.ids = append(q.ids, q.Matches())
	q.AddMatch()
	q.ServerStarts(server.Capacity)
	return server
}

// play starts a player's session.
func (q *Queue) play(slot uint32) {
	g := &q.occupants[slot]
	length := g.rest
	if length == 0 {
		length = q.own.People.Session(&g.person)
	}
	if length <= 0 {
		length = q.own.Session.Draw(q.session, g.person.Entity)
	}
	ends := q.Now().Add(length)
	if cut := q.Cut(int(g.server.Region)); cut.At < ends {
		g.rest, g.event, ends = ends.Sub(cut.At), cut.Event+1, cut.At
	}
	q.reportMatched(g, ends)
	q.become(slot, sim.StatePlaying)
	q.SearchesEnd(1, sim.StatePlaying)
	q.ends.Push(ends, slot)
}

// leave ends a player's session. If an event cut it short, the player may come back for the rest of it.
func (q *Queue) leave(slot uint32) {
	g := &q.occupants[slot]
	if g.event > 0 && q.Measuring() {
		q.Interrupted(1, g.event-1)
	}
	q.vacate(slot)
	switch {
	case g.event == 0:
		q.goAway(slot, false, 0)
	case q.Config.Events[g.event-1].Maintenance:
		q.keepOut(slot, g.event-1)
	default:
		again := q.interrupted.Uniform(g.person.Entity, uint64(g.searches)) < q.Config.InterruptedAgain
		q.goAway(slot, again, max(sim.Millisecond, q.Config.InterruptedAfter))
	}
}

// goAway lets a player who plays or searches no longer come back after a pause, or leave.
func (q *Queue) goAway(slot uint32, again bool, pause sim.Duration) {
	if !again {
		q.become(slot, sim.StateLeft)
		q.free.Put(slot)
		return
	}
	if q.occupants[slot].state != sim.StateBetween {
		q.become(slot, sim.StateBetween)
	}
	q.back.Push(q.Now().Add(pause), slot)
}

// keepOut lets a player come back after a maintenance, or leave.
func (q *Queue) keepOut(slot uint32, event int) {
	g := &q.occupants[slot]
	at, comes := q.ComesBack(event, g.person.Entity, g.searches+1)
	q.goAway(slot, comes, at.Sub(q.Now()))
}

// comeBack begins the next search of a player whose session was cut short. Each player of a party comes
// back alone, as sessions end one by one.
func (q *Queue) comeBack(slot uint32) {
	if event, closed := q.Closed(); closed {
		q.keepOut(slot, event)
		return
	}
	q.become(slot, sim.StateNew)
	g := q.occupants[slot]
	q.free.Put(slot)
	g.measured = q.Measure(g.person.Place)
	g.began, g.event, g.party, g.partySize = q.Now(), 0, g.id, 1
	g.searches++
	q.SearchesBegin(1)
	if q.Watched() {
		q.scratch.ended.Search = q.search(&g)
		q.Observers.Entered(&q.scratch.ended.Search)
	}
	q.place(g, q.scratch.servers[:0])
}

// lose puts a player whose server will not start on another one. The search goes on, unless there is a
// maintenance.
func (q *Queue) lose(slot uint32) {
	g := &q.occupants[slot]
	q.vacate(slot)
	if event, closed := q.Closed(); closed {
		q.reportEnded(g, sim.StateClosed)
		q.become(slot, sim.StateClosed)
		q.SearchesEnd(1, sim.StateClosed)
		g.lost = false
		q.keepOut(slot, event)
		return
	}
	q.Move(1, sim.StateWaiting, sim.StateNew)
	moved := *g
	moved.state, moved.lost = sim.StateNew, false
	q.free.Put(slot)
	q.place(moved, q.scratch.servers[:0])
}

// vacate frees the seat of a player, and closes the server if no player remains.
func (q *Queue) vacate(slot uint32) {
	g := &q.occupants[slot]
	q.known.leave(&g.person, slot)
	q.own.People.Describe(&g.person, &q.scratch.player)
	q.fleet.Leave(g.server, &q.scratch.player)
	q.TakeSeats(-1)
	if g.server.Players() == 0 {
		q.ServerEnds(g.server.Capacity)
		q.fleet.Close(g.server)
	}
	g.server = nil
}

// reject ends the search of a player who cannot be placed.
func (q *Queue) reject(g *occupant) {
	q.Move(1, sim.StateNew, sim.StateRejected)
	q.SearchesEnd(1, sim.StateRejected)
	q.reportEnded(g, sim.StateRejected)
}

// become moves a player to another state.
func (q *Queue) become(slot uint32, to sim.State) {
	g := &q.occupants[slot]
	q.Move(1, g.state, to)
	g.state = to
}

// alloc stores a player and returns the slot.
func (q *Queue) alloc(g occupant) uint32 {
	if slot, ok := q.free.Take(); ok {
		q.occupants[slot] = g
		return slot
	}
	q.occupants = append(q.occupants, g)
	return uint32(len(q.occupants) - 1)
}

// Unfinished reports the unfinished searches, the oldest first. A player who waits for a server to start is
// searching.
func (q *Queue) Unfinished(report func(s *sim.Search)) {
	var waiting []*occupant
	for slot := range q.occupants {
		if g := &q.occupants[slot]; g.server != nil && g.state == sim.StateWaiting {
			waiting = append(waiting, g)
		}
	}
	// A player who comes back after an event keeps its id.
	slices.SortFunc(waiting, func(a, b *occupant) int { return cmp.Or(cmp.Compare(a.began, b.began), cmp.Compare(a.id, b.id)) })
	for _, g := range waiting {
		q.scratch.ended.Search = q.search(g)
		report(&q.scratch.ended.Search)
	}
}
