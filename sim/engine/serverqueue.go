package engine

import (
	"cmp"
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
	"mmsim/sim"
	"mmsim/sim/engine/internal/freelist"
	"mmsim/sim/engine/internal/timers"
)

// serverQueue places its players on servers.
type serverQueue struct {
	*world
	index int
	own   *sim.Servers

	fleet     *scoring.Fleet
	known     acquaintances
	timers    timers.List // by slot: end of the session, or start of the server
	occupants []occupant
	free      freelist.List[uint32] // slots
	ids       []uint64              // of the match that a server is, by its Sequence

	lastMile, jitter, session sim.Stream
	scratch                   serverScratch
}

// occupant is a player on a server.
type occupant struct {
	person    sim.Person
	id        uint32 // n-th to join
	party     uint32 // id of the first of his party
	partySize uint8
	lastMile  sim.RTT
	state     sim.State // StateWaiting, until the server has started, or StatePlaying
	began     sim.Instant
	first     bool            // the server was started for him
	server    *scoring.Server // nil: the slot is free
}

type serverScratch struct {
	player   matcher.Player // being described
	joiner   scoring.Joiner
	rttMS    []float64
	slots    []uint32
	servers  []int32 // on which the player knows somebody
	ended    sim.Ended
	match    sim.Match
	placed   sim.Placed
	measures []float64
	won      []float64
	lost     []float64
}

func newServerQueue(w *world, index int) *serverQueue {
	own := w.cfg.Queues[index].Servers
	return &serverQueue{
		world: w, index: index, own: own,
		fleet: scoring.NewFleet(own.Scoring), known: newAcquaintances(own.People),
		lastMile: w.stream(sim.PurposeLastMile), jitter: w.stream(sim.PurposeJitter), session: w.stream(sim.PurposeSession),
		scratch: serverScratch{rttMS: make([]float64, w.places.Datacenters)},
	}
}

// next implements queue.
func (q *serverQueue) next() sim.Instant { return sim.Instant(q.timers.Next()) }

// due implements queue: sessions end, then servers have started.
func (q *serverQueue) due() {
	for sim.Instant(q.timers.Next()) == q.now {
		t := q.timers.Pop()
		switch t.Kind() {
		case timerMatchEnd:
			q.leave(t.What)
		case timerReturn:
			q.play(t.What)
		}
	}
}

// decide implements queue: nobody waits to be matched.
func (q *serverQueue) decide() {}

// ruleTotals implements queue.
func (*serverQueue) ruleTotals() *sim.RuleTotals { return nil }

// join implements queue.
func (q *serverQueue) join(a *sim.Arrival) error {
	n := len(a.Members)
	if q.joined > sim.MaxSearches {
		return fmt.Errorf("sim: more than %d players (MaxSearches) at %.3f s", sim.MaxSearches, a.At.Seconds())
	}
	party := q.joined
	q.joined += uint32(n)
	q.online[sim.StateNew] += n
	q.ledger.begun += n
	q.reportEntered(a, party)

	q.scratch.servers = q.scratch.servers[:0]
	for i := range a.Members {
		g := occupant{person: a.Members[i], id: party + uint32(i), party: party, partySize: uint8(n), state: sim.StateNew, began: q.now}
		if q.cfg.LastMileMedian > 0 {
			g.lastMile = lastMile(q.cfg.LastMileMedian, q.cfg.LastMileSigma, q.lastMile, g.person.Entity)
		}
		// The servers of the members before stay in the list.
		q.scratch.servers = q.place(g, q.scratch.servers)
	}
	return nil
}

// place puts a player on a server. together lists the servers of his party; the
// result has his too.
func (q *serverQueue) place(g occupant, together []int32) []int32 {
	class, ok := q.own.People.Describe(&g.person, &q.scratch.player)
	if !ok {
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
	q.servers.Taken++
	g.server = best
	slot := q.alloc(g)
	q.known.enter(&g.person, slot)

	q.become(slot, sim.StateWaiting)
	if up := sim.Instant(best.CreatedMS).Add(q.own.Start); up > q.now {
		q.timers.Push(int64(up), timerReturn, slot)
	} else {
		q.play(slot)
	}
	return append(together[:party], best.Sequence)
}

func (q *serverQueue) acquaintances(p *sim.Person) []uint32 {
	q.scratch.slots = q.known.of(p, q.scratch.slots[:0])
	return q.scratch.slots
}

// measureRTTs sets the RTTs of the player being described.
func (q *serverQueue) measureRTTs(g *occupant) {
	for dc, rtt := range q.places.Row(g.person.Place) {
		q.scratch.rttMS[dc] = sim.RTTMillis(sim.AddDelay(rtt, g.lastMile))
	}
	q.scratch.player.RTTMS = q.scratch.rttMS
}

// open starts a server for a player.
func (q *serverQueue) open(first *scoring.Joiner) *scoring.Server {
	s := q.own.New(first)
	s.Region, s.CreatedMS = first.BestRegion(), int64(q.now)
	server := q.fleet.Open(s)
	q.ids = append(q.ids, q.made)
	q.made++
	q.servers.Running++
	q.servers.Seats += server.Capacity
	if q.measuring {
		q.totals.Servers.Opened++
	}
	return server
}

// play lets a player begin to play.
func (q *serverQueue) play(slot uint32) {
	g := &q.occupants[slot]
	length := q.own.People.Session(&g.person)
	if length <= 0 {
		length = q.own.Session.Draw(q.session, g.person.Entity)
	}
	ends := q.now.Add(length)
	q.reportMatched(g, ends)
	q.become(slot, sim.StatePlaying)
	q.ledger.ended[sim.StatePlaying]++
	q.timers.Push(int64(ends), timerMatchEnd, slot)
}

// leave ends a player's session, and the server if he was the last.
func (q *serverQueue) leave(slot uint32) {
	g := &q.occupants[slot]
	q.become(slot, sim.StateLeft)
	q.known.leave(&g.person, slot)
	q.own.People.Describe(&g.person, &q.scratch.player)
	q.fleet.Leave(g.server, &q.scratch.player)
	q.servers.Taken--
	if g.server.Players() == 0 {
		q.servers.Running--
		q.servers.Seats -= g.server.Capacity
		q.fleet.Close(g.server)
	}
	g.server = nil
	q.free.Put(slot)
}

// reject refuses a player.
func (q *serverQueue) reject(g *occupant) {
	q.online.move(1, sim.StateNew, sim.StateRejected)
	q.ledger.ended[sim.StateRejected]++
	q.reportRejected(g)
}

func (q *serverQueue) become(slot uint32, to sim.State) {
	g := &q.occupants[slot]
	q.online.move(1, g.state, to)
	g.state = to
}

// alloc returns a slot for a player.
func (q *serverQueue) alloc(g occupant) uint32 {
	if slot, ok := q.free.Take(); ok {
		q.occupants[slot] = g
		return slot
	}
	q.occupants = append(q.occupants, g)
	return uint32(len(q.occupants) - 1)
}

// unfinished implements queue: a player who waits for the start of a server is searching.
func (q *serverQueue) unfinished(report func(s *sim.Search)) {
	var waiting []*occupant
	for slot := range q.occupants {
		if g := &q.occupants[slot]; g.server != nil && g.state == sim.StateWaiting {
			waiting = append(waiting, g)
		}
	}
	slices.SortFunc(waiting, func(a, b *occupant) int { return cmp.Compare(a.id, b.id) })
	for _, g := range waiting {
		q.scratch.ended.Search = q.search(g)
		report(&q.scratch.ended.Search)
	}
}
