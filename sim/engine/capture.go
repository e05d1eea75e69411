package engine

import (
	"slices"

	"mmsim/sim"
)

// wholePool stands where no datacenter has a turn.
const wholePool = -1

// captureRequest asks for the scene of the pass at an instant, or of the turn of a
// datacenter in it.
type captureRequest struct {
	at         sim.Instant
	datacenter int
	done       func(*sim.Scene)
}

// captureRequests are the requests that a queue has not answered yet. They are few.
type captureRequests []captureRequest

// next returns the instant of the first one, Never if there is none.
func (l captureRequests) next() sim.Instant {
	first := sim.Never
	for i := range l {
		first = min(first, l[i].at)
	}
	return first
}

// has tells whether there is a request for the scene of a datacenter's turn.
func (l captureRequests) has(at sim.Instant, datacenter int) bool {
	return slices.ContainsFunc(l, func(r captureRequest) bool { return r.at == at && r.datacenter == datacenter })
}

// deliver answers the requests for a scene.
func (l *captureRequests) deliver(s *sim.Scene) {
	*l = slices.DeleteFunc(*l, func(r captureRequest) bool {
		wanted := r.at == s.At && r.datacenter == s.Datacenter
		if wanted {
			r.done(s)
		}
		return wanted
	})
}

// recorder is an observer that writes what happens into a scene.
type recorder sim.Scene

func (*recorder) Entered(*sim.Search) {}
func (*recorder) Sampled(*sim.Census) {}

// Matched implements Observer.
func (r *recorder) Matched(m *sim.Match) {
	match := *m
	match.Players, match.Relaxed = slices.Clone(m.Players), slices.Clone(m.Relaxed)
	r.Matches = append(r.Matches, match)
}

// Ended implements Observer.
func (r *recorder) Ended(e *sim.Ended) {
	search := e.Search
	search.Players = slices.Clone(e.Players)
	r.Expired = append(r.Expired, search)
}
