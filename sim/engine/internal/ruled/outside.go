package ruled

import (
	"mmsim/matcher/external"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/store"
	"mmsim/sim/engine/internal/waiting"
)

// OutsideTurns implements states.Turns with an external matchmaker. A warm body takes part in the
// turns of all datacenters, because it does not wait for a particular one.
type OutsideTurns struct {
	*Turns
	outside *external.Pool
}

// NewOutside returns the turns of a queue in which an external matchmaker makes the matches.
func NewOutside(q *lifecycle.Queue, list *waiting.List) (*OutsideTurns, error) {
	r := &Turns{Queue: q, waiting: list}
	if err := r.rules.Init(q, q.Own.InForce(), true); err != nil {
		return nil, err
	}
	return &OutsideTurns{r, q.Own.Rules.Outside}, nil
}

// Admits implements states.Turns.
func (o *OutsideTurns) Admits(t store.Ticket, datacenters uint64) {
	if datacenters == 0 {
		datacenters = o.Places.AllDatacenters()
	}
	o.outside.Reaches(o.rows[t], datacenters)
}

// Turn implements states.Turns. It does nothing after the matchmaker has failed.
func (o *OutsideTurns) Turn(dc int) {
	if o.Err() == nil {
		o.apply(o.outside.Turn(int64(o.Now()), dc), dc)
	}
}

// MatchWarmBodies implements states.Turns.
func (o *OutsideTurns) MatchWarmBodies() { o.waiting.ForgetMatched(&o.Players) }
