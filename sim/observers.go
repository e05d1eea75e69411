package sim

// observers are told every fact.
type observers []Observer

func (l observers) entered(s *Search) {
	for _, o := range l {
		o.Entered(s)
	}
}

func (l observers) matched(m *Match) {
	for _, o := range l {
		o.Matched(m)
	}
}

func (l observers) ended(e *Ended) {
	for _, o := range l {
		o.Ended(e)
	}
}

func (l observers) sampled(c *Census) {
	for _, o := range l {
		o.Sampled(c)
	}
}
