// Package world holds what all queues of a run share. A [World] has the clock, the configuration, the
// RTTs of places, the counts of players and servers, the observers and the random draws. A fact that
// changes during a run and that every kind of queue must respect belongs into it. The package also
// has the data structures that the kinds of queues use: [Timers], [FreeList] and [SceneRequests].
//
// The engine moves the clock. Each queue reads it and reports what it did: players who joined or
// changed state, searches that began or ended, matches and servers that started. The census, the
// totals and the check that no player is lost are computed from these reports.
package world

import "mmsim/sim"

// World is the state that all queues of a run share.
type World struct {
	Config    sim.Config
	Places    *sim.Places
	Observers Observers // receive every fact of this period; a queue replaces them while it records a scene

	now       sim.Instant
	measuring bool // whether now is inside the measured window
	online    Online
	servers   sim.ServerCount
	takePart  uint64 // datacenters that take part in the run
	usable    usable // those of them that may be used now
	events    events
	latency   latency
	measurers Observers // of the measured window
	searches  searches
	totals    sim.Totals
	joined    uint32
	matches   uint64
	err       error
}

// New returns the world of a run at the start of its warm-up period.
func New(cfg sim.Config, places *sim.Places, observers []sim.Observer) *World {
	w := &World{Config: cfg, Places: places, measurers: observers, now: sim.Instant(-cfg.WarmUp), events: newEvents(cfg.Events, places.Datacenters), latency: newLatency(cfg.Events)}
	if w.takePart = cfg.Use; cfg.Use == 0 {
		w.takePart = places.AllDatacenters()
	}
	w.setUsable(w.takePart)
	w.lookAhead()
	for _, o := range observers {
		if o, is := o.(sim.WarmUpObserver); is {
			w.Observers = append(w.Observers, o)
		}
	}
	if cfg.WarmUp == 0 {
		w.StartMeasuring()
	}
	return w
}

// Now returns the current instant of the virtual clock.
func (w *World) Now() sim.Instant { return w.now }

// Measuring reports whether the clock is inside the measured window.
func (w *World) Measuring() bool { return w.measuring }

// Watched reports whether anybody observes what happens now.
func (w *World) Watched() bool { return len(w.Observers) > 0 }

// Stream returns the random draws for a purpose.
func (w *World) Stream(p sim.Purpose) sim.Stream {
	return sim.NewStream(w.Config.Seed, w.Config.Run, p)
}

// AddPlayers numbers n players who join, and counts them as NEW. It returns the number of the
// first.
func (w *World) AddPlayers(n int) (first uint32) {
	first = w.joined
	w.joined += uint32(n)
	w.online[sim.StateNew] += n
	return first
}

// Joined returns the number of players who have joined.
func (w *World) Joined() uint32 { return w.joined }

// AddMatch counts a match. Its ID is the number of matches before the call.
func (w *World) AddMatch() { w.matches++ }

// Matches returns the number of matches so far, which is also the ID of the next one.
func (w *World) Matches() uint64 { return w.matches }

// Abort ends the run with an error, such as a failure of an external matchmaker. It keeps the first
// error and ignores nil.
func (w *World) Abort(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Err returns the error from Abort, or nil.
func (w *World) Err() error { return w.err }

// StartMeasuring begins the measured window.
func (w *World) StartMeasuring() {
	w.measuring, w.Observers = true, w.measurers
	w.totals.SearchingAtStart, w.totals.OnlineAtStart = w.online.searching(), w.online.ccu()
	w.searches = searches{}
}

// Advance moves the clock and adds the elapsed time to the totals of players and servers by state.
func (w *World) Advance(to sim.Instant) {
	if w.measuring {
		w.notePeak()
		dt := int64(to - w.now)
		w.totals.PlayingTime += dt * int64(w.online[sim.StatePlaying])
		w.totals.BetweenTime += dt * int64(w.online[sim.StateBetween])
		w.totals.SearchingTime += dt * int64(w.online.searching())
		w.totals.BotsTime += dt * int64(w.online[sim.StateBots])
		addServerTime(&w.totals.Servers, dt, &w.servers)
	}
	w.now = to
}

// notePeak updates the peaks. It is called when all events of an instant are over, because counts
// in the middle of an instant are not meaningful.
func (w *World) notePeak() {
	w.totals.CCU.Note(w.online.ccu(), w.now)
	if w.events.watched <= w.now && w.now <= w.events.over {
		w.noteSearching()
	}
	w.totals.Servers.Peak = max(w.totals.Servers.Peak, w.servers.Running)
}

// Totals returns the totals of a run that ends now, except those about rulesets.
func (w *World) Totals() sim.Totals {
	w.notePeak()
	w.totals.Reached, w.totals.Events = w.now, w.events.totals
	w.totals.SearchingAtEnd, w.totals.OnlineAtEnd = w.online.searching(), w.online.ccu()
	return w.totals
}
