package engine

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/packed"
	"mmsim/sim/engine/internal/pool"
	"mmsim/sim/engine/internal/ruled"
	"mmsim/sim/engine/internal/run"
	"mmsim/sim/engine/internal/servers"
	"mmsim/sim/engine/internal/states"
	"mmsim/sim/engine/internal/waiting"
)

// queue is implemented by each kind of queue. A queue has the players of one sim.Queue from their
// join until they leave. At every instant the engine calls Due, then Join for each party that
// arrives, then Decide.
type queue interface {
	// Next returns the next instant at which anything can happen, unless a party joins before that.
	Next() sim.Instant
	// Due runs the timers that are due now.
	Due()
	// Join adds a party. It returns an error if the queue cannot take the arrival.
	Join(a *sim.Arrival) error
	// Decide makes a matching pass if one is due now.
	Decide()
	// Unfinished reports the unfinished searches, oldest first. It reuses the record.
	Unfinished(report func(s *sim.Search))
	// RuleTotals returns the facts about the queue's ruleset, or nil if there is none.
	RuleTotals() *sim.RuleTotals
	// Verify checks that every player is in exactly one place.
	Verify(v *run.Verifier)
}

// newQueue returns an empty queue for Config.Queues[index].
func newQueue(r *run.Run, index int) (queue, error) {
	own := &r.Config.Queues[index]
	switch {
	case own.Servers != nil:
		return servers.New(r, index), nil
	case own.Rules == nil:
		return states.New(r, index, own.MatchSize, newTurns)
	}
	if err := own.Rules.Validate(r.Places.Datacenters); err != nil {
		return nil, err
	}
	if own.Placement == sim.PlaceDatacenters {
		return states.New(r, index, own.Rules.Set.MaxPlayers, newTurns)
	}
	return pool.New(r, index)
}

// newTurns returns the Turns of a queue with states, depending on its rules.
func newTurns(q *lifecycle.Queue, list *waiting.List) (states.Turns, error) {
	switch {
	case q.Own.Rules == nil:
		return packed.New(q, list), nil
	case q.Own.Rules.Outside != nil:
		return ruled.NewOutside(q, list)
	}
	return ruled.New(q, list)
}
