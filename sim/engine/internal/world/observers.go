package world

import "mmsim/sim"

// Observers passes every fact to each of its observers in turn.
type Observers []sim.Observer

// Entered reports that a search began.
func (l Observers) Entered(s *sim.Search) {
	for _, o := range l {
		o.Entered(s)
	}
}

// Matched reports a match.
func (l Observers) Matched(m *sim.Match) {
	for _, o := range l {
		o.Matched(m)
	}
}

// Ended reports that a search ended without a match.
func (l Observers) Ended(e *sim.Ended) {
	for _, o := range l {
		o.Ended(e)
	}
}

func (l Observers) sampled(c *sim.Census) {
	for _, o := range l {
		o.Sampled(c)
	}
}
