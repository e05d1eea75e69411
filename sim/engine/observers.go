package engine

import "mmsim/sim"

// observers are told every fact.
type observers []sim.Observer

func (l observers) entered(s *sim.Search) {
	for _, o := range l {
		o.Entered(s)
	}
}

func (l observers) matched(m *sim.Match) {
	for _, o := range l {
		o.Matched(m)
	}
}

func (l observers) ended(e *sim.Ended) {
	for _, o := range l {
		o.Ended(e)
	}
}

func (l observers) sampled(c *sim.Census) {
	for _, o := range l {
		o.Sampled(c)
	}
}
