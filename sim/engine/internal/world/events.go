package world

import (
	"slices"

	"mmsim/sim"
)

// events is what a World knows about the events of its configuration.
type events struct {
	changes []sim.Instant // instants from now on at which an event begins or ends, in ascending order
	totals  []sim.EventTotals
	closed  int     // 1 more than the index of the maintenance of now; 0 if there is none
	ahead   []ahead // by datacenter, and one more for matches in no datacenter
	// The counts of searching players between these instants belong to the totals of some event.
	watched, over sim.Instant
}

// ahead is what the events will do next to a datacenter.
type ahead struct {
	closes sim.Instant // when it becomes unusable, or Never
	cut    Cut
}

// Cut is the next instant at which an event cuts matches short, or Never, and the index of the event.
type Cut struct {
	At    sim.Instant
	Event int
}

// NoDatacenter is the datacenter of a match that is in none.
const NoDatacenter = -1

func newEvents(list []sim.Event, datacenters int) events {
	e := events{ahead: make([]ahead, datacenters+1), totals: make([]sim.EventTotals, len(list)), watched: sim.Never}
	if len(list) == 0 {
		e.totals = nil
	}
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
	w.lookAhead()
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

// lookAhead notes what the events will do next. This changes only when an event begins.
func (w *World) lookAhead() {
	list := w.events.ahead
	for i := range list {
		list[i] = ahead{sim.Never, Cut{At: sim.Never}}
	}
	for i := range w.Config.Events {
		e := &w.Config.Events[i]
		if e.From <= w.now {
			continue
		}
		for j := range list {
			inNone := j == len(list)-1
			if inNone && !e.Maintenance || !inNone && w.outage(e)>>j&1 == 0 {
				continue
			}
			a := &list[j]
			if a.closes = min(a.closes, e.From); e.CutsMatches() && e.From < a.cut.At {
				a.cut = Cut{e.From, i}
			}
		}
	}
}

// Closes returns the next instant after now at which an event makes a datacenter unusable, or Never.
func (w *World) Closes(dc int) sim.Instant { return w.events.ahead[dc].closes }

// Cut returns when an event will next cut short the matches in a datacenter, which may be NoDatacenter.
func (w *World) Cut(dc int) *Cut {
	if dc == NoDatacenter {
		dc = w.Places.Datacenters
	}
	return &w.events.ahead[dc].cut
}

// ClosesAll reports whether a maintenance begins at an instant.
func (w *World) ClosesAll(at sim.Instant) bool {
	return slices.ContainsFunc(w.Config.Events, func(e sim.Event) bool { return e.Maintenance && e.From == at })
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
