package sim

import "mmsim/matcher"

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
	q.proposals.answer, q.proposals.delay = w.stream(PurposeAnswer), w.stream(PurposeAnswerDelay)
	return q, q.rules.init(&q.matchQueue, set, true)
}

// begin implements searching.
func (q *poolQueue) begin(t ticketID) {
	if _, ok := q.rules.admit(t); ok {
		q.become(t, StateWaiting)
		q.passAt = min(q.passAt, q.now.ceilTo(q.cfg.Tick))
	}
}

// decide implements queue.
func (q *poolQueue) decide() {
	switch q.now {
	case q.captures.next():
		q.film()
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
	if q.measuring {
		q.rules.book.exhausted(out.BudgetHits)
	}
	q.openSessions()
	q.passAt = q.nextPass()
}

// nextPass returns the first tick whose pass could decide anything.
func (q *poolQueue) nextPass() Instant {
	if q.rules.pool.Waiting() == 0 {
		return Never
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
	q.tellProposed(&f, q.made, false)
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
		return q.places.all()
	}
	return q.own.Rules.Regions[region]
}

// ruleTotals implements queue.
func (q *poolQueue) ruleTotals() *RuleTotals {
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
		if state := q.players.of(t).state; state != StateWaiting {
			v.fail("ticket %d in the pool or a proposal is %v", t, state)
		}
		v.visit(t, StateWaiting)
	}
	q.rules.verify(&v, visit)
	q.proposals.visit(visit)
	for match := range q.open {
		if q.open[match].waits && q.matches.state[match] != StatePlaying {
			v.fail("match %d takes players, but is %v", match, q.matches.state[match])
		}
	}
	v.finish()
}

// patience is the tickets of a pool that give up, and how many of them are explained.
type patience struct {
	looked int // comparisons made in a minute to explain who gives up
	minute Instant
	apart  Apart // scratch

	leaving []matcher.Row // scratch
}

// explainMax bounds the comparisons in a minute of virtual time that find out what
// kept apart those who give up. Under rules that keep thousands waiting, only some
// are explained.
const explainMax = 20_000

// loseGivingUp lets the tickets leave that have waited for GiveUp, oldest first. All of
// an instant leave together: what kept them apart from each other counts too.
func (q *poolQueue) loseGivingUp() {
	l, pool := &q.patience, q.rules.pool
	l.leaving = pool.AppendOldest(l.leaving[:0], int64(q.now.Add(-q.own.GiveUp)))
	for _, row := range l.leaving {
		if q.watched() {
			q.scratch.ended.Apart = q.explain(row)
		}
		q.end(q.rules.release(row), StateExpired)
		q.scratch.ended.Apart = nil
	}
	for _, row := range l.leaving {
		pool.Remove(row)
	}
}

// explain adds up what keeps a ticket apart from all others that wait, nil where too many
// have been compared in this minute. What it returns is good until the next call.
func (q *poolQueue) explain(row matcher.Row) *Apart {
	l := &q.patience
	if minute := q.now / Instant(Minute); minute != l.minute {
		l.minute, l.looked = minute, 0
	}
	if l.looked += q.rules.pool.Waiting(); l.looked > explainMax || q.rules.engine == nil {
		return nil
	}
	clear(l.apart.ByRule)
	l.apart = Apart{ByRule: l.apart.ByRule}
	q.rules.engine.KeptApart(int64(q.now), row, &l.apart)
	return &l.apart
}
