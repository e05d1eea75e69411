package world

import "mmsim/sim"

// Online counts online players by state. Entries for final states are meaningless.
type Online [sim.StateCount]int

func (o *Online) searching() int {
	return o[sim.StateIdeal] + o[sim.StateExpand] + o[sim.StateWarmBody] + o[sim.StateWaiting]
}

func (o *Online) ccu() int { return o.searching() + o[sim.StatePlaying] + o[sim.StateBetween] }

// legal[s] is a bit set of the states that may follow s.
var legal = [sim.StateCount]uint16{
	sim.StateNew:      1<<sim.StateIdeal | 1<<sim.StateExpand | 1<<sim.StateWarmBody | 1<<sim.StateWaiting | 1<<sim.StateRejected,
	sim.StateIdeal:    1<<sim.StateExpand | 1<<sim.StatePlaying | early,
	sim.StateExpand:   1<<sim.StateWarmBody | 1<<sim.StatePlaying | early,
	sim.StateWarmBody: 1<<sim.StatePlaying | 1<<sim.StateBots | 1<<sim.StateFailed | early,
	sim.StateWaiting:  1<<sim.StateNew | 1<<sim.StatePlaying | 1<<sim.StateRejected | 1<<sim.StateExpired | early,
	sim.StatePlaying:  1<<sim.StateBetween | 1<<sim.StateLeft,
	sim.StateBots:     1<<sim.StateBetween | 1<<sim.StateLeft,
	sim.StateBetween:  1<<sim.StateNew | 1<<sim.StateLeft,
	sim.StateDeclined: 1 << sim.StateBetween,
	sim.StateClosed:   1<<sim.StateBetween | 1<<sim.StateLeft,
}

// early is the bit set of the states in which any search can end.
const early = 1<<sim.StateDeclined | 1<<sim.StateCancelled | 1<<sim.StateClosed

// illegal is the panic value for a transition between two states that is not legal.
type illegal struct{ from, to sim.State }

// Error implements error.
func (i illegal) Error() string {
	return "sim: illegal transition " + i.from.String() + " -> " + i.to.String()
}

// Move counts n players who go from one state to another. It panics if the transition is not legal,
// which is a bug in the simulator and not an error in its input.
func (w *World) Move(n int, from, to sim.State) {
	if legal[from]>>(to%16)&1 == 0 {
		panic(illegal{from, to})
	}
	w.online[from] -= n
	w.online[to] += n
}

// searches counts players' searches since the warm-up period or the measured window began. Verifier
// checks that every search that began has ended or is still going on.
type searches struct {
	begun int                 // by joins and returns
	ended [sim.StateCount]int // by the state that ended the search
}

// SearchesBegin counts n players who begin a search.
func (w *World) SearchesBegin(n int) { w.searches.begun += n }

// SearchesEnd counts n players whose search ends in a state: PLAYING, BOTS or a final one.
func (w *World) SearchesEnd(n int, in sim.State) { w.searches.ended[in] += n }

// ServerStarts counts a new server.
func (w *World) ServerStarts(seats int) {
	w.servers.Running++
	w.servers.Seats += seats
	if w.measuring {
		w.totals.Servers.Opened++
	}
}

// ServerEnds counts a server that closes.
func (w *World) ServerEnds(seats int) {
	w.servers.Running--
	w.servers.Seats -= seats
}

// TakeSeats counts n seats that players take on servers. If n is negative, they leave -n seats.
func (w *World) TakeSeats(n int) { w.servers.Taken += n }

// addServerTime adds dt milliseconds for each running server and its seats.
func addServerTime(t *sim.ServerTotals, dt int64, c *sim.ServerCount) {
	t.Time += dt * int64(c.Running)
	t.SeatTime += dt * int64(c.Seats)
	t.TakenTime += dt * int64(c.Taken)
}

// Sample reports the census of this instant to the observers.
func (w *World) Sample() {
	w.Observers.sampled(&sim.Census{
		At:       w.now,
		Playing:  w.online[sim.StatePlaying],
		Between:  w.online[sim.StateBetween],
		Ideal:    w.online[sim.StateIdeal],
		Expand:   w.online[sim.StateExpand],
		WarmBody: w.online[sim.StateWarmBody],
		Waiting:  w.online[sim.StateWaiting],
		Bots:     w.online[sim.StateBots],
		Servers:  w.servers,
	})
}
