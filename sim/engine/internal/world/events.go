package world

import (
	"slices"

	"mmsim/sim"
)

// events is what a World knows about the events of its configuration.
type events struct {
	changes []sim.Instant // instants from now on at which an event begins or ends, in ascending order
	totals  []sim.EventTotals
	closed  int // 1 more than the index of the maintenance of now; 0 if there is none
	// The counts of searching players between these instants belong to the totals of some event.
	watched, over sim.Instant
}

func newEvents(list []sim.Event) events {
	if len(list) == 0 {
		return events{watched: sim.Never}
	}
	e := events{totals: make([]sim.EventTotals, len(list)), watched: sim.Never}
	for i := range list {
		e.changes = append(e.changes, list[i].From, list[i].Until)
		e.watched = min(e.watched, list[i].From)
		e.over = max(e.over, list[i].Until.Add(sim.EventAftermath))
	}
	slices.Sort(e.changes)
	e.changes = slices.Compact(e.changes)
	return e
}

// NextChange returns the next instant at which an event begins or ends, or Never.
func (w *World) NextChange() sim.Instant {
	if len(w.events.changes) == 0 {
		return sim.Never
	}
	return w.events.changes[0]
}

// Change applies the events that begin or end now. closes is set if a maintenance begins: all searches
// must then end. changes is set if the set of usable datacenters has changed: the queues must then adapt
// to it.
func (w *World) Change() (closes, changes bool) {
	w.events.changes = w.events.changes[1:]
	w.events.closed = 0
	for i := range w.Config.Events {
		if e := &w.Config.Events[i]; e.Maintenance && e.From <= w.now && w.now < e.Until {
			w.events.closed, closes = i+1, e.From == w.now
		}
	}
	w.latency.change(w.Config.Events, w.now)
	set := w.UsableAt(w.now)
	if set == w.usable.set {
		return closes, false
	}
	w.setUsable(set)
	return closes, true
}

// Closed returns the maintenance that keeps everybody out now, as an index into Config.Events.
func (w *World) Closed() (event int, is bool) { return w.events.closed - 1, w.events.closed > 0 }

// ComesBack draws whether a ticket comes back after a maintenance, and when. key is that of draws about
// the ticket, and search the number of the search that would begin then.
func (w *World) ComesBack(event int, key uint64, search uint32) (at sim.Instant, comes bool) {
	e, k := &w.Config.Events[event], uint64(search)*sim.MaxEvents+uint64(event)
	after := sim.Duration(float64(w.Stream(sim.PurposeBackAfter).Uniform(key, k) * float64(e.Within)))
	return e.Until.Add(after), w.Stream(sim.PurposeBack).Uniform(key, k) < e.Back
}

// outage returns the datacenters that may not be used during an event.
func (w *World) outage(e *sim.Event) uint64 {
	if e.Maintenance {
		return w.Places.AllDatacenters()
	}
	return e.Outage
}

// TurnedAway counts n players who would have joined during a maintenance and never come.
func (w *World) TurnedAway(n int) { w.totals.TurnedAway += n }

// UsableAt returns the set of datacenters that may be used at an instant.
func (w *World) UsableAt(at sim.Instant) uint64 {
	set := w.takePart
	for i := range w.Config.Events {
		if e := &w.Config.Events[i]; e.From <= at && at < e.Until {
			set &^= w.outage(e)
		}
	}
	return set
}

// Closes returns the next instant after now at which an event makes a datacenter unusable, or Never.
func (w *World) Closes(dc int) sim.Instant {
	next := sim.Never
	for i := range w.Config.Events {
		if e := &w.Config.Events[i]; w.outage(e)>>dc&1 != 0 && e.From > w.now {
			next = min(next, e.From)
		}
	}
	return next
}

// ClosesAll reports whether a maintenance begins at an instant.
func (w *World) ClosesAll(at sim.Instant) bool {
	return slices.ContainsFunc(w.Config.Events, func(e sim.Event) bool { return e.Maintenance && e.From == at })
}

// Killed returns the next instant after now at which an event cuts short the matches in a
// datacenter, and the index of the event. The instant is Never if there is none.
func (w *World) Killed(dc int) (at sim.Instant, event int) {
	at = sim.Never
	for i := range w.Config.Events {
		if e := &w.Config.Events[i]; e.CutsMatches() && w.outage(e)>>dc&1 != 0 && e.From > w.now && e.From < at {
			at, event = e.From, i
		}
	}
	return at, event
}

// Interrupted counts n players whose match an event cuts short.
func (w *World) Interrupted(n, event int) { w.events.totals[event].Interrupted += n }

// noteSearching updates the peaks of searching players around events. It is called when all that
// happens at an instant is over.
func (w *World) noteSearching() {
	for i := range w.Config.Events {
		if e, t := &w.Config.Events[i], &w.events.totals[i]; e.From <= w.now && w.now <= e.Until.Add(sim.EventAftermath) {
			t.SearchingPeak = max(t.SearchingPeak, w.online.searching())
		}
	}
}
