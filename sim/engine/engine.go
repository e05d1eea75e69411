package engine

import (
	"fmt"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Engine runs one replication. Its results depend only on its configuration, places and arrivals:
// it uses no wall clock, goroutines or global randomness. An Engine is not safe for concurrent use.
// To run replications in parallel, use one Engine for each; they may share Places.
type Engine struct {
	world    *world.World
	arrivals sim.Arrivals
	next     sim.Arrival // the next arrival, read ahead
	more     bool        // whether next is valid; false after the last arrival
	queues   []queue
	kept     kept        // arrivals that a maintenance has kept out
	sampleAt sim.Instant // instant of the next sample; the first is at 0
}

// New returns an engine with its clock at the start of the warm-up period.
func New(cfg sim.Config, places *sim.Places, arrivals sim.Arrivals, observers ...sim.Observer) (*Engine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if err := places.Validate(); err != nil {
		return nil, err
	}
	if cfg.Use&^places.AllDatacenters() != 0 {
		return nil, fmt.Errorf("sim: Use is %b, want some of %d datacenters", cfg.Use, places.Datacenters)
	}
	for i := range cfg.Events {
		if e := &cfg.Events[i]; e.Slowed != nil && len(e.Slowed) != len(places.Reach) {
			return nil, fmt.Errorf("sim: Events[%d].Slowed has %d places, want %d", i, len(e.Slowed), len(places.Reach))
		}
		if out := cfg.Events[i].Outage; out&^places.AllDatacenters() != 0 {
			return nil, fmt.Errorf("sim: Events[%d].Outage is %b, want some of %d datacenters", i, out, places.Datacenters)
		}
	}
	e := &Engine{
		world:    world.New(cfg, places, observers),
		arrivals: arrivals,
	}
	for i := range cfg.Queues {
		q, err := newQueue(e.world, i)
		if err != nil {
			return nil, fmt.Errorf("sim: Queues[%d].%w", i, err)
		}
		e.queues = append(e.queues, q)
	}
	e.more = arrivals.Next(&e.next)
	return e, nil
}

// RunUntil simulates all events before limit and moves the clock to limit. It stops at the end of
// the measured window if that is earlier. It returns an error if an arrival is invalid (out of
// order, unknown place or queue, wrong party size), if a queue has too many searches, or if an
// external matchmaker fails.
func (e *Engine) RunUntil(limit sim.Instant) error {
	limit = min(limit, sim.Instant(e.world.Config.Duration))
	if !e.world.Measuring() && limit >= 0 {
		if err := e.runUntil(0); err != nil {
			return err
		}
		e.world.StartMeasuring()
	}
	return e.runUntil(limit)
}

// runUntil is like RunUntil, but limit must be in the same period as the clock: the warm-up period
// or the measured window.
func (e *Engine) runUntil(limit sim.Instant) error {
	for {
		at := e.nextInstant()
		if at >= limit {
			e.world.Advance(limit)
			return nil
		}
		e.world.Advance(at)
		if err := e.instant(at); err != nil {
			return err
		}
	}
}

// nextInstant returns the next instant at which anything can happen. It leaves out passes that
// cannot change anything.
func (e *Engine) nextInstant() sim.Instant {
	at := min(e.sampleAt, e.world.NextChange(), e.kept.timers.Next())
	if e.more {
		at = min(at, e.next.At)
	}
	for _, q := range e.queues {
		at = min(at, q.Next())
	}
	return at
}

// instant handles everything that happens at one instant, in this order: match ends, events, returns,
// arrivals, state changes and the matching pass, and the sample.
//
// A player who arrives at the instant of a pass takes part in it. The article's published program
// differs: it adds the arrivals of a second after that second's pass.
func (e *Engine) instant(at sim.Instant) error {
	for _, q := range e.queues {
		q.Ends()
	}
	if e.world.NextChange() == at {
		e.change()
	}
	for _, q := range e.queues {
		q.Returns()
	}
	for e.kept.timers.Due(at) {
		if err := e.lateJoin(); err != nil {
			return err
		}
	}
	for e.more && e.next.At == at {
		if err := e.join(&e.next); err != nil {
			return err
		}
		e.more = e.arrivals.Next(&e.next)
		if e.more && e.next.At < at {
			return fmt.Errorf("sim: an arrival at %.3f s comes after one at %.3f s", e.next.At.Seconds(), at.Seconds())
		}
	}
	for _, q := range e.queues {
		if q.Decide(); e.world.Err() != nil {
			return e.world.Err()
		}
	}
	if e.sampleAt == at {
		e.world.Sample()
		e.sampleAt = at.Add(e.world.Config.Sample)
	}
	return nil
}

// change applies the events that begin or end now.
func (e *Engine) change() {
	closes, changes := e.world.Change()
	for _, q := range e.queues {
		if closes {
			q.Close()
		}
		if changes {
			q.UsableChanged()
		}
	}
}

// join checks an arrival and hands it to its queue, unless a maintenance keeps it out.
func (e *Engine) join(a *sim.Arrival) error {
	if n := len(a.Members); n < 1 || n > sim.MaxMatchSize {
		return fmt.Errorf("sim: a party of %d players at %.3f s, want 1 to %d (MaxMatchSize)", n, a.At.Seconds(), sim.MaxMatchSize)
	}
	if a.Queue < 0 || a.Queue >= len(e.queues) {
		return fmt.Errorf("sim: queue %d of an arrival at %.3f s, want below %d", a.Queue, a.At.Seconds(), len(e.queues))
	}
	for _, person := range a.Members {
		if int(person.Place) >= len(e.world.Places.Reach) {
			return fmt.Errorf("sim: place %d of an arrival at %.3f s, want below %d", person.Place, a.At.Seconds(), len(e.world.Places.Reach))
		}
	}
	if event, closed := e.world.Closed(); closed {
		e.keepOut(a, event)
		return nil
	}
	if season := e.world.Config.Season; season != nil && !season.Arrives(a) {
		return nil
	}
	return e.queues[a.Queue].Join(a)
}

// Now returns the current instant of the virtual clock.
func (e *Engine) Now() sim.Instant { return e.world.Now() }
