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
		addServerTime(&w.totals.Servers, dt, &w.servers)
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
	w.observers.sampled(c)
}

// ledger counts the searches of players through the measured window: every one that began
// must have ended or be going on, see verifier.conservation.
type ledger struct {
	begun int             // joins and returns
	ended [stateCount]int // by the state in which they ended
}

// addServerTime adds up the servers that ran, and their seats, for dt milliseconds.
func addServerTime(t *ServerTotals, dt int64, c *ServerCount) {
	t.Time += dt * int64(c.Running)
	t.SeatTime += dt * int64(c.Seats)
	t.TakenTime += dt * int64(c.Taken)
}

// legal[s] is the set of states that may follow s, a bit each.
var legal = [stateCount]uint16{
	StateNew:      1<<StateIdeal | 1<<StateExpand | 1<<StateWarmBody | 1<<StateWaiting | 1<<StateRejected,
	StateIdeal:    1<<StateExpand | 1<<StatePlaying,
	StateExpand:   1<<StateWarmBody | 1<<StatePlaying,
	StateWarmBody: 1<<StatePlaying | 1<<StateBots | 1<<StateFailed,
	StateWaiting:  1<<StatePlaying | 1<<StateExpired | 1<<StateDeclined,
	StatePlaying:  1<<StateBetween | 1<<StateLeft,
	StateBots:     1 << StateBetween,
	StateBetween:  1<<StateNew | 1<<StateLeft,
}

// illegal is a step that is not legal, as a panic tells of it.
type illegal struct{ from, to State }

// Error implements error.
func (i illegal) Error() string {
	return "sim: illegal transition " + i.from.String() + " -> " + i.to.String()
}
