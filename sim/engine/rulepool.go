package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine"
	"mmsim/sim"
)

// rulePool is a queue's tickets as its ruleset sees them.
type rulePool struct {
	queue   *matchQueue
	set     *matcher.Ruleset
	pool    matcher.Pool
	engine  *engine.Pool // pool, unless that is outside
	encoder encoder
	holds   []held // by row of the pool
	book    ruleBook

	tooMany [sim.MaxMatchSize + 1]error // by players of a ticket: see Rules.Refuse

	rtts     bool              // the rules look at RTTs
	vantages []matcher.Vantage // by place, as far as somebody searched alone from there

	group   []ticketID
	teams   []int16
	waits   []int64
	relaxed []sim.Relaxed
}

// held is what stands in a row of the pool.
type held struct {
	what  uint32 // the ticket, or the match of an open session
	waits bool   // a ticket that waits
}

// init makes the pool empty. set is the ruleset of the queue, or as much of it as
// decides; rtts tells that it looks at RTTs.
func (r *rulePool) init(q *matchQueue, set *matcher.Ruleset, rtts bool) error {
	*r = rulePool{queue: q, set: set, encoder: newEncoder(q.own.Rules), rtts: rtts}
	if r.pool = q.own.Rules.Outside; q.own.Rules.Outside == nil {
		pool, err := engine.NewPool(set, q.own.Rules.Schema)
		if err != nil {
			return err
		}
		draws, queue := q.stream(sim.PurposeBatch), uint64(q.index)<<56
		pool.Draw = func(ticket, k uint64) uint64 { return draws.Bits(ticket^queue, k) }
		r.engine, r.pool = pool, pool
	}
	r.book.init()
	for players := range r.tooMany {
		r.tooMany[players] = q.own.Rules.Refuse(players)
	}
	return nil
}

// admit lets a ticket wait in the pool. Where the rules do not take it, its search ends.
func (r *rulePool) admit(t ticketID) (row matcher.Row, ok bool) {
	q := r.queue
	why := r.tooMany[q.players.of(t).size]
	if why == nil {
		from := r.vantage(q.players.of(t))
		ticket := r.encoder.ticket(q, t, from)
		if r.rtts && from == matcher.NoVantage {
			r.encoder.measure(q, t)
		}
		if why = refusal(q.own.Rules, ticket); why == nil {
			row, why = r.pool.Add(*ticket)
		}
	}
	if why != nil {
		if q.measuring {
			r.book.refused(why, int(q.players.of(t).size))
		}
		q.end(t, sim.StateRejected)
		return 0, false
	}
	r.hold(row, held{t, true})
	return row, true
}

// vantage returns that of all who live where a player does, without a last mile. A
// party, and who has a last mile, has NoVantage, and is measured.
func (r *rulePool) vantage(p *player) matcher.Vantage {
	if !r.rtts || p.size > 1 || p.lastMile > 0 || r.engine == nil {
		return matcher.NoVantage
	}
	if r.vantages == nil {
		r.vantages = make([]matcher.Vantage, len(r.queue.places.Reach))
	}
	from := &r.vantages[p.Place]
	if *from == matcher.NoVantage {
		var err error
		if *from, err = r.engine.Vantage(r.queue.appendRTTs(nil, p, r.encoder.Regions)); err != nil {
			panic("sim: the RTTs of a place are refused: " + err.Error())
		}
	}
	return *from
}

// hold notes what stands in a row of the pool.
func (r *rulePool) hold(row matcher.Row, what held) {
	for int(row) >= len(r.holds) {
		r.holds = append(r.holds, held{})
	}
	r.holds[row] = what
}

// release returns the ticket of a row that left the pool.
func (r *rulePool) release(row matcher.Row) ticketID {
	r.holds[row].waits = false
	return r.holds[row].what
}

// session returns the match of an open session in a row of the pool.
func (r *rulePool) session(row matcher.Row) (match uint32) { return r.holds[row].what }

// holdSession notes that a match stands in a row of the pool, as an open session.
func (r *rulePool) holdSession(row matcher.Row, match uint32) { r.hold(row, held{what: match}) }

// visit visits the tickets that wait in the pool.
func (r *rulePool) visit(visit func(t ticketID)) {
	for _, h := range r.holds {
		if h.waits {
			visit(h.what)
		}
	}
}

// describe describes a ticket with its RTTs. What it returns is good until the next call.
func (r *rulePool) describe(t ticketID) *matcher.Ticket {
	ticket := r.encoder.ticket(r.queue, t, matcher.NoVantage)
	r.encoder.measure(r.queue, t)
	return ticket
}

// exhausted counts the searches of the measured window that stopped at a budget.
func (r *rulePool) exhausted(hits []matcher.BudgetHit) {
	if r.queue.measuring {
		r.book.exhausted(hits)
	}
}

// form translates a proposal. began is when the session began that tickets join, now
// for a new match. What it returns is good until the next call.
func (r *rulePool) form(p *matcher.Proposal, began sim.Instant) formed {
	f := formed{region: int(p.Region), relaxed: r.relax(p.Tickets, began)}
	r.group, r.teams = r.group[:0], r.teams[:0]
	if len(p.Teams) == 0 {
		for _, row := range p.Tickets {
			r.group = append(r.group, r.release(row))
		}
		f.tickets = r.group
		return f
	}
	for team, side := range p.Teams {
		for _, row := range side.Tickets {
			r.group = append(r.group, r.release(row))
			r.teams = append(r.teams, int16(team))
		}
	}
	f.tickets, f.teams = r.group, r.teams
	return f
}

// relax tells how far the rules had given way to the waits of a session, if it
// began before now, and of tickets, the seed first.
func (r *rulePool) relax(rows []matcher.Row, began sim.Instant) []sim.Relaxed {
	q := r.queue
	if !q.watched() && q.own.Acceptance == nil { // a proposal may start when all watch
		return nil
	}
	r.waits = r.waits[:0]
	if began < q.now {
		r.waits = append(r.waits, int64(q.now.Sub(began)))
	}
	for _, row := range rows {
		r.waits = append(r.waits, int64(q.now.Sub(q.players.of(r.holds[row].what).began)))
	}
	r.relaxed = r.set.Relaxation(r.relaxed[:0], r.waits)
	return r.relaxed
}

// totals returns what was counted about the rules.
func (r *rulePool) totals() *sim.RuleTotals {
	waiting := 0
	r.visit(func(t ticketID) { waiting += int(r.queue.players.of(t).size) })
	totals := r.book.result(waiting)
	if r.engine != nil {
		totals.Evaluations = r.engine.Evaluations()
	}
	return totals
}

// verify visits the tickets in the pool and checks their number.
func (r *rulePool) verify(v *matchVerifier, visit func(t ticketID)) {
	tickets := 0
	r.visit(func(t ticketID) {
		tickets++
		visit(t)
	})
	if n := r.pool.Waiting(); n != tickets {
		v.fail("%d tickets wait in the pool, %d are held", n, tickets)
	}
}

// record records a scene: the tickets of some rows, which wait, and what happens during a
// call.
func (r *rulePool) record(s *sim.Scene, rows []matcher.Row, happen func()) {
	q := r.queue
	s.Queue, s.At = q.index, q.now
	for _, row := range rows {
		s.Tickets = append(s.Tickets, r.sceneTicket(r.holds[row].what))
	}
	q.record(s, happen)
}

func (r *rulePool) sceneTicket(t ticketID) sim.SceneTicket {
	q := r.queue
	ticket := sim.SceneTicket{Search: *q.search(t)}
	ticket.Players = slices.Clone(ticket.Players)
	if !r.rtts {
		return ticket
	}
	members := q.players.members(t)
	for i := range members {
		ticket.RTTMS = append(ticket.RTTMS, q.appendRTTs(nil, &members[i], q.own.Rules.Regions))
	}
	return ticket
}
