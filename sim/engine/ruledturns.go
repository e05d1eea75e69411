package engine

import (
	"mmsim/matcher"
	"mmsim/matcher/engine"
	"mmsim/matcher/external"
	"mmsim/sim"
)

// ruledTurns is turns under a ruleset: the states say where a ticket waits, the
// rules say with whom it plays. Rules always hold, for warm bodies too; only their
// region rule is left to the states. Groups are formed around the longest-waiting
// ticket first, however the queue is to be walked.
type ruledTurns struct {
	*matchQueue
	waiting *waiting
	rules   rulePool
	rows    []matcher.Row    // by ticket
	queues  []*engine.Subset // by datacenter
	warm    *engine.Subset
}

// newRuledTurns returns the turns of a queue under its ruleset.
func newRuledTurns(q *matchQueue, waiting *waiting) (turns, error) {
	r := &ruledTurns{matchQueue: q, waiting: waiting}
	outside := q.own.Rules.Outside
	if err := r.rules.init(q, q.own.InForce(), outside != nil); err != nil {
		return nil, err
	}
	if outside != nil {
		return &outsideTurns{r, outside}, nil
	}
	for range q.places.Datacenters {
		r.queues = append(r.queues, r.rules.engine.NewSubset())
	}
	r.warm = r.rules.engine.NewSubset()
	return r, nil
}

func (r *ruledTurns) enters(t ticketID) bool {
	row, ok := r.rules.admit(t)
	if !ok {
		return false
	}
	for int(t) >= len(r.rows) {
		r.rows = append(r.rows, 0)
	}
	r.rows[t] = row
	return true
}

func (r *ruledTurns) admits(t ticketID, datacenters uint64) {
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

func (r *ruledTurns) leaves(t ticketID) {
	r.rules.pool.Remove(r.rows[t])
	r.rules.release(r.rows[t])
}

func (*ruledTurns) beginPass() {}

// retry: rules relax with time.
func (*ruledTurns) retry() (nextTick bool, at sim.Instant) { return true, sim.Never }

func (r *ruledTurns) ruleTotals() *sim.RuleTotals { return r.rules.totals() }

func (r *ruledTurns) turn(dc int) {
	queue, at := r.queues[dc], r.now
	form := func() { r.apply(queue.Match(int64(at), 0), dc) }
	if r.captures.has(at, dc) {
		r.rules.record(&sim.Scene{Datacenter: dc}, queue.AppendRows(nil), form)
	} else {
		form()
	}
	if len(r.waiting.warm) > 0 && queue.Len() > 0 {
		r.apply(queue.MatchWith(int64(at), r.warm, 1), dc)
	}
}

func (r *ruledTurns) matchWarmBodies() {
	if len(r.waiting.warm) > 0 {
		r.apply(r.warm.Match(int64(r.now), 0), anyDatacenter)
	}
	r.waiting.forgetMatched(&r.players)
}

// anyDatacenter lets a match go to the datacenter that is best for the worst off.
const anyDatacenter = -1

// apply starts the matches of an outcome.
func (r *ruledTurns) apply(out matcher.Outcome, dc int) {
	for i := range out.Matches {
		f := r.rules.form(&out.Matches[i], r.now)
		if f.datacenter = dc; dc == anyDatacenter {
			f.datacenter = r.fairestDatacenter(f.tickets)
		}
		r.startMatch(&f)
		r.own.Rules.Outside.Started(r.made - 1)
	}
	r.fault = out.Fault
	r.rules.exhausted(out.BudgetHits)
}

// outsideTurns is turns of a matchmaker outside. A warm body takes part in the turns of all
// datacenters; none is held back for the others.
type outsideTurns struct {
	*ruledTurns
	outside *external.Pool
}

func (o *outsideTurns) admits(t ticketID, datacenters uint64) {
	if datacenters == 0 {
		datacenters = o.places.AllDatacenters()
	}
	o.outside.Reaches(o.rows[t], datacenters)
}

func (o *outsideTurns) turn(dc int) {
	if o.fault == nil {
		o.apply(o.outside.Turn(int64(o.now), dc), dc)
	}
}

func (o *outsideTurns) matchWarmBodies() { o.waiting.forgetMatched(&o.players) }
