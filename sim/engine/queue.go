package engine

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/pool"
	"mmsim/sim/engine/internal/servers"
	"mmsim/sim/engine/internal/states"
	"mmsim/sim/engine/internal/world"
)

// queue is implemented by each kind of queue. A queue has the players of one sim.Queue from their
// join until they leave. At every instant the engine calls Ends, Close if a maintenance begins,
// UsableChanged if the datacenters that may be used have changed, Returns, Join for each party that arrives, and Decide.
type queue interface {
	// Next returns the next instant at which anything can happen, unless a party joins before that.
	Next() sim.Instant
	// Ends runs the timers that are due now and end something: matches end, and players leave them.
	Ends()
	// Close ends all searches.
	Close()
	// UsableChanged adapts what waits to the datacenters that may be used now.
	UsableChanged()
	// Returns runs the other timers that are due now.
	Returns()
	// Join adds a party. It returns an error if the queue cannot take the arrival.
	Join(a *sim.Arrival) error
	// Decide makes a matching pass if one is due now.
	Decide()
	// Unfinished reports the unfinished searches, oldest first. It reuses the record.
	Unfinished(report func(s *sim.Search))
	// RuleTotals returns the facts about the queue's ruleset, or nil if there is none.
	RuleTotals() *sim.RuleTotals
	// AcceptanceTotals returns the totals about proposals, or nil if players are not asked.
	AcceptanceTotals() *sim.AcceptanceTotals
	// Verify checks that every player is in exactly one place.
	Verify(v *world.Verifier)
}

// newQueue returns an empty queue for Config.Queues[index].
func newQueue(w *world.World, index int) (queue, error) {
	own := &w.Config.Queues[index]
	switch {
	case own.Servers != nil:
		return servers.New(w, index), nil
	case own.Rules == nil:
		return states.New(w, index, own.MatchSize)
	}
	if err := own.Rules.Validate(w.Places.Datacenters); err != nil {
		return nil, err
	}
	if own.Placement == sim.PlaceDatacenters {
		return states.New(w, index, own.Rules.Set.MaxPlayers)
	}
	return pool.New(w, index)
}
