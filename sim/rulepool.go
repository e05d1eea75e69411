package sim

import "mmsim/matcher"

// rulePool is a queue's tickets as its ruleset sees them.
type rulePool struct {
	queue  *matchQueue
	pool   *matcher.Pool
	scribe scribe
	holds  []held // by row of the pool
	book   ruleBook

	group []ticketID
	teams []int16
}

// held is what stands in a row of the pool.
type held struct {
	what  uint32 // the ticket, or the match of an open session
	waits bool   // a ticket that waits
}

// init makes the pool empty. set is the ruleset of the queue, or as much of it as
// decides; rtts tells that it looks at RTTs.
func (r *rulePool) init(q *matchQueue, set *matcher.Ruleset, rtts bool) error {
	pool, err := matcher.NewPool(set, q.own.Rules.Schema)
	*r = rulePool{queue: q, pool: pool, scribe: scribe{Rules: q.own.Rules, rtts: rtts}}
	r.book.init()
	return err
}

// admit lets a ticket wait in the pool until it is matched, or for so long. Where
// the rules do not take it, its search ends.
func (r *rulePool) admit(t ticketID, giveUp Duration) (row matcher.Row, ok bool) {
	q := r.queue
	why := q.own.Rules.Refuse(int(q.players.of(t).size))
	if why == nil {
		ticket := r.scribe.ticket(q, t)
		ticket.GiveUpMS = int64(giveUp)
		row, why = r.pool.Add(ticket)
	}
	if why != nil {
		if q.measuring {
			r.book.refused(why, int(q.players.of(t).size))
		}
		q.end(t, StateRejected)
		return 0, false
	}
	r.hold(row, held{t, true})
	return row, true
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

// form translates a proposal. What it returns is good until the next call.
func (r *rulePool) form(p *matcher.Proposal) formed {
	r.group, r.teams = r.group[:0], r.teams[:0]
	for team, side := range p.Teams {
		for _, row := range side.Tickets {
			r.group = append(r.group, r.release(row))
			r.teams = append(r.teams, int16(team))
		}
	}
	f := formed{region: int(p.Region)}
	if len(p.Teams) == 0 {
		for _, row := range p.Tickets {
			r.group = append(r.group, r.release(row))
		}
	} else {
		f.teams = r.teams
	}
	f.tickets = r.group
	return f
}

// waiting visits the tickets in the pool and checks their number.
func (r *rulePool) verify(v *matchVerifier, visit func(t ticketID)) {
	tickets := 0
	for _, h := range r.holds {
		if h.waits {
			tickets++
			visit(h.what)
		}
	}
	if n := r.pool.Waiting(); n != tickets {
		v.fail("%d tickets wait in the pool, %d are held", n, tickets)
	}
}
