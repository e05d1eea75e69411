package engine

import (
	"mmsim/matcher"
	"mmsim/sim"
)

// poolQueue is a queue whose tickets wait in one pool, in which a ruleset decides
// who meets whom and in which region. A match goes to the datacenter of that region
// that has the lowest worst RTT, the first such. States do not apply; a ticket that
// has waited for GiveUp leaves at the next tick.
//
// Where the ruleset backfills, a match with free seats takes further tickets at
// every tick as long as it lasts. Who joins plays until the end of that match.
type poolQueue struct {
	matchQueue
	rules     rulePool
	proposals proposals     // where players are asked
	open      []openSession // by match, where the ruleset backfills
	changed   []uint32      // matches that may take further tickets, of this pass

	patience patience
}

func newPoolQueue(w *world, index int) (*poolQueue, error) {
	q := new(poolQueue)
	set := w.cfg.Queues[index].Rules.Set
	q.init(w, index, set.MaxPlayers, q)
	q.proposals.answer, q.proposals.delay = w.stream(sim.PurposeAnswer), w.stream(sim.PurposeAnswerDelay)
	return q, q.rules.init(&q.matchQueue, set, true)
}

// begin implements searching.
func (q *poolQueue) begin(t ticketID) {
	if _, ok := q.rules.admit(t); ok {
		q.become(t, sim.StateWaiting)
		q.passAt = min(q.passAt, q.now.CeilTo(q.cfg.Tick))
	}
}

// decide implements queue.
func (q *poolQueue) decide() {
	switch q.now {
	case q.captures.next():
		q.recordedPass()
	case q.passAt:
		q.pass()
	}
}

// pass is one pass over the pool.
func (q *poolQueue) pass() {
	q.loseGivingUp()
	out := q.rules.pool.Pass(int64(q.now))
	q.fault = out.Fault
	for i := range out.Backfills {
		q.backfill(&out.Backfills[i])
	}
	for i := range out.Matches {
		q.match(&out.Matches[i])
	}
	q.rules.exhausted(out.BudgetHits)
	q.openSessions()
	q.passAt = q.nextPass()
}

// nextPass returns the first tick whose pass could decide anything.
func (q *poolQueue) nextPass() sim.Instant {
	if q.rules.pool.Waiting() == 0 {
		return sim.Never
	}
	return q.now.Add(q.cfg.Tick)
}

// match starts a match that the rules proposed.
func (q *poolQueue) match(p *matcher.Proposal) {
	f := q.rules.form(p, q.now)
	f.datacenter = q.fairestOf(q.datacentersOf(p.Region), f.tickets)
	if q.own.Acceptance == nil {
		q.start(&f)
		return
	}
	q.recordProposed(&f, q.made, false)
	q.propose(&f)
}

// start starts a match.
func (q *poolQueue) start(f *formed) {
	match := q.startMatch(f)
	q.own.Rules.Outside.Started(q.made - 1)
	if rules := q.own.Rules; rules.Outside == nil && rules.Set.Backfills() || rules.Outside != nil && rules.Backfills {
		q.announce(match, f)
	}
}

// datacentersOf returns the datacenters of a region, all where there is none.
func (q *poolQueue) datacentersOf(region matcher.Region) uint64 {
	if region == matcher.NoRegion {
		return q.places.AllDatacenters()
	}
	return q.own.Rules.Regions[region]
}

// ruleTotals implements queue.
func (q *poolQueue) ruleTotals() *sim.RuleTotals {
	totals := q.rules.totals()
	if q.own.Acceptance != nil {
		acceptance := q.proposals.totals
		totals.Acceptance = &acceptance
	}
	q.proposals.visit(func(t ticketID) { totals.SearchingAtEnd += int(q.players.of(t).size) })
	return totals
}

// verify implements queue.
func (q *poolQueue) verify(all *verifier) {
	v := q.verifier(all)
	visit := func(t ticketID) {
		if state := q.players.of(t).state; state != sim.StateWaiting {
			v.fail("ticket %d in the pool or a proposal is %v", t, state)
		}
		v.visit(t, sim.StateWaiting)
	}
	q.rules.verify(&v, visit)
	q.proposals.visit(visit)
	for match := range q.open {
		if q.open[match].waits && !q.playing(uint32(match)) {
			v.fail("match %d takes players, but is not being played", match)
		}
	}
	v.finish()
}

// unfinished implements queue.
func (q *poolQueue) unfinished(report func(s *sim.Search)) {
	var tickets []ticketID
	add := func(t ticketID) { tickets = append(tickets, t) }
	q.rules.visit(add)
	q.proposals.visit(add)
	q.reportOldestFirst(tickets, report)
}
