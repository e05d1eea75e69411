// Package lifecycle implements the life of a player in a queue that makes matches. A ticket joins,
// searches, plays, pauses after the match, and then searches again or leaves.
//
// A [Queue] stores the tickets ([Players]), who met in their last matches ([Rosters]) and the running
// matches. It keeps the timers of matches and reports all
// facts. It does not decide how tickets search: each kind of queue embeds a Queue and implements
// [Searcher]. Package states implements the article's state machine. Package pool implements one
// pool with a ruleset.
//
// This package does not decide which tickets play together either. The callers of StartMatch and
// JoinMatch decide that.
package lifecycle

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Queue is the part of a queue that does not depend on how its tickets search. Its methods Ends,
// Returns, Join and Next implement a part of the engine's queue interface.
type Queue struct {
	*world.World
	Index  int       // index into Config.Queues
	Own    sim.Queue // Config.Queues[Index]
	search Searcher  // the queue that embeds this one

	Players  Players
	matches  matches
	missing  *missing     // nil unless tickets can be missing from matches
	asking   *asking      // nil unless players are asked before a match starts
	ends     world.Timers // of matches that are being played
	returns  world.Timers // of matches that have ended: when the pause of their players ends
	PassAt   sim.Instant  // the next pass that can change anything
	searches uint32       // number of searches so far

	patience world.Timers // the instants at which searches are cancelled, with their handles; see CancelBefore
	due      []uint32     // scratch of Cancellations

	captures  world.SceneRequests
	recording *world.SceneRecorder // records the current scene; nil if none is being recorded

	streams streams
	scratch scratch
}

// Searcher is the part of a queue that depends on how its tickets search.
type Searcher interface {
	// Begin begins the search of a ticket in state NEW and moves the ticket to another state.
	Begin(t Ticket)
	// Start starts a match, or lets tickets join a running one. It returns false if the running
	// match has ended.
	Start(f *Group) bool

	// Clock returns what remains of the search of a ticket that Match has just been called with.
	Clock(t Ticket) Clock
	// Resume returns a ticket of a dropped proposal to its queues. Its clock has run on.
	Resume(t Ticket, c Clock)
	// TimeOver ends the search of a ticket whose time was over while its players were asked.
	TimeOver(t Ticket, into sim.State)
	// Dropped is called when the tickets of a dropped proposal have resumed or ended their searches.
	Dropped(f *Group)

	// Ending is called just before a match ends.
	Ending(match uint32)
	// Leaving is called just before the ticket at an index of TicketsOf leaves a match.
	Leaving(match uint32, index int)
	// SeatsSeen is called when the game may have seen empty seats in a match, or in an earlier match
	// with this handle. It is called only if seats are refilled.
	SeatsSeen(match uint32)
}

type streams struct {
	playAgain, matchLength, lastMile, jitter, patience sim.Stream
}

// scratch is memory for reuse, so that starting a match allocates nothing.
type scratch struct {
	all   Membership // players of the match that starts or takes more tickets
	ended sim.Ended
	match sim.Match

	finished sim.Finished
	left     sim.Left

	again []bool // whether the tickets of a match search again
}

// Init initialises an empty queue. size is the number of players in the largest match.
func (q *Queue) Init(w *world.World, index, size int, search Searcher) {
	*q = Queue{
		World: w, Index: index, Own: w.Config.Queues[index], search: search,
		PassAt: sim.Never,
		streams: streams{
			playAgain:   w.Stream(sim.PurposePlayAgain),
			matchLength: w.Stream(sim.PurposeMatchLength),
			lastMile:    w.Stream(sim.PurposeLastMile),
			jitter:      w.Stream(sim.PurposeJitter),
			patience:    w.Stream(sim.PurposePatience),
		},
	}
	q.Players.Rosters = NewRosters(size)
	q.matches.stride = size
	if w.Config.Season != nil {
		q.matches.teams = []int16{}
	}
	if q.Config.Missing() { // in any queue, because observers then expect the seats of every match
		q.missing, q.matches.missing = newMissing(w, q.Own.Leave), []missingFrom{}
	}
	if q.Own.Acceptance != nil {
		q.asking = newAsking(w, q.Own.Acceptance)
	}
}

// SchedulePass schedules a pass for the next tick, which may be now.
func (q *Queue) SchedulePass() { q.PassAt = min(q.PassAt, q.Now().CeilTo(q.Config.Tick)) }

// Capture adds a request for a scene.
func (q *Queue) Capture(r world.SceneRequest) { q.captures = append(q.captures, r) }

// Captured reports whether a scene of this instant was requested.
func (q *Queue) Captured() bool { return q.captures.Next() == q.Now() }

// TurnCaptured reports whether a scene of a datacenter's turn at this instant was requested.
func (q *Queue) TurnCaptured(dc int) bool { return q.captures.Has(q.Now(), dc) }

// Next returns the next instant at which a timer or a pass is due.
func (q *Queue) Next() sim.Instant {
	next := min(q.ends.Next(), q.returns.Next(), q.PassAt, q.captures.Next())
	if q.missing != nil {
		next = min(next, q.missing.leaves.Next(), q.missing.returns.Next(), q.missing.notices.Next())
	}
	if q.asking != nil {
		next = min(next, q.asking.returns.Next(), q.asking.decisions.Next())
	}
	return next
}

// Ends runs the timers that are due now and end something: tickets leave their matches, matches end,
// and the game sees empty seats.
func (q *Queue) Ends() {
	if q.missing != nil {
		for q.missing.leaves.Due(q.Now()) {
			q.leaveMatch(q.missing.leaves.Pop().Payload)
		}
	}
	for q.ends.Due(q.Now()) {
		q.endMatch(q.ends.Pop().Payload)
	}
	if q.missing != nil {
		for q.missing.notices.Due(q.Now()) {
			q.search.SeatsSeen(q.missing.notices.Pop().Payload)
		}
	}
}

// Returns runs the other timers that are due now: tickets return, and proposals are decided.
func (q *Queue) Returns() {
	if q.missing != nil {
		for q.missing.returns.Due(q.Now()) {
			q.searchAgain(q.missing.returns.Pop().Payload)
		}
	}
	for q.returns.Due(q.Now()) {
		q.returnFrom(q.returns.Pop().Payload)
	}
	if q.asking != nil {
		q.dueAsked()
	}
}
