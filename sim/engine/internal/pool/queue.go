// Package pool implements a queue in which all tickets wait in one pool. A ruleset makes matches
// from the pool at every tick.
//
// Tickets do not use the states IDEAL, EXPAND and WARMBODY of Glenn Fiedler's article (see
// sim.State). A ticket waits until it is matched or gives up. If the ruleset or the external
// matchmaker supports backfill, a running match with free seats takes more tickets (backfill.go).
package pool

import (
	"cmp"
	"slices"

	"mmsim/matcher"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/rules"
	"mmsim/sim/engine/internal/world"
)

// Queue is a queue with one pool. The ruleset decides which tickets play together and in which
// region. The match takes place in the first datacenter of that region for which the highest RTT of
// the players is lowest. A ticket that has waited for GiveUp leaves at the next tick, and so
// does a ticket whose players cancel. Queue implements the engine's queue interface and
// lifecycle.Searcher.
type Queue struct {
	lifecycle.Queue
	rules   rules.Tickets
	open    []openSession // by match; used only if matches take more tickets after they have begun
	changed []uint32      // matches of this pass that may have free seats
	leaving []matcher.Row // scratch of cancel and expire
	late    []matcher.Row // tickets whose time is over and that began to wait anew; scratch of cancel
}

// New returns an empty queue.
func New(w *world.World, index int) (*Queue, error) {
	q := new(Queue)
	set := w.Config.Queues[index].Rules.Set
	q.Init(w, index, set.MaxPlayers, q)
	return q, q.rules.Init(&q.Queue, set, true)
}

// Begin implements lifecycle.Searcher.
func (q *Queue) Begin(t lifecycle.Ticket) {
	if q.wait(t) {
		q.Become(t, sim.StateWaiting)
	}
}

// Resume implements lifecycle.Searcher.
func (q *Queue) Resume(t lifecycle.Ticket, _ lifecycle.Clock) { q.wait(t) }

// wait adds a ticket to the pool. If the rules refuse it, its search ends and wait returns false.
func (q *Queue) wait(t lifecycle.Ticket) bool {
	row, ok := q.rules.Admit(t)
	if ok {
		q.watch(t, row)
		q.SchedulePass()
	}
	return ok
}

// watch schedules what may end the search of a ticket that has entered a row of the pool.
func (q *Queue) watch(t lifecycle.Ticket, row matcher.Row) {
	if q.rules.Since(row) > q.Players.Of(t).Began {
		q.CancelAt(q.givesUp(t), uint32(row))
	}
	q.CancelBefore(q.givesUp(t), t, uint32(row))
}

// Returns runs the timers that are due now, except those of matches that end.
func (q *Queue) Returns() {
	q.Queue.Returns()
	q.openSessions()
}

// Decide makes a pass if one is due now.
func (q *Queue) Decide() {
	switch {
	case q.Captured():
		q.recordedPass()
	case q.PassAt == q.Now():
		q.pass()
	}
}

// UsableChanged measures the waiting tickets anew. Sessions in datacenters that may not be used leave
// the pool, and come back when these may be used again.
func (q *Queue) UsableChanged() {
	q.rules.MeasureAgain(q.watch)
	reopened := len(q.changed)
	for match := range q.open {
		o := &q.open[match]
		switch usable := q.Usable()>>o.datacenter&1 != 0; {
		case o.waits && !usable:
			q.Ending(uint32(match))
			o.shut = true
		case o.shut && usable:
			o.shut = false
			if q.Playing(uint32(match)) {
				q.changed = append(q.changed, uint32(match))
			}
		}
	}
	slices.SortFunc(q.changed[reopened:], func(a, b uint32) int { return cmp.Compare(q.open[a].id, q.open[b].id) })
	q.SchedulePass()
}

// pass makes one pass over the pool.
func (q *Queue) pass() {
	q.cancel()
	q.expire()
	if q.Usable() == 0 { // no match has a place
		q.PassAt = q.nextPass()
		return
	}
	out := q.rules.Pool.Pass(int64(q.Now()))
	q.Abort(out.Fault)
	for i := range out.Backfills {
		q.backfill(&out.Backfills[i])
	}
	for i := range out.Matches {
		q.match(&out.Matches[i])
	}
	q.rules.CountBudgets(out.BudgetHits)
	q.openSessions()
	q.PassAt = q.nextPass()
}

// nextPass returns the next tick at which a pass can change anything.
func (q *Queue) nextPass() sim.Instant {
	if q.rules.Pool.Waiting() == 0 {
		return sim.Never
	}
	return q.Now().Add(q.Config.Tick)
}

// match starts a match that the rules proposed, or asks its players first.
func (q *Queue) match(p *matcher.Proposal) {
	f := q.rules.Form(p, q.Now())
	set := q.datacentersOf(p.Region)
	if set == 0 { // an external matchmaker chose a datacenter that may not be used
		for _, t := range f.Tickets {
			q.wait(t)
		}
		q.Own.Rules.Outside.Failed(f.Ref, "its datacenter may not be used")
		return
	}
	f.Datacenter = q.FairestOf(set, f.Tickets)
	q.Match(f)
}

// Start implements lifecycle.Searcher. If the rules allow more tickets to join the match later, it
// becomes a session.
func (q *Queue) Start(f *lifecycle.Group) bool {
	outside := q.Own.Rules.Outside
	if f.Backfill {
		if !q.runs(f) {
			return false
		}
		q.fill(f)
		outside.Started(f.Ref, f.MatchID)
		return true
	}
	match := q.StartMatch(f)
	outside.Started(f.Ref, q.Matches()-1)
	if q.Own.Backfills() {
		q.announce(match, f)
	}
	return true
}

// Dropped implements lifecycle.Searcher. The running match that the tickets were to join looks for
// other players.
func (q *Queue) Dropped(f *lifecycle.Group) {
	q.Own.Rules.Outside.Failed(f.Ref, lifecycle.NotAccepted)
	if f.Backfill && q.runs(f) {
		q.open[f.Match].asks = false
		q.changed = append(q.changed, f.Match)
	}
}

// datacentersOf returns the usable datacenters of a region, or all usable datacenters if there is no
// region.
func (q *Queue) datacentersOf(region matcher.Region) uint64 {
	if region == matcher.NoRegion {
		return q.Usable()
	}
	return q.Own.Rules.Regions[region] & q.Usable()
}

// RuleTotals returns the totals about the ruleset.
func (q *Queue) RuleTotals() *sim.RuleTotals { return q.rules.Totals() }

// Verify checks that every player of the queue is in exactly one place.
func (q *Queue) Verify(all *world.Verifier) {
	v := q.BeginVerify(all)
	visit := func(t lifecycle.Ticket) {
		if state := q.Players.Of(t).State; state != sim.StateWaiting {
			v.Errorf("ticket %d in the pool is %v", t, state)
		}
		v.Visit(t, sim.StateWaiting)
	}
	q.rules.Verify(&v, visit)
	for match := range q.open {
		if q.open[match].waits && !q.Playing(uint32(match)) {
			v.Errorf("match %d takes players, but is not being played", match)
		}
	}
	v.Finish()
}

// Unfinished reports the searches that have not ended, oldest first.
func (q *Queue) Unfinished(report func(s *sim.Search)) {
	var tickets []lifecycle.Ticket
	add := func(t lifecycle.Ticket) { tickets = append(tickets, t) }
	q.rules.Visit(add)
	q.VisitAsked(add)
	q.ReportOldestFirst(tickets, report)
}
