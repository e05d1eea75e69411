package sim

import "fmt"

// Person is a player as the dataset gives it.
type Person struct {
	Entity uint64 // key of all draws about the person, see Entity
	Row    uint32
	Place  uint32
}

// Arrival is a party at its first appearance.
type Arrival struct {
	At      Instant
	Members []Person
}

// Arrivals yields parties in ascending order of time. The first may lie no
// earlier than the start of the warm-up period.
type Arrivals interface {
	// Next fills in the next arrival, whose Members stay valid until the next
	// call. It returns false when there are no more.
	Next(a *Arrival) bool
}

// Engine runs one replication. It is a function of its configuration, places
// and arrivals: no wall clock, no goroutine, no global randomness. Not safe for
// concurrent use; replications run side by side in engines of their own, which
// share Places read-only.
type Engine struct {
	cfg       Config
	places    *Places
	arrivals  Arrivals
	observers []Observer

	now    Instant
	timers timers
	next   Arrival // read one ahead
	more   bool    // next is valid

	players  players
	matches  matches
	waiting  waiting
	passAt   Instant // the first pass that could decide anything
	sampleAt Instant // the next sample; the first is at 0

	online    online
	totals    Totals
	measuring bool // now is inside the measured window
	ledger    ledger
	joined    uint32 // players so far
	searches  uint32 // tickets that began to search so far
	made      uint64 // matches so far

	streams streams
	scratch scratch
}

type streams struct {
	playAgain, matchLength, lastMile, jitter, order, shuffle Stream
}

// New returns an engine that stands at the start of the warm-up period.
func New(cfg Config, places *Places, arrivals Arrivals, observers ...Observer) (*Engine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if err := places.validate(); err != nil {
		return nil, err
	}
	stream := func(p Purpose) Stream { return NewStream(cfg.Seed, cfg.Run, p) }
	e := &Engine{
		cfg: cfg, places: places, arrivals: arrivals, observers: observers,
		now:    Instant(-cfg.WarmUp),
		passAt: Never,
		streams: streams{
			playAgain:   stream(PurposePlayAgain),
			matchLength: stream(PurposeMatchLength),
			lastMile:    stream(PurposeLastMile),
			jitter:      stream(PurposeJitter),
			order:       stream(PurposeDatacenterOrder),
			shuffle:     stream(PurposeShuffle),
		},
	}
	if cfg.PartnerCooldown > 0 {
		e.scratch.mayMeet = e.mayMeet
	}
	e.players.stride = max(0, cfg.MatchSize-1-partnersInline)
	e.matches.stride = cfg.MatchSize
	e.waiting.nextDeadline = Never
	e.more = arrivals.Next(&e.next)
	if cfg.WarmUp == 0 {
		e.startMeasuring()
	}
	return e, nil
}

// RunUntil simulates every event before the instant, at most to the end of the
// measured window, and moves the clock there. The error is about the arrivals:
// out of order, at an unknown place, or more than can be numbered.
func (e *Engine) RunUntil(limit Instant) error {
	limit = min(limit, Instant(e.cfg.Duration))
	if !e.measuring && limit >= 0 {
		if err := e.runUntil(0); err != nil {
			return err
		}
		e.startMeasuring()
	}
	return e.runUntil(limit)
}

func (e *Engine) runUntil(limit Instant) error {
	for {
		at := e.nextInstant()
		if at >= limit {
			e.advance(limit)
			return nil
		}
		e.advance(at)
		if err := e.instant(at); err != nil {
			return err
		}
	}
}

// nextInstant returns the first instant at which anything can happen. Passes
// that could not decide anything are not among them.
func (e *Engine) nextInstant() Instant {
	at := min(e.timers.next(), e.passAt)
	if e.more {
		at = min(at, e.next.At)
	}
	return min(at, e.sampleAt)
}

// instant handles everything that happens at one instant, in the order of the
// design: match ends, returns, arrivals, state changes and the matching pass,
// the sample.
//
// The article's published program adds the arrivals of a second after the pass
// of that second; here whoever is there when the pass runs takes part.
func (e *Engine) instant(at Instant) error {
	for e.timers.next() == at {
		t := e.timers.pop()
		switch t.kind() {
		case timerMatchEnd:
			e.endMatch(t.match)
		case timerReturn:
			e.returnFrom(t.match)
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
	if e.passAt == at {
		e.pass(at)
	}
	if e.sampleAt == at {
		e.sample()
	}
	return nil
}

// Finish ends the run where the clock stands and returns its totals.
func (e *Engine) Finish() Totals {
	e.notePeak()
	e.totals.Reached = max(0, e.now)
	e.totals.SearchingAtEnd = e.online.searching()
	return e.totals
}

// Now returns the instant that the clock has reached.
func (e *Engine) Now() Instant { return e.now }
