package engine

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/roster"
	"mmsim/sim/engine/internal/timers"
)

// What timers are for. Those of one instant run in this order.
const (
	timerMatchEnd timers.Kind = iota
	timerReturn
)

// matchQueue is the life of players whose queue makes matches: they search, play,
// pause and perhaps return. How they search is the part of whoever embeds it.
type matchQueue struct {
	*world
	index int       // of Config.Queues
	own   sim.Queue // its entry there
	way   searching // that of the queue that embeds it

	timers   timers.List
	players  players
	matches  matches
	passAt   sim.Instant // the first pass that could decide anything
	searches uint32      // tickets that began to search so far

	captures  captureRequests
	recording *recorder // of the scene that is being recorded; nil: none is

	streams streams
	scratch scratch
}

// searching is how the tickets of a queue search for a match.
type searching interface {
	// begin takes in a ticket in state NEW. It leaves that state.
	begin(t ticketID)
	// ending is told that a match is about to end.
	ending(match uint32)
}

type streams struct {
	playAgain, matchLength, lastMile, jitter sim.Stream
}

// scratch is memory that is used and left behind.
type scratch struct {
	all   roster.Attendance // of the match that is being made
	ended sim.Ended
	match sim.Match
}

// init makes the queue empty. size is the largest match.
func (q *matchQueue) init(w *world, index, size int, way searching) {
	*q = matchQueue{
		world: w, index: index, own: w.cfg.Queues[index], way: way,
		passAt: sim.Never,
		streams: streams{
			playAgain:   w.stream(sim.PurposePlayAgain),
			matchLength: w.stream(sim.PurposeMatchLength),
			lastMile:    w.stream(sim.PurposeLastMile),
			jitter:      w.stream(sim.PurposeJitter),
		},
	}
	q.players.rosters = roster.New(size)
	q.matches.stride = size
}

// next implements queue.
func (q *matchQueue) next() sim.Instant {
	return min(sim.Instant(q.timers.Next()), q.passAt, q.captures.next())
}

// due implements queue: match ends, then returns.
func (q *matchQueue) due() {
	for sim.Instant(q.timers.Next()) == q.now {
		t := q.timers.Pop()
		switch t.Kind() {
		case timerMatchEnd:
			q.endMatch(t.What)
		case timerReturn:
			q.returnFrom(t.What)
		}
	}
}
