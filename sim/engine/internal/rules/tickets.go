// Package rules shows the tickets of a queue to its ruleset and turns the decisions of the ruleset
// into groups of tickets.
//
// [Tickets] describes each ticket by the attributes and RTTs that the rules use, and adds it to the
// pool of the rule engine or of an external matchmaker. It remembers which ticket or match is in
// each row of the pool, and counts refusals and exhausted budgets. Packages pool and states decide
// when to make a pass, and over which tickets.
package rules

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// Tickets presents the tickets of a queue to its ruleset.
type Tickets struct {
	queue   *lifecycle.Queue
	set     *matcher.Ruleset
	Pool    matcher.Pool
	Engine  *engine.Pool // same as Pool; nil if Pool belongs to an external matchmaker
	encoder encoder
	holds   []held // contents of each row of the pool
	counts  counts
	explained

	tooMany [sim.MaxMatchSize + 1]error // result of Rules.Refuse for each number of players

	rtts bool // whether the rules use RTTs
	// places caches the rule engine's number for each place. An entry is set when a solo player
	// without an access delay first searches from that place.
	places []matcher.Place

	formed  lifecycle.Group
	group   []lifecycle.Ticket
	teams   []int16
	waits   []int64
	relaxed []sim.Relaxed
}

// held is the content of a row of the pool.
type held struct {
	id    uint32      // a ticket, or the match of an open session
	waits bool        // set for a ticket that is waiting
	since sim.Instant // when the ticket began to wait, as the rules see it
}

// Init creates an empty pool. set is the queue's ruleset, or the part of it that applies here. rtts
// tells whether this part uses RTTs.
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

// Admit adds a ticket to the pool. If the rules refuse it, its search ends and ok is false.
func (r *Tickets) Admit(t lifecycle.Ticket) (row matcher.Row, ok bool) { return r.admit(t, r.since(t)) }

// admit is like Admit for a ticket that began to wait at an instant, as the rules see it.
func (r *Tickets) admit(t lifecycle.Ticket, since sim.Instant) (row matcher.Row, ok bool) {
	q := r.queue
	why := r.tooMany[q.Players.Of(t).Size]
	if why == nil {
		from := r.placeOf(q.Players.Of(t))
		ticket := r.encoder.ticket(q, t, from)
		ticket.CreatedMS = int64(since)
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
	r.hold(row, held{t, true, since})
	return row, true
}

// since returns when a ticket that enters the pool now began to wait, as the rules see it: now after
// a dropped proposal if the tickets then begin to wait anew, else when its search began.
func (r *Tickets) since(t lifecycle.Ticket) sim.Instant {
	if a := r.queue.Own.Acceptance; a != nil && a.Anew {
		return r.queue.Now()
	}
	return r.queue.Players.Of(t).Began
}

// placeOf returns the rule engine's number for the place where a player lives. It returns NoPlace
// for a party and for a player with an access delay, or while an event adds to RTTs, because the RTTs
// then differ from those of the place. It also returns NoPlace if the rule engine does not need RTTs.
func (r *Tickets) placeOf(p *lifecycle.Player) matcher.Place {
	if !r.rtts || p.Size > 1 || p.LastMile > 0 || r.Engine == nil || r.queue.MeasuredAt(p) != 0 {
		return matcher.NoPlace
	}
	if r.places == nil {
		r.places = make([]matcher.Place, len(r.queue.Places.Reach))
	}
	from := &r.places[p.Place]
	if *from == matcher.NoPlace {
		var err error
		if *from, err = r.Engine.AddPlace(appendRTTs(nil, r.queue, p, r.encoder.Regions)); err != nil {
			panic("sim: the RTTs of a place are refused: " + err.Error())
		}
	}
	return *from
}

// hold sets the content of a row of the pool.
func (r *Tickets) hold(row matcher.Row, contents held) {
	for int(row) >= len(r.holds) {
		r.holds = append(r.holds, held{})
	}
	r.holds[row] = contents
}

// Release marks a ticket as no longer waiting and returns it. The parameter row is the ticket's row
// in the pool.
func (r *Tickets) Release(row matcher.Row) lifecycle.Ticket {
	r.holds[row].waits = false
	return r.holds[row].id
}

// Waits returns the ticket in a row of the pool. It returns false if no ticket waits in the row.
func (r *Tickets) Waits(row matcher.Row) (lifecycle.Ticket, bool) {
	return r.holds[row].id, r.holds[row].waits
}

// Since returns when the ticket in a row of the pool began to wait, as the rules see it.
func (r *Tickets) Since(row matcher.Row) sim.Instant { return r.holds[row].since }

// Cancel removes a ticket whose players cancelled its search from the pool.
func (r *Tickets) Cancel(row matcher.Row) {
	if outside := r.queue.Own.Rules.Outside; outside != nil {
		outside.Cancel(row)
	} else {
		r.Pool.Remove(row)
	}
	r.Release(row)
}

// MeasureAgain updates the RTTs of the waiting tickets, after the datacenters that may be used have
// changed. Each ticket leaves the pool and is added again, so its row changes, too; moved receives it.
func (r *Tickets) MeasureAgain(moved func(t lifecycle.Ticket, row matcher.Row)) {
	if !r.rtts {
		return
	}
	clear(r.places)
	rows := r.Pool.AppendWaiting(nil)
	tickets := make([]held, len(rows))
	for i, row := range rows {
		tickets[i] = r.holds[row]
		r.Cancel(row)
	}
	for _, h := range tickets {
		if row, ok := r.admit(h.id, h.since); ok {
			moved(h.id, row)
		}
	}
}

// Session returns the match of the open session in a row of the pool.
func (r *Tickets) Session(row matcher.Row) (match uint32) { return r.holds[row].id }

// HoldSession remembers that an open session of a match is in a row of the pool.
func (r *Tickets) HoldSession(row matcher.Row, match uint32) { r.hold(row, held{id: match}) }

// Visit calls visit for each ticket that waits in the pool.
func (r *Tickets) Visit(visit func(t lifecycle.Ticket)) {
	for _, h := range r.holds {
		if h.waits {
			visit(h.id)
		}
	}
}

// Describe converts a ticket with its RTTs. The result is valid until the next call.
func (r *Tickets) Describe(t lifecycle.Ticket) *matcher.Ticket {
	ticket := r.encoder.ticket(r.queue, t, matcher.NoPlace)
	r.encoder.measure(r.queue, t)
	return ticket
}

// CountBudgets counts the searches that ran out of their budget, within the measured window.
func (r *Tickets) CountBudgets(hits []matcher.BudgetHit) {
	if r.queue.Measuring() {
		r.counts.exhausted(hits)
	}
}

// Form turns a proposal into a group and releases its tickets. The parameter began is the start of
// the session that they join, or the current instant for a new match. The result is valid until the
// next call.
func (r *Tickets) Form(p *matcher.Proposal, began sim.Instant) *lifecycle.Group {
	f := &r.formed
	*f = lifecycle.Group{Region: int(p.Region), Ref: p.Ref, Relaxed: r.relax(p.Tickets, began)}
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

// relax returns how far each rule had been relaxed when some tickets were matched. This depends on
// how long they had waited. If they join a session that began before now, it also depends on the
// age of the session. The first row belongs to the seed ticket, unless the tickets join a session.
// relax returns nil if the result is not needed.
func (r *Tickets) relax(rows []matcher.Row, began sim.Instant) []sim.Relaxed {
	q := r.queue
	if !q.Watched() && q.Own.Acceptance == nil { // with Acceptance, the match may start later, inside the measured window
		return nil
	}
	r.waits = r.waits[:0]
	if began < q.Now() {
		r.waits = append(r.waits, int64(q.Now().Sub(began)))
	}
	for _, row := range rows {
		r.waits = append(r.waits, int64(q.Now().Sub(r.holds[row].since)))
	}
	r.relaxed = r.set.Relaxation(r.relaxed[:0], r.waits)
	return r.relaxed
}

// Totals returns the totals about the rules.
func (r *Tickets) Totals() *sim.RuleTotals {
	waiting := 0
	count := func(t lifecycle.Ticket) { waiting += int(r.queue.Players.Of(t).Size) }
	r.Visit(count)
	r.queue.VisitAsked(count)
	totals := r.counts.result(waiting)
	if r.Engine != nil {
		totals.Evaluations = r.Engine.Evaluations()
	}
	return totals
}

// Verify visits the tickets in the pool and checks their number.
func (r *Tickets) Verify(v *lifecycle.Verifier, visit func(t lifecycle.Ticket)) {
	tickets := 0
	r.Visit(func(t lifecycle.Ticket) {
		tickets++
		visit(t)
	})
	if n := r.Pool.Waiting(); n != tickets {
		v.Errorf("%d tickets wait in the pool, %d are held", n, tickets)
	}
}

// RecordScene records the waiting tickets, which are in the given rows of the pool. It then runs
// call and records the matches and the ended searches.
func (r *Tickets) RecordScene(s *sim.Scene, rows []matcher.Row, call func()) {
	q := r.queue
	s.Queue, s.At = q.Index, q.Now()
	for _, row := range rows {
		s.Tickets = append(s.Tickets, r.sceneTicket(&r.holds[row]))
	}
	q.RecordScene(s, call)
}

// sceneTicket returns the record of a waiting ticket.
func (r *Tickets) sceneTicket(h *held) sim.SceneTicket {
	q, t := r.queue, h.id
	ticket := sim.SceneTicket{Search: *q.Record(t)}
	ticket.Began, ticket.Players = h.since, slices.Clone(ticket.Players)
	if !r.rtts {
		return ticket
	}
	members := q.Players.Members(t)
	for i := range members {
		ticket.RTTMS = append(ticket.RTTMS, appendRTTs(nil, q, &members[i], q.Own.Rules.Regions))
	}
	return ticket
}
