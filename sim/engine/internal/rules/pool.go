// Package rules shows the tickets of a queue to its ruleset, and translates what the ruleset
// decides into groups of tickets.
//
// [Tickets] describes a ticket by the attributes and RTTs that the rules look at, puts it
// into the pool of the rule engine (or of a matchmaker outside), remembers which ticket or
// match stands in which row of the pool, and counts refusals and budgets. When a pass is made
// and over which tickets is up to its users: package pool and package ruled.
package rules

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/store"
)

// Tickets is the tickets of a queue as its ruleset sees them.
type Tickets struct {
	queue   *lifecycle.Queue
	set     *matcher.Ruleset
	Pool    matcher.Pool
	Engine  *engine.Pool // the same; nil: the pool is that of a matchmaker outside
	encoder encoder
	holds   []held // by row of the pool
	counts  counts

	tooMany [sim.MaxMatchSize + 1]error // by number of players: what Rules.Refuse returns

	rtts   bool            // the rules look at RTTs
	places []matcher.Place // by place: that of a solo without a last mile, once one has searched from there

	group   []store.Ticket
	teams   []int16
	waits   []int64
	relaxed []sim.Relaxed
}

// held is what stands in a row of the pool.
type held struct {
	what  uint32 // a ticket, or the match of an open session
	waits bool   // it is a ticket, and waits
}

// Init makes the pool empty. set is the ruleset of the queue, or the part of it that decides;
// rtts says that this part looks at RTTs.
func (r *Tickets) Init(q *lifecycle.Queue, set *matcher.Ruleset, rtts bool) error {
	*r = Tickets{queue: q, set: set, encoder: newEncoder(q.Own.Rules), rtts: rtts}
	if r.Pool = q.Own.Rules.Outside; q.Own.Rules.Outside == nil {
		pool, err := engine.NewPool(set, q.Own.Rules.Schema)
		if err != nil {
			return err
		}
		draws, queue := q.Stream(sim.PurposeBatch), uint64(q.Index)<<56
		pool.Draw = func(ticket, k uint64) uint64 { return draws.Bits(ticket^queue, k) }
		r.Engine, r.Pool = pool, pool
	}
	r.counts.index = make(map[string]int)
	for players := range r.tooMany {
		r.tooMany[players] = q.Own.Rules.Refuse(players)
	}
	return nil
}

// Admit lets a ticket wait in the pool. If the rules refuse it, its search ends.
func (r *Tickets) Admit(t store.Ticket) (row matcher.Row, ok bool) {
	q := r.queue
	why := r.tooMany[q.Players.Of(t).Size]
	if why == nil {
		from := r.placeOf(q.Players.Of(t))
		ticket := r.encoder.ticket(q, t, from)
		if r.rtts && from == matcher.NoPlace {
			r.encoder.measure(q, t)
		}
		if why = refusal(q.Own.Rules, ticket); why == nil {
			row, why = r.Pool.Add(*ticket)
		}
	}
	if why != nil {
		if q.Measuring() {
			r.counts.refused(why, int(q.Players.Of(t).Size))
		}
		q.End(t, sim.StateRejected)
		return 0, false
	}
	r.hold(row, held{t, true})
	return row, true
}

// placeOf returns the engine's number for the place where a player lives. A party, and a player
// with a last mile, has RTTs of its own and NoPlace.
func (r *Tickets) placeOf(p *store.Player) matcher.Place {
	if !r.rtts || p.Size > 1 || p.LastMile > 0 || r.Engine == nil {
		return matcher.NoPlace
	}
	if r.places == nil {
		r.places = make([]matcher.Place, len(r.queue.Places.Reach))
	}
	from := &r.places[p.Place]
	if *from == matcher.NoPlace {
		var err error
		if *from, err = r.Engine.AddPlace(appendRTTs(nil, r.queue.Places, p, r.encoder.Regions)); err != nil {
			panic("sim: the RTTs of a place are refused: " + err.Error())
		}
	}
	return *from
}

// hold notes what stands in a row of the pool.
func (r *Tickets) hold(row matcher.Row, what held) {
	for int(row) >= len(r.holds) {
		r.holds = append(r.holds, held{})
	}
	r.holds[row] = what
}

// Release returns the ticket of a row that left the pool.
func (r *Tickets) Release(row matcher.Row) store.Ticket {
	r.holds[row].waits = false
	return r.holds[row].what
}

// Session returns the match of an open session in a row of the pool.
func (r *Tickets) Session(row matcher.Row) (match uint32) { return r.holds[row].what }

// HoldSession notes that a match stands in a row of the pool, as an open session.
func (r *Tickets) HoldSession(row matcher.Row, match uint32) { r.hold(row, held{what: match}) }

// Visit visits the tickets that wait in the pool.
func (r *Tickets) Visit(visit func(t store.Ticket)) {
	for _, h := range r.holds {
		if h.waits {
			visit(h.what)
		}
	}
}

// Describe describes a ticket with its RTTs. The result is good until the next call.
func (r *Tickets) Describe(t store.Ticket) *matcher.Ticket {
	ticket := r.encoder.ticket(r.queue, t, matcher.NoPlace)
	r.encoder.measure(r.queue, t)
	return ticket
}

// CountBudgets counts the searches that stopped at a budget, in the measured window.
func (r *Tickets) CountBudgets(hits []matcher.BudgetHit) {
	if r.queue.Measuring() {
		r.counts.exhausted(hits)
	}
}

// Form turns a proposal into a group and takes its tickets out of the pool. began is when the
// session they join began; for a new match it is now. The result is valid until the next call.
func (r *Tickets) Form(p *matcher.Proposal, began sim.Instant) lifecycle.Group {
	f := lifecycle.Group{Region: int(p.Region), Relaxed: r.relax(p.Tickets, began)}
	r.group, r.teams = r.group[:0], r.teams[:0]
	if len(p.Teams) == 0 {
		for _, row := range p.Tickets {
			r.group = append(r.group, r.Release(row))
		}
		f.Tickets = r.group
		return f
	}
	for team, side := range p.Teams {
		for _, row := range side.Tickets {
			r.group = append(r.group, r.Release(row))
			r.teams = append(r.teams, int16(team))
		}
	}
	f.Tickets, f.Teams = r.group, r.teams
	return f
}

// relax returns how far each rule was relaxed when the tickets in rows were matched. It depends
// on how long they had waited and, if they join a session that began before now, on how long
// that has run. rows begins with the seed, unless the session is the seed. relax returns nil if
// the result is not needed.
func (r *Tickets) relax(rows []matcher.Row, began sim.Instant) []sim.Relaxed {
	q := r.queue
	if !q.Watched() && q.Own.Acceptance == nil { // a proposal may start later, inside the measured window
		return nil
	}
	r.waits = r.waits[:0]
	if began < q.Now() {
		r.waits = append(r.waits, int64(q.Now().Sub(began)))
	}
	for _, row := range rows {
		r.waits = append(r.waits, int64(q.Now().Sub(q.Players.Of(r.holds[row].what).Began)))
	}
	r.relaxed = r.set.Relaxation(r.relaxed[:0], r.waits)
	return r.relaxed
}

// Totals returns what was counted about the rules.
func (r *Tickets) Totals() *sim.RuleTotals {
	waiting := 0
	r.Visit(func(t store.Ticket) { waiting += int(r.queue.Players.Of(t).Size) })
	totals := r.counts.result(waiting)
	if r.Engine != nil {
		totals.Evaluations = r.Engine.Evaluations()
	}
	return totals
}

// Verify visits the tickets in the pool and checks their number.
func (r *Tickets) Verify(v *lifecycle.Verifier, visit func(t store.Ticket)) {
	tickets := 0
	r.Visit(func(t store.Ticket) {
		tickets++
		visit(t)
	})
	if n := r.Pool.Waiting(); n != tickets {
		v.Errorf("%d tickets wait in the pool, %d are held", n, tickets)
	}
}

// RecordScene records a scene: the tickets of some rows, which wait, and what happens during
// a call.
func (r *Tickets) RecordScene(s *sim.Scene, rows []matcher.Row, call func()) {
	q := r.queue
	s.Queue, s.At = q.Index, q.Now()
	for _, row := range rows {
		s.Tickets = append(s.Tickets, r.sceneTicket(r.holds[row].what))
	}
	q.RecordScene(s, call)
}

// sceneTicket returns the record of a ticket that waits.
func (r *Tickets) sceneTicket(t store.Ticket) sim.SceneTicket {
	q := r.queue
	ticket := sim.SceneTicket{Search: *q.Record(t)}
	ticket.Players = slices.Clone(ticket.Players)
	if !r.rtts {
		return ticket
	}
	members := q.Players.Members(t)
	for i := range members {
		ticket.RTTMS = append(ticket.RTTMS, appendRTTs(nil, q.Places, &members[i], q.Own.Rules.Regions))
	}
	return ticket
}
