package engine

import (
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// history is what a subset knows about a seed from its last pass, when the next pass reaches it. A
// search would have the same result as in the last pass until enough players are added around the
// seed or a ticket there changes. The pass then takes that result instead of searching:
//
//	history    the seed                                  the pass searches if
//	unknown    joined or changed its stage since then,   always
//	           or it was not a seed without a match
//	failed     had no match                              more than failure.spare players around it are fresh
//	exhausted  had a search that a budget ended          a ticket around it is fresh or has left
//	hopeless   had no match or joined since then, and    never; it has no match
//	           seats.invalidate did not make it stale
//
// All seeds are unknown if a rule now has another effect (Pool.epoch) or if there is a reserve, whose
// changes are not tracked. A seed is hopeless only under FlexMatch rules.
//
// If all seeds were unknown, 30 passes over 10,000 tickets that have no match would take 3 times as much
// CPU time under PlayFab's skill and region rules, and 10 times as much under AccelByte's service.
type history uint8

const (
	unknown history = iota
	hasFailed
	wasExhausted
	hopeless
)

// failures records the seeds of a subset whose search failed. See history and
// candidate.Index.Invalidate.
type failures struct {
	byRow   []failure
	pass    uint32
	seen    uint64 // value of Rows.Changes at the last pass of the subset
	epoch   uint64 // value of Pool.epoch at the last pass of the subset
	known   bool   // the last pass tells what searches would find in this pass
	tracked bool   // the index knows which seeds are hopeless
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
		s.index.Restart(s.members, f.seen)
	}
}

// begin prepares the failures for a pass over the index of a subset.
func (f *failures) begin(s *Subset, reserve *Subset) {
	p := s.pool
	f.pass++
	for len(f.byRow) < p.rows.Len() {
		f.byRow = append(f.byRow, failure{})
	}
	f.known = f.epoch == p.epoch && reserve == nil
	f.tracked = f.known && p.invalidate != nil && p.invalidate(s, f.seen)
}

// of returns the history of a member.
func (f *failures) of(s *Subset, m *candidate.Member) history {
	last := &f.byRow[m.Row]
	before := last.pass == f.pass-1
	switch {
	case f.tracked && (m.Joined > f.seen || before && !last.exhausted) && !s.index.Stale(m.Row):
		return hopeless
	case !f.known || !before || s.index.Fresh(m.Row):
		return unknown
	case last.exhausted:
		return wasExhausted
	}
	return hasFailed
}

// seeds makes each member the seed, in order of age. It stops when the number of matches reaches
// limit. If limit is 0, there is no limit.
func (s *Subset) seeds(f *failures, reserve *Subset, limit int) {
	p := s.pool
	s.gather(f)
	p.window = window{subset: s, reserve: reserve, query: &p.query}
	if reserve != nil {
		p.window.reserved = int32(reserve.Players())
	}
	f.begin(s, reserve)
	left := len(s.members)
	for i := 0; i < len(s.members); i++ {
		seed := s.members[i].Row
		if len(p.due) > 0 {
			p.serveOlder(seed)
		}
		if p.rows.Kind[seed] != store.Ticket { // the seed may just have joined one of these sessions
			continue
		}
		s.index.Seed(seed)
		p.window.seed = seed
		last, was := &f.byRow[seed], f.of(s, &s.members[i])
		v := s.result(&p.window, last, was)
		if v == matched {
			left -= len(p.out.Matches[len(p.out.Matches)-1].Tickets)
			if len(p.out.Matches) == limit || p.over != nil && p.over(seed, left) {
				break
			}
			if last.pass = 0; p.rows.Kind[seed] == store.Ticket { // the match was made without the seed, see accelservice.Search.Fill
				i--
			}
			continue
		}
		if p.over != nil && p.over(seed, left) {
			break
		}
		left--
		s.keep(&p.window, v, was)
		last.pass = f.pass
	}
	f.seen, f.epoch = p.rows.Changes, p.epoch
}

// result returns the result of a search around a seed. It searches only if the seed's history does
// not tell the result. It updates last, the previous result of the seed.
func (s *Subset) result(w *window, last *failure, was history) verdict {
	p := s.pool
	switch {
	case was == hopeless:
		last.exhausted = false
		return failed
	case was == hasFailed && !s.index.AnyFresh():
		return failed
	}
	p.around(w)
	if was != unknown {
		if news := w.query.News(); news <= last.spare && (was == hasFailed || last.tickets == w.query.Tickets()) {
			if last.spare -= news; was == wasExhausted {
				return exhausted
			}
			return failed
		}
	}
	w.missing, w.again = 0, was == hasFailed
	v := p.method.try(w)
	last.spare = max(0, w.missing-1)
	if last.exhausted = v == exhausted; last.exhausted {
		last.tickets = w.query.Tickets()
	}
	return v
}

// keep makes a seed without a match a candidate of younger seeds or of sessions, if it may be one.
func (s *Subset) keep(w *window, v verdict, was history) {
	p := s.pool
	switch {
	case p.rules.Seats != nil:
		if len(p.sessions) > 0 {
			s.index.Fail(w.seed)
		}
	case p.rules.Pivot != nil || w.reserve != nil:
	case !p.ordered:
		s.index.Offer(w.seed)
	case v == exhausted:
		s.index.Loosen(w.seed, was != wasExhausted)
	}
}
