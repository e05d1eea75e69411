package sim

// online counts players by state. What final states count has no meaning.
type online [stateCount]int

func (o *online) searching() int { return o[StateIdeal] + o[StateExpand] + o[StateWarmBody] }

func (o *online) ccu() int { return o.searching() + o[StatePlaying] + o[StateBetween] }

// move counts n players from one state to another. An illegal step is a fault of
// the simulator, not of its input.
func (o *online) move(n int, from, to State) {
	if legal[from]&(1<<to) == 0 {
		panic("sim: illegal transition " + from.String() + " -> " + to.String())
	}
	o[from] -= n
	o[to] += n
}

// advance moves the clock, adding up what everybody did in the meantime.
func (e *Engine) advance(to Instant) {
	if e.measuring {
		e.notePeak()
		dt := int64(to - e.now)
		e.totals.PlayingTime += dt * int64(e.online[StatePlaying])
		e.totals.BetweenTime += dt * int64(e.online[StateBetween])
		e.totals.SearchingTime += dt * int64(e.online.searching())
		e.totals.BotsTime += dt * int64(e.online[StateBots])
	}
	e.now = to
}

// notePeak compares the peak with the players online as an instant leaves them:
// steps in the middle of an instant are no moment in time.
func (e *Engine) notePeak() {
	if ccu := e.online.ccu(); ccu > e.totals.PeakCCU {
		e.totals.PeakCCU, e.totals.PeakAt = ccu, e.now
	}
}

// sample shows the census to the observers.
func (e *Engine) sample() {
	c := &e.scratch.census
	*c = Census{
		At:       e.now,
		Playing:  e.online[StatePlaying],
		Between:  e.online[StateBetween],
		Ideal:    e.online[StateIdeal],
		Expand:   e.online[StateExpand],
		WarmBody: e.online[StateWarmBody],
		Bots:     e.online[StateBots],
	}
	for _, o := range e.observers {
		o.Sampled(c)
	}
	e.sampleAt = e.now.Add(e.cfg.Sample)
}

func (e *Engine) startMeasuring() {
	e.measuring = true
	e.totals.SearchingAtStart = e.online.searching()
	e.ledger = ledger{}
}

// ledger counts players through the measured window for the law of
// conservation, see Verify.
type ledger struct {
	entries  int // joins and returns
	matched  int
	failed   int
	bots     int
	rejected int
}
