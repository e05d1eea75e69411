// Package run holds the state that all queues of a run share: the clock, the configuration, the
// RTTs of places, the counts of players and servers, the observers and the random draws.
//
// The engine moves the clock. Each queue reads it and reports what it did: players who joined or
// changed state, searches that began or ended, matches and servers that started. The census, the
// totals and the check that no player is lost are computed from these reports.
package run

import "mmsim/sim"

// Run is the state that all queues of a run share.
type Run struct {
	Config    sim.Config
	Places    *sim.Places
	Observers Observers // receive every fact; a queue replaces them while it records a scene

	now       sim.Instant
	measuring bool // whether now is inside the measured window
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

// Now returns the current instant of the virtual clock.
func (r *Run) Now() sim.Instant { return r.now }

// Measuring reports whether the clock is inside the measured window.
func (r *Run) Measuring() bool { return r.measuring }

// Watched reports whether anybody observes what happens now.
func (r *Run) Watched() bool { return r.measuring && len(r.Observers) > 0 }

// Stream returns the random draws for a purpose.
func (r *Run) Stream(p sim.Purpose) sim.Stream { return sim.NewStream(r.Config.Seed, r.Config.Run, p) }

// AddPlayers numbers n players who join, and counts them as NEW. It returns the number of the
// first.
func (r *Run) AddPlayers(n int) (first uint32) {
	first = r.joined
	r.joined += uint32(n)
	r.online[sim.StateNew] += n
	return first
}

// Joined returns the number of players who have joined.
func (r *Run) Joined() uint32 { return r.joined }

// AddMatch counts a match. Its ID is the number of matches before the call.
func (r *Run) AddMatch() { r.matches++ }

// Matches returns the number of matches so far, which is also the ID of the next one.
func (r *Run) Matches() uint64 { return r.matches }

// Abort ends the run with an error, such as a failure of an external matchmaker. It keeps the first
// error and ignores nil.
func (r *Run) Abort(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err returns the error from Abort, or nil.
func (r *Run) Err() error { return r.err }

// StartMeasuring begins the measured window.
func (r *Run) StartMeasuring() {
	r.measuring = true
	r.totals.SearchingAtStart, r.totals.OnlineAtStart = r.online.searching(), r.online.ccu()
	r.searches = searches{}
}

// Advance moves the clock and adds the elapsed time to the totals of players and servers by state.
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

// notePeak updates the peaks. It is called when all events of an instant are over, because counts
// in the middle of an instant are not meaningful.
func (r *Run) notePeak() {
	r.totals.CCU.Note(r.online.ccu(), r.now)
	r.totals.Servers.Peak = max(r.totals.Servers.Peak, r.servers.Running)
}

// Totals returns the totals of a run that ends now, except those about rulesets.
func (r *Run) Totals() sim.Totals {
	r.notePeak()
	r.totals.Reached = r.now
	r.totals.SearchingAtEnd, r.totals.OnlineAtEnd = r.online.searching(), r.online.ccu()
	return r.totals
}
