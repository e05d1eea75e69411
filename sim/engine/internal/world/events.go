package world

import (
	"slices"

	"mmsim/sim"
)

// events is what a World knows about the events of its configuration.
type events struct {
	changes []sim.Instant // instants from now on at which an event begins or ends, in ascending order
	totals  []sim.EventTotals
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

// Change applies the events that begin or end now. It reports whether the set of usable datacenters
// has changed. The queues must then adapt to it.
func (w *World) Change() bool {
	w.events.changes = w.events.changes[1:]
	set := w.UsableAt(w.now)
	if set == w.usable.set {
		return false
	}
	w.setUsable(set)
	return true
}

// UsableAt returns the set of datacenters that may be used at an instant.
func (w *World) UsableAt(at sim.Instant) uint64 {
	set := w.takePart
	for i := range w.Config.Events {
		if e := &w.Config.Events[i]; e.From <= at && at < e.Until {
			set &^= e.Outage
		}
	}
	return set
}

// Closes returns the next instant after now at which an event makes a datacenter unusable, or Never.
func (w *World) Closes(dc int) sim.Instant {
	next := sim.Never
	for i := range w.Config.Events {
		if e := &w.Config.Events[i]; e.Outage>>dc&1 != 0 && e.From > w.now {
			next = min(next, e.From)
		}
	}
	return next
}

// Killed returns the next instant after now at which an event cuts short the matches in a
// datacenter, and the index of the event. The instant is Never if there is none.
func (w *World) Killed(dc int) (at sim.Instant, event int) {
	at = sim.Never
	for i := range w.Config.Events {
		if e := &w.Config.Events[i]; e.Kill && e.Outage>>dc&1 != 0 && e.From > w.now && e.From < at {
			at, event = e.From, i
		}
	}
	return at, event
}

// Interrupted counts n players whose match an event cuts short.
func (w *World) Interrupted(n, event int) { w.events.totals[event].Interrupted += n }

// noteSearching updates the peaks of searching players. It is called when all that happens at an
// instant is over.
func (w *World) noteSearching() {
	if w.now < w.events.watched || w.now > w.events.over {
		return
	}
	for i := range w.Config.Events {
		if e, t := &w.Config.Events[i], &w.events.totals[i]; e.From <= w.now && w.now <= e.Until.Add(sim.EventAftermath) {
			t.SearchingPeak = max(t.SearchingPeak, w.online.searching())
		}
	}
}
