package sim

// online counts players by state. What final states count has no meaning.
type online [stateCount]int

func (o *online) searching() int {
	return o[StateIdeal] + o[StateExpand] + o[StateWarmBody] + o[StateWaiting]
}

func (o *online) ccu() int { return o.searching() + o[StatePlaying] + o[StateBetween] }

// move counts n players from one state to another. An illegal step is a fault of
// the simulator, not of its input.
func (o *online) move(n int, from, to State) {
	if legal[from]>>(to%16)&1 == 0 {
		panic(illegal{from, to})
	}
	o[from] -= n
	o[to] += n
}

// advance moves the clock, adding up what everybody did in the meantime.
func (w *world) advance(to Instant) {
	if w.measuring {
		w.notePeak()
		dt := int64(to - w.now)
		w.totals.PlayingTime += dt * int64(w.online[StatePlaying])
		w.totals.BetweenTime += dt * int64(w.online[StateBetween])
		w.totals.SearchingTime += dt * int64(w.online.searching())
		w.totals.BotsTime += dt * int64(w.online[StateBots])
		w.totals.Servers.passTime(dt, &w.servers)
	}
	w.now = to
}

// notePeak compares the peak with the players online as an instant leaves them:
// steps in the middle of an instant are no moment in time.
func (w *world) notePeak() {
	if ccu := w.online.ccu(); ccu > w.totals.PeakCCU {
		w.totals.PeakCCU, w.totals.PeakAt = ccu, w.now
	}
	w.totals.Servers.Peak = max(w.totals.Servers.Peak, w.servers.Running)
}

// sample shows the census to the observers.
func (w *world) sample() {
	c := &Census{
		At:       w.now,
		Playing:  w.online[StatePlaying],
		Between:  w.online[StateBetween],
		Ideal:    w.online[StateIdeal],
		Expand:   w.online[StateExpand],
		WarmBody: w.online[StateWarmBody],
		Waiting:  w.online[StateWaiting],
		Bots:     w.online[StateBots],
		Servers:  w.servers,
	}
	for _, o := range w.observers {
		o.Sampled(c)
	}
}

// ledger counts players through the measured window for the law of
// conservation, see Verify.
type ledger struct {
	entries  int // joins and returns
	matched  int
	failed   int
	expired  int
	bots     int
	rejected int
	declined int
}
