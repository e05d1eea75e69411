package run

import "mmsim/sim"

// Online counts players by state. What final states count has no meaning.
type Online [sim.StateCount]int

func (o *Online) searching() int {
	return o[sim.StateIdeal] + o[sim.StateExpand] + o[sim.StateWarmBody] + o[sim.StateWaiting]
}

func (o *Online) ccu() int { return o.searching() + o[sim.StatePlaying] + o[sim.StateBetween] }

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

// illegal is a step between two states that is not legal: the value of a panic.
type illegal struct{ from, to sim.State }

// Error implements error.
func (i illegal) Error() string {
	return "sim: illegal transition " + i.from.String() + " -> " + i.to.String()
}

// Move counts n players from one state to another. An illegal step is a fault of
// the simulator, not of its input.
func (r *Run) Move(n int, from, to sim.State) {
	if legal[from]>>(to%16)&1 == 0 {
		panic(illegal{from, to})
	}
	r.online[from] -= n
	r.online[to] += n
}

// searches counts the searches of players through the measured window: every one that began
// must have ended or be going on, see Verifier.
type searches struct {
	begun int                 // by joins and returns
	ended [sim.StateCount]int // by the state in which they ended
}

// SearchesBegin counts searches of n players that begin.
func (r *Run) SearchesBegin(n int) { r.searches.begun += n }

// SearchesEnd counts searches of n players that end in a state: PLAYING, BOTS, or a final one.
func (r *Run) SearchesEnd(n int, in sim.State) { r.searches.ended[in] += n }

// ServerStarts counts a server that is started.
func (r *Run) ServerStarts(seats int) {
	r.servers.Running++
	r.servers.Seats += seats
	if r.measuring {
		r.totals.Servers.Opened++
	}
}

// ServerEnds counts a server that is closed.
func (r *Run) ServerEnds(seats int) {
	r.servers.Running--
	r.servers.Seats -= seats
}

// TakeSeats counts n seats that players take on servers, below 0 that they leave.
func (r *Run) TakeSeats(n int) { r.servers.Taken += n }

// addServerTime adds up the servers that ran, and their seats, for dt milliseconds.
func addServerTime(t *sim.ServerTotals, dt int64, c *sim.ServerCount) {
	t.Time += dt * int64(c.Running)
	t.SeatTime += dt * int64(c.Seats)
	t.TakenTime += dt * int64(c.Taken)
}

// Sample reports the census of this instant to the observers.
func (r *Run) Sample() {
	r.Observers.sampled(&sim.Census{
		At:       r.now,
		Playing:  r.online[sim.StatePlaying],
		Between:  r.online[sim.StateBetween],
		Ideal:    r.online[sim.StateIdeal],
		Expand:   r.online[sim.StateExpand],
		WarmBody: r.online[sim.StateWarmBody],
		Waiting:  r.online[sim.StateWaiting],
		Bots:     r.online[sim.StateBots],
		Servers:  r.servers,
	})
}
