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

// queue is a kind of queue: it has the players of one sim.Queue from their join until they
// leave. At every instant the engine calls Due, Join for each party that arrives, and Decide.
type queue interface {
	// Next returns the first instant at which anything can happen if no party joins before.
	Next() sim.Instant
	// Due handles the timers of this instant.
	Due()
	// Join takes in a party. The error is about the arrival.
	Join(a *sim.Arrival) error
	// Decide makes the matching pass, if one is to be made at this instant.
	Decide()
	// Unfinished reports the searches that are going on, oldest first. The record is reused.
	Unfinished(report func(s *sim.Search))
	// RuleTotals returns the facts about the queue's ruleset; nil without one.
	RuleTotals() *sim.RuleTotals
	// Verify checks that every player is in exactly one place.
	Verify(v *run.Verifier)
}

// newQueue returns the empty queue of an entry of Config.Queues.
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

// newTurns returns what forms the groups of a queue of states.
func newTurns(q *lifecycle.Queue, list *waiting.List) (states.Turns, error) {
	switch {
	case q.Own.Rules == nil:
		return packed.New(q, list), nil
	case q.Own.Rules.Outside != nil:
		return ruled.NewOutside(q, list)
	}
	return ruled.New(q, list)
}
