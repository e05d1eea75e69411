package states

import (
	"mmsim/matcher"
	"mmsim/matcher/engine"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/rules"
)

// ruleTurns forms matches by a ruleset. The states decide for which datacenters a ticket waits, and
// the rules decide which tickets play together. All rules apply, even to warm bodies, except the
// region rule, which the states replace. ruleTurns forms groups around the oldest ticket first and
// ignores Queue.Order and Queue.Prefer.
type ruleTurns struct {
	*lifecycle.Queue
	waiting *waitingList
	rules   rules.Tickets
	rows    []matcher.Row    // row of each ticket in the rule engine's pool
	queues  []*engine.Subset // the regular tickets that wait for each datacenter
	warm    *engine.Subset
	leaving []matcher.Row // rows of the tickets whose searches have ended since the last pass
}

// newRuleTurns returns the turns of a queue whose waiting tickets are in list.
func newRuleTurns(q *lifecycle.Queue, list *waitingList) (*ruleTurns, error) {
	r := &ruleTurns{Queue: q, waiting: list}
	if err := r.rules.Init(q, q.Own.InForce(), false); err != nil {
		return nil, err
	}
	for range q.Places.Datacenters {
		r.queues = append(r.queues, r.rules.Engine.NewSubset())
	}
	r.warm = r.rules.Engine.NewSubset()
	return r, nil
}

// Enters implements Turns.
func (r *ruleTurns) Enters(t lifecycle.Ticket) bool {
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

// Admits implements Turns.
func (r *ruleTurns) Admits(t lifecycle.Ticket, datacenters uint64) {
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

// Leaves implements Turns. The ticket stays in the pool until the next pass begins, because
// each explanation also counts the other tickets whose search ends now.
func (r *ruleTurns) Leaves(t lifecycle.Ticket) *sim.Apart {
	row := r.rows[t]
	r.leaving = append(r.leaving, row)
	apart := r.rules.Explain(row)
	r.rules.Release(row)
	return apart
}

// Cancels implements Turns.
func (r *ruleTurns) Cancels(t lifecycle.Ticket) { r.rules.Cancel(r.rows[t]) }

// UsableChanged does nothing, because the rules do not use RTTs.
func (*ruleTurns) UsableChanged() {}

// BeginPass implements Turns.
func (r *ruleTurns) BeginPass() (datacenters uint64) {
	for _, row := range r.leaving {
		r.rules.Pool.Remove(row)
	}
	r.leaving = r.leaving[:0]
	return r.Usable()
}

// Retry implements Turns. A failed search may succeed at any tick, because rules relax over
// time.
func (*ruleTurns) Retry() (nextTick bool, at sim.Instant) { return true, sim.Never }

// RuleTotals implements Turns.
func (r *ruleTurns) RuleTotals() *sim.RuleTotals { return r.rules.Totals() }

// Turn implements Turns.
func (r *ruleTurns) Turn(dc int) {
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

// MatchWarmBodies implements Turns.
func (r *ruleTurns) MatchWarmBodies() {
	if len(r.waiting.Warm) > 0 {
		r.apply(r.warm.Match(int64(r.Now()), 0), anyDatacenter)
	}
	r.waiting.CompactWarm()
}

// anyDatacenter makes apply choose the datacenter in which the highest RTT of a group is lowest.
const anyDatacenter = -1

// apply starts or proposes the matches of an outcome in a datacenter.
func (r *ruleTurns) apply(out matcher.Outcome, dc int) {
	for i := range out.Matches {
		f := r.rules.Form(&out.Matches[i], r.Now())
		if f.Datacenter = dc; dc == anyDatacenter {
			f.Datacenter = r.FairestDatacenter(f.Tickets)
		}
		for _, t := range f.Tickets {
			r.waiting.TakeTicket(&r.Players, t)
		}
		r.Match(f)
	}
	r.Abort(out.Fault)
	r.rules.CountBudgets(out.BudgetHits)
}
