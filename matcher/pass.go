package matcher

import "slices"

// seedMemory is what is known of a ticket or session from the last time it was a
// seed and found nothing.
type seedMemory struct {
	failed    bool
	exhausted bool // a budget ended its search; then it is in Pool.tired
}

// Pass makes matches among all who wait at an instant, in ms: first who has given
// up leaves; then each session looks for players, longest wait first; then each
// ticket in order of age is the seed of a match. A ticket that is created later
// than the instant counts as just come. Whoever is in a proposal has left
// the pool when Pass returns, sessions included: add one again, with its new
// members, if it still looks for players. Rows of those who left may be given out
// again by the next Add.
//
// A seed that found nothing is not tried again until a ticket in its reach is new,
// or reached another stage of some rule, or it did itself. Nobody's leaving can
// help it: the search saw all groups. After a search that ran out of budget it
// can, so then those count who left its reach.
//
// Cost: a few tickets around the seed in the index for every match, and a search
// for every seed that is tried in vain.
func (p *Pool) Pass(nowMS int64) Outcome {
	var out Outcome
	p.advance(nowMS)
	out.Expired = p.expire()
	if p.star != nil {
		p.clock.changed = p.clock.changed[:0]
		p.star.pass(&out)
		return out
	}
	p.partition()
	p.wake()
	p.search.ranker.bounds.forget(p)
	for _, row := range slices.Clone(p.sessions) {
		p.try(row, false, &out)
	}
	for _, row := range p.inOrder() {
		if p.state[row] != rowTicket {
			continue
		}
		p.try(row, true, &out)
		if p.state[row] == rowTicket {
			p.search.ranker.bounds.pass(p, row)
		}
	}
	return out
}

// inOrder returns all who wait, in order of age. The slice is good for one pass.
func (p *Pool) inOrder() []Row {
	rows := p.seeds[:0]
	for _, chunk := range p.index.all.byAge.chunks {
		for i := range chunk {
			rows = append(rows, chunk[i].row)
		}
	}
	p.seeds = rows
	return rows
}

// expire takes out who has given up, in order of age.
func (p *Pool) expire() []Row {
	var gone []Row
	for _, s := range p.clock.lapsed {
		if p.is(s) {
			gone = append(gone, s.row)
		}
	}
	p.clock.lapsed = p.clock.lapsed[:0]
	slices.SortFunc(gone, p.order)
	gone = slices.Compact(gone)
	for _, row := range gone {
		p.Remove(row)
	}
	return gone
}

// try makes a row the seed, if it is worth it.
func (p *Pool) try(row Row, inOrder bool, out *Outcome) {
	m := &p.memory[row]
	if m.failed {
		return
	}
	verdict := p.search.run(row, inOrder)
	if verdict == exhausted {
		out.BudgetHits = append(out.BudgetHits, BudgetHit{row, GroupSearch})
	}
	if p.search.teamHit {
		out.BudgetHits = append(out.BudgetHits, BudgetHit{row, TeamSearch})
	}
	if verdict != found {
		if *m = (seedMemory{true, verdict == exhausted || p.search.teamHit}); m.exhausted {
			p.tired = append(p.tired, stamp{row, p.version[row]})
		}
		return
	}
	proposal, session := p.propose(), p.details[row]
	if session != nil {
		proposal.Tickets = proposal.Tickets[1:]
		if session.Region != NoRegion {
			proposal.Region, proposal.Regions = session.Region, []Region{session.Region}
		}
		out.Backfills = append(out.Backfills, Backfill{row, proposal})
		p.Remove(row)
	} else {
		out.Matches = append(out.Matches, proposal)
	}
	for _, ticket := range proposal.Tickets {
		p.Remove(ticket)
	}
}

// propose turns the group that was found into a proposal.
func (p *Pool) propose() Proposal {
	s := &p.search
	group := s.group()
	proposal := Proposal{Tickets: group, Region: NoRegion, Regions: p.regions(group, s.top().old, s.top().young)}
	if len(proposal.Regions) > 0 {
		proposal.Region = proposal.Regions[0]
	}
	if len(p.rules.Teams) > 0 {
		proposal.Teams = p.teamer.result(p.details[group[0]])
	}
	return proposal
}

// wake makes seeds that found nothing worth another try: those that changed, and
// those that may meet somebody who did.
func (p *Pool) wake() {
	asleep := p.asleep()
	for _, s := range p.clock.changed {
		if !p.is(s) {
			continue
		}
		p.memory[s.row].failed = false
		if asleep && p.state[s.row] == rowTicket {
			p.wakeAround(s.row)
		}
	}
	p.clock.changed = p.clock.changed[:0]
}

// asleep tells whether anybody is to be woken, and wakes all when what is known
// does not hold any more: a first negative sum came, or tickets are partitioned.
func (p *Pool) asleep() bool {
	upset := p.partitioned
	for _, c := range p.groups {
		if negative := c.negatives > 0; negative != c.wasNegative {
			c.wasNegative, upset = negative, true
		}
	}
	asleep := false
	for row := range p.memory {
		if upset {
			p.memory[row].failed = false
		}
		asleep = asleep || p.memory[row].failed
	}
	return asleep
}

// wakeTired wakes the seeds that a budget stopped and that lose a candidate: one
// who leaves, or whose rules change. Call it before the change. last tells that
// also a rule about totals changes: the last negative sum leaves.
func (p *Pool) wakeTired(row Row, last bool) {
	kept := p.tired[:0]
	for _, s := range p.tired {
		if m := &p.memory[s.row]; !p.is(s) || !m.failed {
			continue
		}
		if _, meet := p.pair(s.row, row); meet || last {
			p.memory[s.row].failed = false
			continue
		}
		kept = append(kept, s)
	}
	p.tired = kept
}

// wakeAround wakes the seeds that may meet a ticket.
func (p *Pool) wakeAround(row Row) {
	r := &p.search.ranker
	r.begin(row, false)
	for i := range r.streams {
		s := &r.streams[i]
		for more := true; more; more = r.move(s) {
			if other := s.list.at(s.at).row; p.memory[other].failed {
				if _, meet := p.pair(row, other); meet {
					p.memory[other].failed = false
				}
			}
		}
	}
	for _, session := range p.sessions {
		if _, meet := p.pair(session, row); meet {
			p.memory[session].failed = false
		}
	}
}
