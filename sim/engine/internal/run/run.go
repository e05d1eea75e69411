// Package run is what the queues of a run share, and all that the engine hands to them: the
// clock, the configuration, the RTTs of places, the counts of players and servers, the
// observers and the random draws.
//
// The engine moves the clock; a queue reads it, and reports what it did: which players joined
// or changed their state, which searches began and ended, which matches and servers it
// started. From that come the census, the totals, and the check that no player is lost.
package run

import "mmsim/sim"

// Run is the state of a run that belongs to no single queue.
type Run struct {
	Config    sim.Config
	Places    *sim.Places
	Observers Observers // of every fact; a queue replaces them while it records a scene

	now       sim.Instant
	measuring bool // now is inside the measured window
	online    Online
	servers   sim.ServerCount
	searches  searches
	totals    sim.Totals
	joined    uint32
	matches   uint64
	err       error
}

// New returns a run at the start of its warm-up period.
func New(cfg sim.Config, places *sim.Places, observers []sim.Observer) *Run {
	r := &Run{Config: cfg, Places: places, Observers: observers, now: sim.Instant(-cfg.WarmUp)}
	if cfg.WarmUp == 0 {
		r.StartMeasuring()
	}
	return r
}

// Now returns the instant at which the clock stands.
func (r *Run) Now() sim.Instant { return r.now }

// Measuring reports whether the clock stands inside the measured window.
func (r *Run) Measuring() bool { return r.measuring }

// Watched reports whether observers receive what happens now.
func (r *Run) Watched() bool { return r.measuring && len(r.Observers) > 0 }

// Stream returns the random draws for a purpose.
func (r *Run) Stream(p sim.Purpose) sim.Stream { return sim.NewStream(r.Config.Seed, r.Config.Run, p) }

// AddPlayers numbers n players who join, in the order of joining, and counts them in state
// NEW. It returns the number of the first.
func (r *Run) AddPlayers(n int) (first uint32) {
	first = r.joined
	r.joined += uint32(n)
	r.online[sim.StateNew] += n
	return first
}

// Joined returns the number of players who have joined.
func (r *Run) Joined() uint32 { return r.joined }

// AddMatch counts a match; Matches was its number.
func (r *Run) AddMatch() { r.matches++ }

// Matches returns the number of matches that were made. It is the number of the next one.
func (r *Run) Matches() uint64 { return r.matches }

// Abort ends the run with an error, such as that of a matchmaker outside. The first error
// is kept; nil is none.
func (r *Run) Abort(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err returns the error of Abort, nil while there is none.
func (r *Run) Err() error { return r.err }

// StartMeasuring begins the measured window.
func (r *Run) StartMeasuring() {
	r.measuring = true
	r.totals.SearchingAtStart, r.totals.OnlineAtStart = r.online.searching(), r.online.ccu()
	r.searches = searches{}
}

// Advance moves the clock, and adds up how long players and servers were in their states.
func (r *Run) Advance(to sim.Instant) {
	if r.measuring {
		r.notePeak()
		dt := int64(to - r.now)
		r.totals.PlayingTime += dt * int64(r.online[sim.StatePlaying])
		r.totals.BetweenTime += dt * int64(r.online[sim.StateBetween])
		r.totals.SearchingTime += dt * int64(r.online.searching())
		r.totals.BotsTime += dt * int64(r.online[sim.StateBots])
		addServerTime(&r.totals.Servers, dt, &r.servers)
	}
	r.now = to
}

// notePeak compares the peak with the players online as an instant leaves them:
// steps in the middle of an instant are no moment in time.
func (r *Run) notePeak() {
	r.totals.CCU.Note(r.online.ccu(), r.now)
	r.totals.Servers.Peak = max(r.totals.Servers.Peak, r.servers.Running)
}

// Totals returns the totals of a run that ends where the clock stands, without those about
// rulesets.
func (r *Run) Totals() sim.Totals {
	r.notePeak()
	r.totals.Reached = r.now
	r.totals.SearchingAtEnd, r.totals.OnlineAtEnd = r.online.searching(), r.online.ccu()
	return r.totals
}
