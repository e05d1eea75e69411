package engine

import (
	"fmt"

	"mmsim/sim"
)

// Engine runs one replication. It is a function of its configuration, places and arrivals:
// no wall clock, no goroutine, no global randomness. Not safe for concurrent use;
// replications run side by side in engines of their own, which share Places read-only.
type Engine struct {
	run      world
	arrivals sim.Arrivals
	next     sim.Arrival // read one ahead
	more     bool        // next is valid
	queues   []queue
	sampleAt sim.Instant // the next sample; the first is at 0
}

// queue is the players of one Queue, from their join until they leave. What happens at one
// instant is asked of it in the order of the design: due, joins, decide.
type queue interface {
	// next returns the first instant at which anything can happen unless somebody
	// joins before.
	next() sim.Instant
	// due handles the timers of this instant.
	due()
	// join takes in a party. The error is about the arrival.
	join(a *sim.Arrival) error
	// decide makes the matching pass, if one is to be made at this instant.
	decide()
	// unfinished reports the searches that are going on, oldest first. The record is
	// reused.
	unfinished(report func(s *sim.Search))
	// ruleTotals returns the facts about the queue's ruleset; nil without one.
	ruleTotals() *sim.RuleTotals
	// verify checks that everybody is in exactly one place.
	verify(v *verifier)
}

// New returns an engine that stands at the start of the warm-up period.
func New(cfg sim.Config, places *sim.Places, arrivals sim.Arrivals, observers ...sim.Observer) (*Engine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if err := places.Validate(); err != nil {
		return nil, err
	}
	e := &Engine{
		run:      world{cfg: cfg, places: places, observers: observers, now: sim.Instant(-cfg.WarmUp)},
		arrivals: arrivals,
	}
	for i := range cfg.Queues {
		q, err := newQueue(&e.run, i)
		if err != nil {
			return nil, fmt.Errorf("sim: Queues[%d].%w", i, err)
		}
		e.queues = append(e.queues, q)
	}
	e.more = arrivals.Next(&e.next)
	if cfg.WarmUp == 0 {
		e.run.startMeasuring()
	}
	return e, nil
}

// newQueue returns an empty queue of the configuration.
func newQueue(w *world, index int) (queue, error) {
	own := &w.cfg.Queues[index]
	switch {
	case own.Servers != nil:
		return newServerQueue(w, index), nil
	case own.Rules == nil:
		return newStateQueue(w, index, own.MatchSize, func(q *matchQueue, waiting *waiting) (turns, error) {
			return newPackedTurns(q, waiting), nil
		})
	}
	if err := own.Rules.Validate(w.places.Datacenters); err != nil {
		return nil, err
	}
	if own.Placement == sim.PlaceDatacenters {
		return newStateQueue(w, index, own.Rules.Set.MaxPlayers, newRuledTurns)
	}
	return newPoolQueue(w, index)
}

// RunUntil simulates every event before the instant, at most to the end of the measured
// window, and moves the clock there. The error is about the arrivals: out of order, at an
// unknown place, of an unknown queue, or more than can be numbered.
func (e *Engine) RunUntil(limit sim.Instant) error {
	limit = min(limit, sim.Instant(e.run.cfg.Duration))
	if !e.run.measuring && limit >= 0 {
		if err := e.runUntil(0); err != nil {
			return err
		}
		e.run.startMeasuring()
	}
	return e.runUntil(limit)
}

func (e *Engine) runUntil(limit sim.Instant) error {
	for {
		at := e.nextInstant()
		if at >= limit {
			e.run.advance(limit)
			return nil
		}
		e.run.advance(at)
		if err := e.instant(at); err != nil {
			return err
		}
	}
}

// nextInstant returns the first instant at which anything can happen. Passes
// that could not decide anything are not among them.
func (e *Engine) nextInstant() sim.Instant {
	at := e.sampleAt
	if e.more {
		at = min(at, e.next.At)
	}
	for _, q := range e.queues {
		at = min(at, q.next())
	}
	return at
}

// instant handles everything that happens at one instant, in the order of the design: match
// ends, returns, arrivals, state changes and the matching pass, the sample.
//
// The article's published program adds the arrivals of a second after the pass
// of that second; here whoever is there when the pass runs takes part.
func (e *Engine) instant(at sim.Instant) error {
	for _, q := range e.queues {
		q.due()
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
		if q.decide(); e.run.fault != nil {
			return e.run.fault
		}
	}
	if e.sampleAt == at {
		e.run.sample()
		e.sampleAt = at.Add(e.run.cfg.Sample)
	}
	return nil
}

// join hands an arrival to its queue.
func (e *Engine) join(a *sim.Arrival) error {
	if n := len(a.Members); n < 1 || n > sim.MaxMatchSize {
		return fmt.Errorf("sim: a party of %d players at %.3f s, want 1 to %d (MaxMatchSize)", n, a.At.Seconds(), sim.MaxMatchSize)
	}
	if a.Queue < 0 || a.Queue >= len(e.queues) {
		return fmt.Errorf("sim: queue %d of an arrival at %.3f s, want below %d", a.Queue, a.At.Seconds(), len(e.queues))
	}
	for _, person := range a.Members {
		if int(person.Place) >= len(e.run.places.Reach) {
			return fmt.Errorf("sim: place %d of an arrival at %.3f s, want below %d", person.Place, a.At.Seconds(), len(e.run.places.Reach))
		}
	}
	return e.queues[a.Queue].join(a)
}

// Finish ends the run where the clock stands and returns its totals. A run that
// ends in the warm-up period has measured nothing: all its totals are 0.
func (e *Engine) Finish() sim.Totals {
	if !e.run.measuring {
		return e.noTotals()
	}
	e.run.notePeak()
	e.run.totals.Reached = e.run.now
	e.run.totals.SearchingAtEnd, e.run.totals.OnlineAtEnd = e.run.online.searching(), e.run.online.ccu()
	e.reportUnfinished()
	e.run.totals.Rules = make([]*sim.RuleTotals, len(e.queues))
	for i, q := range e.queues {
		e.run.totals.Rules[i] = q.ruleTotals()
	}
	return e.run.totals
}

// noTotals returns the totals of a run whose measured window has not begun. They do
// not count the players who search at this instant: no observer was told of their
// searches, and totals and outcomes have to balance.
func (e *Engine) noTotals() sim.Totals {
	totals := sim.Totals{Rules: make([]*sim.RuleTotals, len(e.queues))}
	for i, q := range e.queues {
		if q.ruleTotals() != nil {
			totals.Rules[i] = &sim.RuleTotals{}
		}
	}
	return totals
}

// Now returns the instant that the clock has reached.
func (e *Engine) Now() sim.Instant { return e.run.now }

// reportUnfinished reports the searches that the end of the run cuts off.
func (e *Engine) reportUnfinished() {
	if !e.run.measuring {
		return
	}
	for _, o := range e.run.observers {
		if o, is := o.(sim.UnfinishedObserver); is {
			for _, q := range e.queues {
				q.unfinished(func(s *sim.Search) { o.Unfinished(s, e.run.now) })
			}
		}
	}
}
