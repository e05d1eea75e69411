// Package ruled forms groups by a ruleset in queues with states. The states decide for which
// datacenters a ticket waits, and the rules decide which tickets play together.
//
// [Turns] uses the rule engine. [OutsideTurns] uses an external matchmaker.
package ruled

import (
	"mmsim/matcher"
	"mmsim/matcher/engine"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/rules"
	"mmsim/sim/engine/internal/store"
	"mmsim/sim/engine/internal/waiting"
)

// Turns implements states.Turns. It applies all rules, even to warm bodies, except the region rule,
// which the states replace. It forms groups around the oldest ticket first and ignores Queue.Order
// and Queue.Prefer.
type Turns struct {
	*lifecycle.Queue
	waiting *waiting.List
	rules   rules.Tickets
	rows    []matcher.Row    // row of each ticket in the rule engine's pool
	queues  []*engine.Subset // the regular tickets that wait for each datacenter
	warm    *engine.Subset
	leaving []matcher.Row // rows of the tickets whose searches have ended since the last pass
}

// New returns the turns of a queue with a ruleset. The parameter list holds the waiting tickets of
// the queue.
func New(q *lifecycle.Queue, list *waiting.List) (*Turns, error) {
	r := &Turns{Queue: q, waiting: list}
	if err := r.rules.Init(q, q.Own.InForce(), false); err != nil {
		return nil, err
	}
	for range q.Places.Datacenters {
		r.queues = append(r.queues, r.rules.Engine.NewSubset())
	}
	r.warm = r.rules.Engine.NewSubset()
	return r, nil
}

// Enters implements states.Turns.
func (r *Turns) Enters(t store.Ticket) bool {
	row, ok := r.rules.Admit(t)
	if !ok {
		return false
	}
	for int(t) >= len(r.rows) {
		r.rows = append(r.rows, 0)
	}
	r.rows[t] = row
	return true
}

// Admits implements states.Turns.
func (r *Turns) Admits(t store.Ticket, datacenters uint64) {
	row := r.rows[t]
	if datacenters == 0 {
		for _, queue := range r.queues {
			queue.Remove(row)
		}
		r.warm.Add(row)
		return
	}
	for dc := range sim.DatacentersIn(datacenters) {
		r.queues[dc].Add(row)
	}
}

// Leaves implements states.Turns. The ticket stays in the pool until the next pass begins, because
// each explanation also counts the other tickets whose search ends now.
func (r *Turns) Leaves(t store.Ticket) *sim.Apart {
	row := r.rows[t]
	r.leaving = append(r.leaving, row)
	apart := r.rules.Explain(row)
	r.rules.Release(row)
	return apart
}

// BeginPass implements states.Turns.
func (r *Turns) BeginPass() {
	for _, row := range r.leaving {
		r.rules.Pool.Remove(row)
	}
	r.leaving = r.leaving[:0]
}

// Retry implements states.Turns. A failed search may succeed at any tick, because rules relax over
// time.
func (*Turns) Retry() (nextTick bool, at sim.Instant) { return true, sim.Never }

// RuleTotals implements states.Turns.
func (r *Turns) RuleTotals() *sim.RuleTotals { return r.rules.Totals() }

// Turn implements states.Turns.
func (r *Turns) Turn(dc int) {
	queue, at := r.queues[dc], r.Now()
	form := func() { r.apply(queue.Match(int64(at), 0), dc) }
	if r.TurnCaptured(dc) {
		r.rules.RecordScene(&sim.Scene{Datacenter: dc}, queue.AppendRows(nil), form)
	} else {
		form()
	}
	if len(r.waiting.Warm) > 0 && queue.Len() > 0 {
		r.apply(queue.MatchWith(int64(at), r.warm, 1), dc)
	}
}

// MatchWarmBodies implements states.Turns.
func (r *Turns) MatchWarmBodies() {
	if len(r.waiting.Warm) > 0 {
		r.apply(r.warm.Match(int64(r.Now()), 0), anyDatacenter)
	}
	r.waiting.ForgetMatched(&r.Players)
}

// anyDatacenter makes apply choose the datacenter in which the highest RTT of a group is lowest.
const anyDatacenter = -1

// apply starts the matches of an outcome in a datacenter.
func (r *Turns) apply(out matcher.Outcome, dc int) {
	for i := range out.Matches {
		f := r.rules.Form(&out.Matches[i], r.Now())
		if f.Datacenter = dc; dc == anyDatacenter {
			f.Datacenter = r.FairestDatacenter(f.Tickets)
		}
		r.StartMatch(&f)
		r.Own.Rules.Outside.Started(r.Matches() - 1)
	}
	r.Abort(out.Fault)
	r.rules.CountBudgets(out.BudgetHits)
}
