package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Pass makes matches at an instant in ms. First, tickets that have given up leave the pool. Then
// each session looks for players, in order of age. Then each ticket, in order of age, is the seed
// of a match. Sessions may also be served between tickets or after them, depending on
// Ruleset.SessionPriority. A ticket created after the instant has a wait of 0.
//
// Tickets and sessions in a proposal have left the pool when Pass returns, and the next Add may
// reuse their rows. If a session still looks for players, add it again with its new members.
//
// A seed without a match is not a candidate of younger seeds, with two exceptions under
// Ruleset.Rules: if the shortest wait determines the stages, and if a budget ended the seed's
// search.
//
// Cost: for every waiting ticket, Pass counts the tickets around it, 64 at a time. If there are
// enough, it compares them with the ticket.
func (p *Pool) Pass(nowMS int64) matcher.Outcome {
	p.begin(nowMS)
	p.out.Expired = p.rows.TakeExpired(p.out.Expired)
	for _, row := range p.out.Expired {
		p.Remove(row)
	}
	p.partition()
	last := p.serveFirst()
	p.all.seeds(&p.all.alone, nil, 0)
	p.serve(p.due)
	p.serve(last)
	p.due = p.due[:0]
	return p.out
}

// serveFirst serves the sessions with a high priority. It sets Pool.due to the sessions with a
// normal priority and returns those with a low priority.
func (p *Pool) serveFirst() (last []Row) {
	if len(p.sessions) == 0 {
		return nil
	}
	p.all.gather(&p.all.alone)
	var first []Row
	for _, row := range p.sessions {
		switch p.rules.SessionPriority(p.rows.WaitMS(row)) {
		case matcher.HighPriority:
			first = append(first, row)
		case matcher.NormalPriority:
			p.due = append(p.due, row)
		default:
			last = append(last, row)
		}
	}
	p.serve(first)
	return last
}

// serve lets sessions look for players.
func (p *Pool) serve(sessions []Row) {
	if p.backfillAll != nil {
		if len(sessions) > 0 {
			p.backfillAll()
		}
		return
	}
	if len(sessions) == 0 {
		return
	}
	p.all.index.OpenFailed() // a failed seed is not a candidate of later seeds, but sessions need it
	for _, row := range sessions {
		p.method.try(&window{subset: p.all, seed: row, session: true, query: &p.query})
	}
	p.all.index.CloseFailed()
}

// begin starts a pass and drops the decisions of the previous pass.
func (p *Pool) begin(nowMS int64) {
	p.out = matcher.Outcome{
		Backfills: p.out.Backfills[:0], Matches: p.out.Matches[:0],
		Expired: p.out.Expired[:0], BudgetHits: p.out.BudgetHits[:0],
	}
	p.made.begin()
	regions := p.schema.Regions()
	if p.method.begin() || regions != p.regions || nowMS < p.rows.NowMS {
		p.epoch++
	}
	p.regions = regions
	p.rows.Advance(nowMS)
}

// window is a seed and the tickets among which its match is sought.
type window struct {
	subset   *Subset
	reserve  *Subset // more candidates, which rank after all others, or nil
	reserved int32   // upper bound of the number of players in the reserve
	seed     Row
	query    *candidate.Query // the seed's candidates in the subset; see Pool.around
	session  bool             // the seed is a session
	missing  int32            // set by a failed try: the number of players that are missing around the seed, or 0 if unknown
}

// verdict is the result of a search around a seed.
type verdict uint8

const (
	failed    verdict = iota // there is no match
	matched                  // a match was added to the outcome
	exhausted                // a budget ended the search, so there may be a match
)

// failures records the seeds of a subset whose search failed. A failed search would fail again
// until enough players are added around the seed or a ticket there changes. Until then it is not
// repeated. See also candidate.Index.Invalidate.
type failures struct {
	byRow []failure
	pass  uint32
	seen  uint64 // value of Rows.Changes at the last pass of the subset
	epoch uint64 // value of Pool.epoch at the last pass of the subset
}

// failure is the result of the last failed search around a seed.
type failure struct {
	pass      uint32 // the value of failures.pass at that search, or 0 if no search has failed
	exhausted bool   // a budget ended the search
	spare     int32  // number of players that may be added around the seed while the search still fails
	tickets   int32  // if exhausted, the number of tickets around the seed, which shows whether any has left
}

// gather fills the index with the subset's members before a pass.
func (s *Subset) gather(f *failures) {
	s.compact()
	if now := s.pool.rows.Changes + s.pool.exits + s.pool.epoch; s.indexed != now { // a ticket was added, changed or left, or the rules have a different effect
		s.indexed = now
		s.index.Gather(s.members, f.seen)
	} else {
		s.index.Reopen(s.members, f.seen)
	}
}

// seeds makes each member the seed, in order of age. It stops when the number of matches reaches
// limit. If limit is 0, there is no limit.
func (s *Subset) seeds(f *failures, reserve *Subset, limit int) {
	p := s.pool
	s.gather(f)
	f.pass++
	known := f.epoch == p.epoch && reserve == nil // failures do not track changes of a reserve
	for len(f.byRow) < p.rows.Len() {
		f.byRow = append(f.byRow, failure{})
	}
	reserved := int32(0)
	if reserve != nil {
		reserved = int32(reserve.Players())
	}
	tracked := known && p.invalidate != nil && p.invalidate(s, f.seen)
	left := len(s.members)
	p.window = window{subset: s, reserve: reserve, reserved: reserved, query: &p.query}
	keeps, shortest := reserve == nil && p.rules.Seats == nil && p.rules.Pivot == nil, p.rules.ExpansionBasis == matcher.ShortestWait
	reopens := p.rules.Seats != nil && len(p.sessions) > 0
	for i := 0; i < len(s.members); i++ {
		m := s.members[i]
		seed := m.Row
		older := 0
		for older < len(p.due) && p.rows.Older(p.due[older], seed) {
			older++
		}
		p.serve(p.due[:older])
		p.due = p.due[older:]
		if p.rows.Kind[seed] != store.Ticket { // the seed may just have joined one of these sessions
			continue
		}
		s.index.Close(seed)
		last := &f.byRow[seed]
		before := last.pass == f.pass-1
		again := known && before && !s.index.Fresh(seed)
		p.window.seed = seed
		wasExhausted := again && last.exhausted
		v := failed
		if tracked && (m.Joined > f.seen || before && !last.exhausted) && !s.index.Stale(seed) {
			last.exhausted = false
		} else {
			v = s.tryUnlessKnown(&p.window, last, again)
		}
		if v == matched {
			left -= len(p.out.Matches[len(p.out.Matches)-1].Tickets)
			if len(p.out.Matches) == limit || p.over != nil && p.over(seed, left) {
				break
			}
			if last.pass = 0; p.rows.Kind[seed] == store.Ticket { // the match was made without the seed, see scan.Search.Fill
				i--
			}
			continue
		}
		if p.over != nil && p.over(seed, left) {
			break
		}
		left--
		if reopens {
			s.index.Fail(seed)
		}
		if keeps && shortest { // younger seeds need this seed as a candidate
			s.index.Open(seed)
		} else if keeps && v == exhausted {
			s.index.Loosen(seed, !wasExhausted)
		}
		last.pass = f.pass
	}
	f.seen, f.epoch = p.rows.Changes, p.epoch
}

// tryUnlessKnown tries a seed unless its search is known to fail. It updates last, the previous
// result of the seed. The parameter again is set if last is from the previous pass and the seed
// itself has not changed since.
func (s *Subset) tryUnlessKnown(w *window, last *failure, again bool) verdict {
	p := s.pool
	if again && !last.exhausted && !s.index.AnyFresh() {
		return failed
	}
	p.around(w)
	if again {
		if news := w.query.News(); news <= last.spare && (!last.exhausted || last.tickets == w.query.Tickets()) {
			if last.spare -= news; last.exhausted {
				return exhausted
			}
			return failed
		}
	}
	w.missing = 0
	v := p.method.try(w)
	last.spare = max(0, w.missing-1)
	if last.exhausted = v == exhausted; last.exhausted {
		last.tickets = w.query.Tickets()
	}
	return v
}

// around starts the query for a seed's candidates.
func (p *Pool) around(w *window) {
	w.query.Around(w.subset.index, w.seed, p.method.room(w.seed), !w.session && !p.Unfiltered)
}

// partition splits the tickets into parts that are matched separately. Under SeatRules, the parts
// are batches of Ruleset.Batch tickets and sessions. Under Ruleset.Rules, they have about
// Ruleset.PartitionAbove tickets. If no more than that are waiting, there is only one part.
func (p *Pool) partition() {
	waiting := p.waiting
	if p.rules.Seats != nil {
		waiting += len(p.sessions)
	}
	split := p.partSize > 0 && waiting > p.partSize
	if split || p.parts != nil {
		p.epoch++ // failed searches may succeed now, because each pass has other parts
	}
	if p.parts = nil; split {
		p.parts = make([]int32, p.rows.Len())
		p.split(append(p.all.AppendRows(nil), p.sessions...))
	}
}

// Parts returns the number of parts into which the last pass divided the tickets.
func (p *Pool) Parts() int {
	parts := int32(1)
	for _, part := range p.parts {
		parts = max(parts, part+1)
	}
	return int(parts)
}

// samePart deletes rows that are in a different part than a seed.
func (p *Pool) samePart(rows []Row, seed Row) []Row {
	if p.parts == nil {
		return rows
	}
	return slices.DeleteFunc(rows, func(row Row) bool { return p.parts[row] != p.parts[seed] })
}
