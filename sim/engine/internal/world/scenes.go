package world

import (
	"slices"

	"mmsim/sim"
)

// WholePool is the Datacenter of a SceneRequest to a queue with one pool.
const WholePool = -1

// SceneRequest asks for a scene of the pass at an instant, or of one datacenter's turn in that pass.
type SceneRequest struct {
	At         sim.Instant
	Datacenter int
	Done       func(*sim.Scene)
}

// SceneRequests are the open requests of a queue. There are few of them.
type SceneRequests []SceneRequest

// Next returns the instant of the earliest request, or Never if there is none.
func (l SceneRequests) Next() sim.Instant {
	first := sim.Never
	for i := range l {
		first = min(first, l[i].At)
	}
	return first
}

// Has reports whether the scene of a datacenter's turn was requested.
func (l SceneRequests) Has(at sim.Instant, datacenter int) bool {
	return slices.ContainsFunc(l, func(r SceneRequest) bool { return r.At == at && r.Datacenter == datacenter })
}

// Deliver passes a scene to everyone who requested it, and removes their requests.
func (l *SceneRequests) Deliver(s *sim.Scene) {
	*l = slices.DeleteFunc(*l, func(r SceneRequest) bool {
		wanted := r.At == s.At && r.Datacenter == s.Datacenter
		if wanted {
			r.Done(s)
		}
		return wanted
	})
}

// SceneRecorder is an observer that records matches and ended searches in a scene.
type SceneRecorder sim.Scene

// Entered implements sim.Observer.
func (*SceneRecorder) Entered(*sim.Search) {}

// Sampled implements sim.Observer.
func (*SceneRecorder) Sampled(*sim.Census) {}

// Matched implements sim.Observer.
func (r *SceneRecorder) Matched(m *sim.Match) {
	match := *m
	match.Players, match.Relaxed = slices.Clone(m.Players), slices.Clone(m.Relaxed)
	r.Matches = append(r.Matches, match)
}

// Ended implements sim.Observer.
func (r *SceneRecorder) Ended(e *sim.Ended) {
	if e.Into == sim.StateCancelled { // before the rules see the ticket
		r.Tickets = slices.DeleteFunc(r.Tickets, func(t sim.SceneTicket) bool { return t.Players[0].ID == e.Players[0].ID })
		return
	}
	search := e.Search
	search.Players = slices.Clone(e.Players)
	r.Expired = append(r.Expired, search)
}
