// Package ruled forms groups by a ruleset in queues of states: the states say for which
// datacenters a ticket waits, the rules with which others it plays.
//
// [Turns] asks the rule engine, [OutsideTurns] a matchmaker outside of the simulator.
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

// Turns implements states.Turns. All rules hold, for warm bodies too, except the rule about
// regions, in whose place are the states. Groups are formed around the ticket that has waited
// longest first, whatever Order and Prefer say.
type Turns struct {
	*lifecycle.Queue
	waiting *waiting.List
	rules   rules.Tickets
	rows    []matcher.Row    // by ticket: its row in the pool of the rules
	queues  []*engine.Subset // by datacenter: the regular tickets that wait for it
	warm    *engine.Subset
}

// New returns the turns of a queue by its ruleset, for the tickets of its list.
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

// Leaves implements states.Turns.
func (r *Turns) Leaves(t store.Ticket) {
	r.rules.Pool.Remove(r.rows[t])
	r.rules.Release(r.rows[t])
}

// BeginPass implements states.Turns.
func (*Turns) BeginPass() {}

// Retry: a search that failed may succeed at any tick, because rules relax with time.
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

// anyDatacenter stands for the datacenter at which the worst RTT of a group is lowest.
const anyDatacenter = -1

// apply starts the matches of an outcome at a datacenter.
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
