package states

import (
	"math/bits"

	"mmsim/matcher/external"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// externalTurns is like ruleTurns, but an external matchmaker makes the matches. A warm body takes
// part in the turns of all datacenters, because it does not wait for a particular one.
type externalTurns struct {
	*ruleTurns
	outside *external.Pool
	regions []int // by datacenter: the region that the matchmaker knows it as
}

// newExternalTurns returns the turns of a queue whose waiting tickets are in list.
func newExternalTurns(q *lifecycle.Queue, list *waitingList) (*externalTurns, error) {
	r := &ruleTurns{Queue: q, waiting: list}
	if err := r.rules.Init(q, q.Own.InForce(), true); err != nil {
		return nil, err
	}
	o := &externalTurns{r, q.Own.Rules.Outside, make([]int, q.Places.Datacenters)}
	for region, set := range q.Own.Rules.Regions {
		o.regions[bits.TrailingZeros64(set)] = region // each has one datacenter, because datacenters have turns
	}
	return o, nil
}

// Admits implements Turns.
func (o *externalTurns) Admits(t lifecycle.Ticket, datacenters uint64) {
	if datacenters == 0 {
		datacenters = o.TakePart()
	}
	var regions uint64
	for dc := range sim.DatacentersIn(datacenters & o.Usable()) {
		regions |= 1 << o.regions[dc]
	}
	o.outside.Reaches(o.rows[t], regions)
}

// UsableChanged implements Turns. The matchmaker sees the RTTs only to datacenters that may be used.
func (o *externalTurns) UsableChanged() {
	for i, t := range o.waiting.Tickets {
		o.Admits(t, o.waiting.Admits[i])
	}
	for _, body := range o.waiting.Warm {
		o.Admits(body.Ticket, 0)
	}
}

// Turn implements Turns. It does nothing after the matchmaker has failed.
func (o *externalTurns) Turn(dc int) {
	if o.Err() == nil {
		o.apply(o.outside.Turn(int64(o.Now()), o.regions[dc]), dc)
	}
}

// MatchWarmBodies implements Turns.
func (o *externalTurns) MatchWarmBodies() { o.waiting.CompactWarm() }
