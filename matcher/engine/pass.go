package engine

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Pass makes matches among all that wait at an instant, in ms: first those that have given
// up leave; then each session looks for players, longest wait first; then each ticket in
// order of age is the seed of a match. A ticket that is created later than the instant
// counts as just come. What is in a proposal has left the pool when Pass returns,
// sessions included: add one again, with its new members, if it still looks for players.
// Rows of those that left may be given out again by the next Add.
//
// Where the longest wait sets the stages, a seed that found nothing is no candidate of the
// younger ones that follow: every match that it could be in was tried.
//
// Cost: for every ticket that waits a count of those around it, 64 at a time; for a search
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

// serveFirst lets the sessions look for players that come before all tickets, puts those
// into due that come by their age, and returns those that come last.
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

// serve lets sessions look for players, one after the other unless the method walks along
// all of them.
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

// reopen does something with each ticket that was a seed in this pass and still waits. No
// later seed needs it as a candidate, but a session does.
func (p *Pool) reopen(do func(Row)) {
	for _, row := range p.failed {
		if p.rows.Kind[row] == store.Ticket {
			do(row)
		}
	}
}

// begin starts a pass: what the last one decided is forgotten.
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

// circle is a seed and those among whom it looks for others.
type circle struct {
	subset   *Subset
	reserve  *Subset // candidates of any age, after all others; or nil
	reserved int32   // players of the reserve, at most
	seed     Row
	session  bool
}

// verdict is what a seed came to.
type verdict uint8

const (
	failed    verdict = iota // there is no match
	matched                  // it is in the outcome
	exhausted                // a budget ended the search: there may be one
)

// failures are the seeds of a subset that found nothing. A search that failed would fail
// again as long as nobody new is around the seed and nothing about those there changed:
// so it is not repeated.
type failures struct {
	byRow []failure
	pass  uint32
	seen  uint64 // Rows.Changes at the last pass
	epoch uint64 // Pool.epoch at the last pass
}

// failure is what is known of a seed from the last pass in which it was one.
type failure struct {
	pass      uint32 // see failures.pass; 0: it has not failed
	exhausted bool
	tickets   int32 // of exhausted ones: those around it, of which none has left since if there are as many
}

// gather makes the index ready for a pass.
func (s *Subset) gather(f *failures) {
	s.settle()
	if now := (moment{s.pool.rows.Changes, s.pool.exits}); s.indexed != now {
		s.indexed = now
		s.index.Gather(s.members, f.seen)
	} else {
		s.index.Reopen(s.members, f.seen)
	}
}

// seeds makes each member the seed, in order of age, until there are as many matches as
// wanted; 0: all.
func (s *Subset) seeds(f *failures, reserve *Subset, limit int) {
	p := s.pool
	s.gather(f)
	f.pass++
	known := f.epoch == p.epoch && reserve == nil // a reserve changes without being seen here
	for len(f.byRow) < p.rows.Len() {
		f.byRow = append(f.byRow, failure{})
	}
	reserved := int32(0)
	if reserve != nil {
		reserved = int32(reserve.Players())
	}
	ender, _ := p.method.(passEnder)
	left := p.waiting
	if ender != nil && s != p.all {
		left = s.Len()
	}
	for i := range s.members {
		seed := s.members[i].Row
		if p.rows.Kind[seed] != store.Ticket {
			continue
		}
		for len(p.due) > 0 && p.rows.Older(p.due[0], seed) {
			p.serve(p.due[:1])
			p.due = p.due[1:]
		}
		if p.rows.Kind[seed] != store.Ticket { // it joined one of those
			continue
		}
		s.index.Close(seed)
		last := f.byRow[seed]
		again := known && last.pass == f.pass-1 && !s.index.Fresh(seed)
		p.circle = circle{subset: s, reserve: reserve, reserved: reserved, seed: seed}
		v, now := s.tryUnlessKnown(&p.circle, last, again)
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
		if p.rules.Seats != nil && len(p.sessions) > 0 {
			p.failed = append(p.failed, seed)
		}
		if reserve == nil {
			s.keep(seed, v, again && last.exhausted)
		}
		now.pass = f.pass
		f.byRow[seed] = now
	}
	f.seen, f.epoch = p.rows.Changes, p.epoch
}

// tryUnlessKnown tries a seed unless it is known to fail. again tells that last is of the
// pass before this one.
func (s *Subset) tryUnlessKnown(c *circle, last failure, again bool) (v verdict, now failure) {
	p := s.pool
	if again && !last.exhausted && !s.index.AnyFresh() {
		return failed, last
	}
	p.around(c)
	if again && !s.index.News() && (!last.exhausted || last.tickets == s.index.Tickets()) {
		if last.exhausted {
			return exhausted, last
		}
		return failed, last
	}
	if v = p.method.try(c); v == exhausted {
		now.exhausted, now.tickets = true, s.index.Tickets()
	}
	return v, now
}

// keep settles whether a seed that found nothing is a candidate of the younger ones.
func (s *Subset) keep(seed Row, v verdict, wasExhausted bool) {
	switch {
	case s.pool.rules.Seats != nil || s.pool.rules.Pivot != nil:
	case s.pool.rules.ExpansionBasis == matcher.ShortestWait:
		s.index.Open(seed)
	case v == exhausted:
		s.index.Loosen(seed, !wasExhausted)
	}
}

// around begins the query for a seed's candidates.
func (p *Pool) around(c *circle) {
	c.subset.index.Around(c.seed, p.rows.Stage[c.seed], p.method.room(c.seed), !c.session && !p.Unfiltered)
}

// partition splits the tickets into parts that are matched apart when more wait than
// Ruleset.PartitionAbove: along the texts of an EqualText rule, or else along the numbers
// of a NumberDistance rule, or else by turns. Rules that do not change with the wait come
// before those that do, then heavier ones. A rule is passed over when one value stands for
// more than half of the tickets, or half of them have none. Tickets without a value go to
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
	p.epoch++ // parts are drawn anew in each pass
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

// samePart keeps of some rows those in the part of another.
func (p *Pool) samePart(rows []Row, as Row) []Row {
	return slices.DeleteFunc(rows, func(row Row) bool { return p.parts[row] != p.parts[as] })
}

// dividers returns the rules that tickets may be split along, the best first.
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

// splitAlong splits along the values of one rule, if they are good for it: rows in the
// order of their values, cut where a part is full and the value changes.
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

// dominated tells whether one value, of rows in the order of their values, stands for more
// than half of all.
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
