package matcher

import "slices"

// Pass makes matches among all who wait at an instant, in ms: first who has given
// up leaves; then each session looks for players, longest wait first; then each
// ticket in order of age is the seed of a match. A ticket that is created later
// than the instant counts as just come. Whoever is in a proposal has left
// the pool when Pass returns, sessions included: add one again, with its new
// members, if it still looks for players. Rows of those who left may be given out
// again by the next Add.
//
// A seed that found nothing is not tried again until so many players have come into
// its reach as it misses, a rule has changed there with somebody's wait, or it did
// itself. Nobody's leaving can help it: the search saw all groups. After a search
// that ran out of budget it can, so then those count who left its reach.
//
// Where the longest wait sets the stages, no match has a seed in vain as its oldest
// ticket; so it is no candidate of the younger ones that follow, which changes
// nothing but the budget that they need.
//
// Cost: a look at each who waits, and for most of them one around by sets of 64; for a
// match its candidates, or from some thousand tickets on a few around the seed in the
// index. Nothing is allocated once slices have grown.
func (p *Pool) Pass(nowMS int64) Outcome {
	p.begin(nowMS)
	p.expire()
	p.all.settle()
	p.close()
	if p.star != nil {
		p.star.pass()
		return p.out
	}
	p.partition()
	p.all.wake(&p.all.alone, nil)
	for _, row := range slices.Clone(p.sessions) {
		p.all.try(&p.all.alone, circle{subset: &p.all, seed: row, at: -1})
	}
	p.all.seeds(&p.all.alone, nil, 0)
	return p.out
}

// begin starts a pass: what the last one decided is forgotten.
func (p *Pool) begin(nowMS int64) {
	p.out = Outcome{p.out.Backfills[:0], p.out.Matches[:0], p.out.Expired[:0], p.out.BudgetHits[:0]}
	p.rows, p.sides, p.regionList = p.rows[:0], p.sides[:0], p.regionList[:0]
	p.advance(nowMS)
	p.upset()
}

// expire takes out who has given up, in order of age.
func (p *Pool) expire() {
	gone := p.out.Expired
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
	p.out.Expired = gone
}

// seeds makes each member the seed, in order of age, until there are as many
// matches as wanted; 0: all.
func (s *Subset) seeds(r *recall, reserve *Subset, limit int) {
	p := s.pool
	s.unsettled = false
	indexed := s == &p.all && p.index.on
	p.search.ranker.bounds.forget(p)
	for i := range s.members {
		row := s.members[i].row
		if p.state[row] != rowTicket {
			continue
		}
		if !indexed {
			if s.gathered.turn(row); s.asking && s.ask(r, row) && r == &s.alone {
				continue // it is settled
			}
		}
		if r.memory[row].missing == 0 && s.try(r, circle{s, reserve, row, i}) {
			if len(p.out.Matches) == limit {
				return
			}
			continue
		}
		if !s.settled(row) {
			s.unsettled = true
			p.search.ranker.bounds.pass(p, row)
		}
	}
}

// settled tells whether a ticket that was a seed is no candidate of younger ones:
// there is no match with it as the longest-waiting.
func (s *Subset) settled(row Row) bool {
	m := &s.alone.memory[row]
	return s.pool.ordered && m.missing > 0 && !m.exhausted
}

// try makes a ticket or session the seed, if it is worth it, and tells whether it
// found a match.
func (s *Subset) try(r *recall, c circle) bool {
	p, row := s.pool, c.seed
	if r.memory[row].missing > 0 {
		return false
	}
	verdict, missing, counted := p.search.run(&c)
	if verdict == exhausted {
		p.out.BudgetHits = append(p.out.BudgetHits, BudgetHit{row, GroupSearch})
	}
	if p.search.teamHit {
		p.out.BudgetHits = append(p.out.BudgetHits, BudgetHit{row, TeamSearch})
	}
	if verdict != found {
		s.fails(r, c.at, row, seedMemory{missing: int32(missing), counted: counted, exhausted: verdict == exhausted || p.search.teamHit})
		return false
	}
	proposal := p.propose()
	if p.state[row] == rowSession {
		proposal.Tickets = proposal.Tickets[1:]
		if at := p.details[row].Region; at != NoRegion {
			proposal.Region, proposal.Regions = at, p.regionSlice(at)
		}
		p.out.Backfills = append(p.out.Backfills, Backfill{row, proposal})
		p.Remove(row)
	} else {
		p.out.Matches = append(p.out.Matches, proposal)
	}
	for _, ticket := range proposal.Tickets {
		p.Remove(ticket)
	}
	s.gathered.leave(proposal.Tickets)
	return true
}

// propose turns the group that was found into a proposal.
func (p *Pool) propose() Proposal {
	s := &p.search
	from := len(p.rows)
	for i := range s.frames[:s.depth] {
		p.rows = append(p.rows, s.frames[i].row)
	}
	group := p.rows[from:len(p.rows):len(p.rows)]
	proposal := Proposal{Tickets: group, Region: NoRegion, Regions: p.regions(group, s.top())}
	if len(proposal.Regions) > 0 {
		proposal.Region = proposal.Regions[0]
	}
	if len(p.rules.Teams) > 0 {
		proposal.Teams = p.teamer.result(group[0])
	}
	return proposal
}

// wakeAround counts a changed ticket for the seeds asleep whose candidate it is.
func (p *Pool) wakeAround(row Row) {
	r, memory := &p.search.ranker, p.all.alone.memory
	r.begin(row, false)
	for i := range r.streams {
		s := &r.streams[i]
		for more := true; more; more = r.move(s) {
			other := s.list.at(s.at).row
			if m := &memory[other]; m.missing > 0 && (m.exhausted || !p.ordered || p.older(other, row)) {
				p.all.alone.call(p, other, row)
			}
		}
	}
}
