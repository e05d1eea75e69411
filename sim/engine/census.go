package engine

import "mmsim/sim"

// online counts players by state. What final states count has no meaning.
type online [sim.StateCount]int

func (o *online) searching() int {
	return o[sim.StateIdeal] + o[sim.StateExpand] + o[sim.StateWarmBody] + o[sim.StateWaiting]
}

func (o *online) ccu() int { return o.searching() + o[sim.StatePlaying] + o[sim.StateBetween] }

// move counts n players from one state to another. An illegal step is a fault of
// the simulator, not of its input.
func (o *online) move(n int, from, to sim.State) {
	if legal[from]>>(to%16)&1 == 0 {
		panic(illegal{from, to})
	}
	o[from] -= n
	o[to] += n
}

// advance moves the clock, adding up what everybody did in the meantime.
func (w *world) advance(to sim.Instant) {
	if w.measuring {
		w.notePeak()
		dt := int64(to - w.now)
		w.totals.PlayingTime += dt * int64(w.online[sim.StatePlaying])
		w.totals.BetweenTime += dt * int64(w.online[sim.StateBetween])
		w.totals.SearchingTime += dt * int64(w.online.searching())
		w.totals.BotsTime += dt * int64(w.online[sim.StateBots])
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
	c := &sim.Census{
		At:       w.now,
		Playing:  w.online[sim.StatePlaying],
		Between:  w.online[sim.StateBetween],
		Ideal:    w.online[sim.StateIdeal],
		Expand:   w.online[sim.StateExpand],
		WarmBody: w.online[sim.StateWarmBody],
		Waiting:  w.online[sim.StateWaiting],
		Bots:     w.online[sim.StateBots],
		Servers:  w.servers,
	}
	w.observers.sampled(c)
}

// ledger counts the searches of players through the measured window: every one that began
// must have ended or be going on, see verifier.conservation.
type ledger struct {
	begun int                 // joins and returns
	ended [sim.StateCount]int // by the state in which they ended
}

// addServerTime adds up the servers that ran, and their seats, for dt milliseconds.
func addServerTime(t *sim.ServerTotals, dt int64, c *sim.ServerCount) {
	t.Time += dt * int64(c.Running)
	t.SeatTime += dt * int64(c.Seats)
	t.TakenTime += dt * int64(c.Taken)
}

// legal[s] is the set of states that may follow s, a bit each.
var legal = [sim.StateCount]uint16{
	sim.StateNew:      1<<sim.StateIdeal | 1<<sim.StateExpand | 1<<sim.StateWarmBody | 1<<sim.StateWaiting | 1<<sim.StateRejected,
	sim.StateIdeal:    1<<sim.StateExpand | 1<<sim.StatePlaying,
	sim.StateExpand:   1<<sim.StateWarmBody | 1<<sim.StatePlaying,
	sim.StateWarmBody: 1<<sim.StatePlaying | 1<<sim.StateBots | 1<<sim.StateFailed,
	sim.StateWaiting:  1<<sim.StatePlaying | 1<<sim.StateExpired | 1<<sim.StateDeclined,
	sim.StatePlaying:  1<<sim.StateBetween | 1<<sim.StateLeft,
	sim.StateBots:     1 << sim.StateBetween,
	sim.StateBetween:  1<<sim.StateNew | 1<<sim.StateLeft,
}

// illegal is a step that is not legal, as a panic tells of it.
type illegal struct{ from, to sim.State }

// Error implements error.
func (i illegal) Error() string {
	return "sim: illegal transition " + i.from.String() + " -> " + i.to.String()
}
