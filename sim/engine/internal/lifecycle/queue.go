// Package lifecycle is what a player goes through in a queue that makes matches: a ticket
// joins, searches, plays, pauses after the match, and searches again or leaves.
//
// A [Queue] stores the tickets and the running matches, holds the timers of matches, and
// reports every fact. How tickets search is not decided here: a kind of queue embeds a Queue
// and is its [Searcher]. Package states searches by the article's state machine, package pool
// in one pool under a ruleset.
//
// Nothing here decides which tickets play together: the callers of StartMatch and JoinMatch do.
package lifecycle

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/capture"
	"mmsim/sim/engine/internal/roster"
	"mmsim/sim/engine/internal/run"
	"mmsim/sim/engine/internal/store"
	"mmsim/sim/engine/internal/timers"
)

// What timers are for. Those of one instant run in this order.
const (
	timerMatchEnd timers.Kind = iota
	timerReturn
)

// Queue is the part of a queue that does not depend on how its tickets search. Its methods
// Due, Join and Next implement a part of the engine's interface of queues.
type Queue struct {
	*run.Run
	Index  int       // into Config.Queues
	Own    sim.Queue // its entry there
	search Searcher  // the queue that embeds this one

	Players  store.Players
	matches  matches
	timers   timers.List // by match: its end, then the end of the pause after it
	PassAt   sim.Instant // the first pass that could decide anything
	searches uint32      // tickets that began to search so far

	captures  capture.Requests
	recording *capture.Recorder // of the scene that is being recorded; nil: none is

	streams streams
	scratch scratch
}

// Searcher is how the tickets of a queue search for a match.
type Searcher interface {
	// Begin takes in a ticket in state NEW, and moves it to another one.
	Begin(t store.Ticket)
	// Ending is called when a match is about to end.
	Ending(match uint32)
}

type streams struct {
	playAgain, matchLength, lastMile, jitter sim.Stream
}

// scratch is memory that is reused, so that nothing is allocated for a match.
type scratch struct {
	all   roster.Membership // of the match that is being made
	ended sim.Ended
	match sim.Match
}

// Init makes the queue empty. size is the number of players in the largest match.
func (q *Queue) Init(r *run.Run, index, size int, search Searcher) {
	*q = Queue{
		Run: r, Index: index, Own: r.Config.Queues[index], search: search,
		PassAt: sim.Never,
		streams: streams{
			playAgain:   r.Stream(sim.PurposePlayAgain),
			matchLength: r.Stream(sim.PurposeMatchLength),
			lastMile:    r.Stream(sim.PurposeLastMile),
			jitter:      r.Stream(sim.PurposeJitter),
		},
	}
	q.Players.Rosters = roster.New(size)
	q.matches.stride = size
}

// SchedulePass lets a pass be made at the first tick from now on.
func (q *Queue) SchedulePass() { q.PassAt = min(q.PassAt, q.Now().CeilTo(q.Config.Tick)) }

// Capture asks for a scene.
func (q *Queue) Capture(r capture.Request) { q.captures = append(q.captures, r) }

// Captured reports whether a scene of this instant is asked for.
func (q *Queue) Captured() bool { return q.captures.Next() == q.Now() }

// TurnCaptured reports whether the scene of a datacenter's turn at this instant is asked for.
func (q *Queue) TurnCaptured(dc int) bool { return q.captures.Has(q.Now(), dc) }

// Next returns the first instant at which a timer is due or a pass is to be made.
func (q *Queue) Next() sim.Instant {
	return min(sim.Instant(q.timers.Next()), q.PassAt, q.captures.Next())
}

// Due handles the timers of this instant: match ends, then returns.
func (q *Queue) Due() {
	for sim.Instant(q.timers.Next()) == q.Now() {
		t := q.timers.Pop()
		switch t.Kind() {
		case timerMatchEnd:
			q.endMatch(t.What)
		case timerReturn:
			q.returnFrom(t.What)
		}
	}
}
