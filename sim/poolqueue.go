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
	scribe scribe
	pool   *matcher.Pool
	holds  []held // by row of the pool
	rules  ruleBook
	open   []openSession // by match, where the ruleset backfills

	group   []ticketID
	teams   []int16
	changed []uint32 // matches that may take further tickets, of this pass
}

// held is what stands in a row of the pool.
type held struct {
	what  uint32 // the ticket, or the match of an open session
	waits bool   // a ticket that waits
}

func newPoolQueue(w *world, index int) (*poolQueue, error) {
	own := w.cfg.Queues[index]
	pool, err := matcher.NewPool(own.Rules.Set, own.Rules.Schema)
	if err != nil {
		return nil, err
	}
	q := &poolQueue{pool: pool, scribe: scribe{Rules: own.Rules, lowest: true}}
	q.init(w, index, own.Rules.Set.MaxPlayers, q)
	q.rules.init(own.Rules.Set)
	return q, nil
}

// begin implements searching.
func (q *poolQueue) begin(t ticketID) {
	if why := q.own.Rules.Refuse(int(q.players.of(t).size)); why != nil {
		q.refuse(t, why)
		return
	}
	ticket := q.scribe.ticket(&q.matchQueue, t)
	ticket.GiveUpMS = int64(q.own.GiveUp)
	row, why := q.pool.Add(ticket)
	if why != nil {
		q.refuse(t, why)
		return
	}
	q.hold(row, held{t, true})
	q.become(t, StateWaiting)
	q.passAt = min(q.passAt, q.now.ceilTo(q.cfg.Tick))
}

// refuse ends the search of a ticket that the rules do not take.
func (q *poolQueue) refuse(t ticketID, why error) {
	if q.measuring {
		q.rules.refused(why, int(q.players.of(t).size))
	}
	q.end(t, StateRejected)
}

// hold notes what stands in a row of the pool.
func (q *poolQueue) hold(row matcher.Row, what held) {
	for int(row) >= len(q.holds) {
		q.holds = append(q.holds, held{})
	}
	q.holds[row] = what
}

// release returns the ticket of a row that left the pool.
func (q *poolQueue) release(row matcher.Row) ticketID {
	q.holds[row].waits = false
	return q.holds[row].what
}

// decide implements queue: one pass over the pool.
func (q *poolQueue) decide() {
	if q.passAt != q.now {
		return
	}
	out := q.pool.Pass(int64(q.now))
	for _, row := range out.Expired {
		q.end(q.release(row), StateExpired)
	}
	for i := range out.Backfills {
		q.backfill(&out.Backfills[i])
	}
	for i := range out.Matches {
		q.match(&out.Matches[i])
	}
	if q.measuring {
		q.rules.exhausted(out.BudgetHits)
	}
	q.openSessions()
	q.passAt = q.nextPass()
}

// nextPass returns the first tick whose pass could decide anything.
func (q *poolQueue) nextPass() Instant {
	if q.pool.Waiting() == 0 {
		return Never
	}
	return q.now.Add(q.cfg.Tick)
}

// match starts a match that the rules proposed.
func (q *poolQueue) match(p *matcher.Proposal) {
	f := q.form(p)
	f.datacenter = q.fairestOf(q.datacentersOf(p.Region), f.tickets)
	match := q.startMatch(f)
	if star := q.own.Rules.Set.Star; star != nil && star.Backfill {
		q.announce(match, &f)
	}
}

// form translates a proposal. What it returns is good until the next call.
func (q *poolQueue) form(p *matcher.Proposal) formed {
	q.group, q.teams = q.group[:0], q.teams[:0]
	if len(p.Teams) == 0 {
		for _, row := range p.Tickets {
			q.group = append(q.group, q.release(row))
		}
		return formed{tickets: q.group, region: int(p.Region), relaxed: q.relaxed(p.Tickets)}
	}
	for team, side := range p.Teams {
		for _, row := range side.Tickets {
			q.group = append(q.group, q.release(row))
			q.teams = append(q.teams, int16(team))
		}
	}
	return formed{tickets: q.group, teams: q.teams, region: int(p.Region), relaxed: q.relaxed(p.Tickets)}
}

// relaxed tells how far the rules had given way for tickets, the seed first.
func (q *poolQueue) relaxed(rows []matcher.Row) []Relaxed {
	return nil
}

// datacentersOf returns the datacenters of a region, all where there is none.
func (q *poolQueue) datacentersOf(region matcher.Region) uint64 {
	if region == matcher.NoRegion {
		return ^uint64(0) >> (MaxDatacenters - q.places.Datacenters)
	}
	return q.own.Rules.Regions[region]
}

// ruleTotals implements queue.
func (q *poolQueue) ruleTotals() *RuleTotals { return q.rules.result() }
