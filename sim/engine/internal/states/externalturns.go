package states

import (
	"mmsim/matcher/external"
	"mmsim/sim/engine/internal/lifecycle"
)

// externalTurns is like ruleTurns, but an external matchmaker makes the matches. A warm body takes
// part in the turns of all datacenters, because it does not wait for a particular one.
type externalTurns struct {
	*ruleTurns
	outside *external.Pool
}

// newExternalTurns returns the turns of a queue whose waiting tickets are in list.
func newExternalTurns(q *lifecycle.Queue, list *waitingList) (*externalTurns, error) {
	r := &ruleTurns{Queue: q, waiting: list}
	if err := r.rules.Init(q, q.Own.InForce(), true); err != nil {
		return nil, err
	}
	return &externalTurns{r, q.Own.Rules.Outside}, nil
}

// Admits implements Turns.
func (o *externalTurns) Admits(t lifecycle.Ticket, datacenters uint64) {
	if datacenters == 0 {
		datacenters = o.Places.AllDatacenters()
	}
	o.outside.Reaches(o.rows[t], datacenters)
}

// Turn implements Turns. It does nothing after the matchmaker has failed.
func (o *externalTurns) Turn(dc int) {
	if o.Err() == nil {
		o.apply(o.outside.Turn(int64(o.Now()), dc), dc)
	}
}

// MatchWarmBodies implements Turns.
func (o *externalTurns) MatchWarmBodies() { o.waiting.ForgetMatched(&o.Players) }
