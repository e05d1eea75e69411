package engine

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Pass makes matches at an instant in ms. First, tickets that have given up leave. Then each
// session looks for players, the longest wait first; then each ticket, in order of age, is the
// seed of a match. A ticket created after the instant has a wait of 0. Tickets and sessions in
// a proposal have left the pool when Pass returns; add a session again, with its new members,
// if it still looks for players. The next Add may reuse their rows.
//
// If the longest wait determines the stages, a failed seed is not a candidate of the younger
// seeds after it, because every match that could contain it was tried.
//
// Cost: for every waiting ticket, a count of the tickets around it, 64 at a time; for a search,
// its candidates.
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

// serveFirst serves the sessions that come before all tickets, puts the sessions that are
// served in order of age into due, and returns the sessions that come last.
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

// serve serves sessions, one after another unless the method serves all of them together.
func (p *Pool) serve(sessions []Row) {
	if w, walks := p.method.(sessionWalker); walks {
		if len(sessions) > 0 {
			w.backfillAll()
		}
		return
	}
	for _, row := range sessions {
		p.reopen(p.all.index.Open)
		p.method.try(&circle{subset: p.all, seed: row, session: true})
		p.reopen(p.all.index.Close)
	}
}

// reopen calls do for each ticket that was a seed in this pass and is still waiting. Later
// seeds do not need it as a candidate, but a session does.
func (p *Pool) reopen(do func(Row)) {
	for _, row := range p.failed {
		if p.rows.Kind[row] == store.Ticket {
			do(row)
		}
	}
}

// begin starts a pass and drops the decisions of the last one.
func (p *Pool) begin(nowMS int64) {
	p.out = matcher.Outcome{
		Backfills: p.out.Backfills[:0], Matches: p.out.Matches[:0],
		Expired: p.out.Expired[:0], BudgetHits: p.out.BudgetHits[:0],
	}
	p.method.forget()
	p.failed = p.failed[:0]
	if nowMS < p.rows.NowMS {
		p.epoch++
	}
	p.rows.Advance(nowMS)
	if p.method.changed() {
		p.epoch++
	}
}

// circle is a seed and the tickets from which its match is made.
type circle struct {
	subset   *Subset
	reserve  *Subset // more candidates, ranked after all others at any age; or nil
	reserved int32   // upper bound of the reserve's players
	seed     Row
	session  bool
}

// verdict is the result of a seed.
type verdict uint8

const (
	failed    verdict = iota // there is no match
	matched                  // the match is in the outcome
	exhausted                // a budget ended the search: there may be a match
)

// failures are the failed seeds of a subset. A failed search would fail again as long as no
// ticket was added around the seed and the tickets there did not change, so it is not repeated.
// See also candidate.Index.Invalidate.
type failures struct {
	byRow []failure
	pass  uint32
	seen  uint64 // Rows.Changes at the last pass
	epoch uint64 // Pool.epoch at the last pass
}

// failure is the result of a seed in the last pass in which it was one.
type failure struct {
	pass      uint32 // see failures.pass; 0: it has not failed
	exhausted bool
	tickets   int32 // if exhausted: the number of tickets around it; if it is unchanged, none has left
}

// gather prepares the index for a pass.
func (s *Subset) gather(f *failures) {
	s.settle()
	if now := (moment{s.pool.rows.Changes, s.pool.exits}); s.indexed != now {
		s.indexed = now
		s.index.Gather(s.members, f.seen)
	} else {
		s.index.Reopen(s.members, f.seen)
	}
}

// seeds makes each member the seed, in order of age, until there are limit matches; 0: no
// limit.
func (s *Subset) seeds(f *failures, reserve *Subset, limit int) {
	p := s.pool
	s.gather(f)
	f.pass++
	known := f.epoch == p.epoch && reserve == nil // changes of a reserve are not tracked here
	for len(f.byRow) < p.rows.Len() {
		f.byRow = append(f.byRow, failure{})
	}
	reserved := int32(0)
	if reserve != nil {
		reserved = int32(reserve.Players())
	}
	seats, _ := p.method.(*seats)
	tracked := known && seats != nil && seats.invalidate(s, f.seen)
	ender, _ := p.method.(passEnder)
	if ender != nil && !ender.ends() {
		ender = nil
	}
	left := p.waiting
	if ender != nil && s != p.all {
		left = s.Len()
	}
	p.circle = circle{subset: s, reserve: reserve, reserved: reserved}
	keeps := reserve == nil && p.rules.Seats == nil && p.rules.Pivot == nil
	reopens := p.rules.Seats != nil && len(p.sessions) > 0
	for _, m := range s.members {
		seed := m.Row
		for len(p.due) > 0 && p.rows.Older(p.due[0], seed) {
			p.serve(p.due[:1])
			p.due = p.due[1:]
		}
		if p.rows.Kind[seed] != store.Ticket { // it may have joined one of these sessions
			continue
		}
		s.index.Close(seed)
		last := &f.byRow[seed]
		before := last.pass == f.pass-1
		again := known && before && !s.index.Fresh(seed)
		p.circle.seed = seed
		wasExhausted := again && last.exhausted
		v := failed
		if tracked && (m.Joined > f.seen || before && !last.exhausted) && !s.index.Stale(seed) {
			last.exhausted = false
		} else {
			v = s.tryUnlessKnown(&p.circle, last, again)
		}
		if v == matched {
			left -= len(p.out.Matches[len(p.out.Matches)-1].Tickets)
			if len(p.out.Matches) == limit || ender != nil && ender.over(seed, left) {
				break
			}
			continue
		}
		if ender != nil && ender.over(seed, left) {
			break
		}
		left--
		if reopens {
			p.failed = append(p.failed, seed)
		}
		if keeps && (v == exhausted || p.rules.ExpansionBasis == matcher.ShortestWait) {
			s.keep(seed, wasExhausted)
		}
		last.pass = f.pass
	}
	f.seen, f.epoch = p.rows.Changes, p.epoch
}

// tryUnlessKnown tries a seed unless it is known to fail, and updates its last result. again is
// set if that is from the previous pass.
func (s *Subset) tryUnlessKnown(c *circle, last *failure, again bool) verdict {
	p := s.pool
	if again && !last.exhausted && !s.index.AnyFresh() {
		return failed
	}
	p.around(c)
	if again && !s.index.News() && (!last.exhausted || last.tickets == s.index.Tickets()) {
		if last.exhausted {
			return exhausted
		}
		return failed
	}
	v := p.method.try(c)
	if last.exhausted = v == exhausted; last.exhausted {
		last.tickets = s.index.Tickets()
	}
	return v
}

// keep decides whether a failed seed remains a candidate of younger seeds: with ShortestWait, or
// if a budget ended its search.
func (s *Subset) keep(seed Row, wasExhausted bool) {
	if s.pool.rules.ExpansionBasis == matcher.ShortestWait {
		s.index.Open(seed)
	} else {
		s.index.Loosen(seed, !wasExhausted)
	}
}

// around starts the query for a seed's candidates.
func (p *Pool) around(c *circle) {
	c.subset.index.Around(c.seed, p.rows.Stage[c.seed], p.method.room(c.seed), !c.session && !p.Unfiltered)
}

// partition splits the tickets into parts that are matched separately if more than
// Ruleset.PartitionAbove are waiting. It splits along the texts of an EqualText rule, otherwise
// along the numbers of a NumberDistance rule, otherwise round-robin. Rules that do not change
// with the wait come before rules that do; then heavier rules come first. A rule is skipped if
// more than half of the tickets have the same value or no value. Tickets without a value join
// the largest part.
func (p *Pool) partition() {
	if v, batches := p.method.(*seats); batches {
		v.batch()
		return
	}
	split := p.rules.PartitionAbove > 0 && p.waiting > p.rules.PartitionAbove
	if !split && p.parts == nil {
		return
	}
	p.epoch++ // the parts differ in each pass
	p.parts = nil
	if !split {
		return
	}
	p.parts = make([]int32, p.rows.Len())
	rows := append(p.all.AppendRows(nil), p.sessions...)
	for _, rule := range p.dividers() {
		if p.splitAlong(rule, rows) {
			return
		}
	}
	parts := (p.waiting + p.rules.PartitionAbove - 1) / p.rules.PartitionAbove
	for i, row := range rows {
		p.parts[row] = int32(i % parts)
	}
}

// samePart returns those of the rows that are in the same part as another row.
func (p *Pool) samePart(rows []Row, as Row) []Row {
	return slices.DeleteFunc(rows, func(row Row) bool { return p.parts[row] != p.parts[as] })
}

// dividers returns the rules along which tickets may be split, the best first.
func (p *Pool) dividers() []criterion.Divider {
	var list []criterion.Divider
	for _, c := range p.method.criteria() {
		if c, ok := c.(criterion.Divider); ok {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b criterion.Divider) int {
		return cmp.Or(cmp.Compare(a.Unsuited(), b.Unsuited()), cmp.Compare(b.Rule().Weight, a.Rule().Weight))
	})
	return list
}

// splitAlong splits along the values of one rule, unless they do not suit. Rows are sorted by
// value and cut at a change of the value once a part is full.
func (p *Pool) splitAlong(rule criterion.Divider, rows []Row) bool {
	rows = slices.Clone(rows)
	value := rule.Order(p.schema)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(value(a), value(b)) }) // NaN first
	known := slices.IndexFunc(rows, func(row Row) bool { return !math.IsNaN(value(row)) })
	if known < 0 || 2*known > len(rows) || dominated(rows[known:], value, len(rows)) {
		return false
	}
	part, size, largest, largestSize := int32(0), 0, int32(0), 0
	for i := known; i < len(rows); i++ {
		if size >= p.rules.PartitionAbove && value(rows[i]) != value(rows[i-1]) {
			part, size = part+1, 0
		}
		p.parts[rows[i]] = part
		if size++; size > largestSize {
			largest, largestSize = part, size
		}
	}
	for _, row := range rows[:known] {
		p.parts[row] = largest
	}
	return true
}

// dominated reports whether more than half of all rows have the same value. The rows are sorted
// by value.
func dominated(rows []Row, value func(Row) float64, all int) bool {
	run := 0
	for i, row := range rows {
		if i > 0 && value(row) != value(rows[i-1]) {
			run = 0
		}
		if run++; 2*run > all {
			return true
		}
	}
	return false
}

// criteria implements method.
func (g *groups) criteria() []criterion.Criterion { return g.rules.All }
