// Package capture keeps the requests for scenes, and records what happens in one.
package capture

import (
	"slices"

	"mmsim/sim"
)

// WholePool stands in place of a datacenter where datacenters have no turns.
const WholePool = -1

// Request asks for the scene of the pass at an instant, or of the turn of a
// datacenter in it.
type Request struct {
	At         sim.Instant
	Datacenter int
	Done       func(*sim.Scene)
}

// Requests are those that a queue has not answered yet. They are few.
type Requests []Request

// Next returns the instant of the first request, Never if there is none.
func (l Requests) Next() sim.Instant {
	first := sim.Never
	for i := range l {
		first = min(first, l[i].At)
	}
	return first
}

// Has reports whether there is a request for the scene of a datacenter's turn.
func (l Requests) Has(at sim.Instant, datacenter int) bool {
	return slices.ContainsFunc(l, func(r Request) bool { return r.At == at && r.Datacenter == datacenter })
}

// Deliver answers the requests for a scene.
func (l *Requests) Deliver(s *sim.Scene) {
	*l = slices.DeleteFunc(*l, func(r Request) bool {
		wanted := r.At == s.At && r.Datacenter == s.Datacenter
		if wanted {
			r.Done(s)
		}
		return wanted
	})
}

// Recorder is an observer that writes what happens into a scene.
type Recorder sim.Scene

// Entered implements sim.Observer.
func (*Recorder) Entered(*sim.Search) {}

// Sampled implements sim.Observer.
func (*Recorder) Sampled(*sim.Census) {}

// Matched implements sim.Observer.
func (r *Recorder) Matched(m *sim.Match) {
	match := *m
	match.Players, match.Relaxed = slices.Clone(m.Players), slices.Clone(m.Relaxed)
	r.Matches = append(r.Matches, match)
}

// Ended implements sim.Observer.
func (r *Recorder) Ended(e *sim.Ended) {
	search := e.Search
	search.Players = slices.Clone(e.Players)
	r.Expired = append(r.Expired, search)
}
