package sim

import (
	"mmsim/matcher"
	"mmsim/matcher/engine"
	"mmsim/matcher/external"
)

// ruledTurns is turns under a ruleset: the states say where a ticket waits, the
// rules say with whom it plays. Rules always hold, for warm bodies too; only their
// region rule is left to the states. Groups are formed around the longest-waiting
// ticket first, however the queue is to be walked.
type ruledTurns struct {
	*stateQueue
	rules  rulePool
	rows   []matcher.Row    // by ticket
	queues []*engine.Subset // by datacenter
	warm   *engine.Subset
}

func newRuledQueue(w *world, index int) (*stateQueue, error) {
	set := w.cfg.Queues[index].Rules.Set
	q := newStateQueue(w, index, set.MaxPlayers)
	r := &ruledTurns{stateQueue: q}
	outside := q.own.Rules.Outside
	if err := r.rules.init(&q.matchQueue, w.cfg.Queues[index].InForce(), outside != nil); err != nil {
		return nil, err
	}
	q.turns, q.ruled = r, &r.rules
	if outside != nil {
		q.turns = &outsideTurns{r, outside}
		return q, nil
	}
	for range w.places.Datacenters {
		r.queues = append(r.queues, r.rules.engine.NewSubset())
	}
	r.warm = r.rules.engine.NewSubset()
	return q, nil
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
	for dc := range bitsOf(datacenters) {
		r.queues[dc].Add(row)
	}
}

func (r *ruledTurns) leaves(t ticketID) {
	r.rules.pool.Remove(r.rows[t])
	r.rules.release(r.rows[t])
}

func (r *ruledTurns) turn(at Instant, dc int) {
	queue := r.queues[dc]
	if r.captures.owes(at, dc) {
		r.film(at, dc)
	} else {
		r.apply(queue.Match(int64(at), 0), dc)
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
		r.rules.started()
	}
	r.fault = out.Fault
	if r.measuring {
		r.rules.book.exhausted(out.BudgetHits)
	}
}

// outsideTurns is turns of a matchmaker outside. A warm body takes part in the turns of all
// datacenters; none is held back for the others.
type outsideTurns struct {
	*ruledTurns
	outside *external.Pool
}

func (o *outsideTurns) admits(t ticketID, datacenters uint64) {
	if datacenters == 0 {
		datacenters = o.places.all()
	}
	o.outside.Reaches(o.rows[t], datacenters)
}

func (o *outsideTurns) turn(at Instant, dc int) {
	if o.fault == nil {
		o.apply(o.outside.Turn(int64(at), dc), dc)
	}
}

func (o *outsideTurns) matchWarmBodies() { o.waiting.forgetMatched(&o.players) }
