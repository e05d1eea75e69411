// Package states implements the article's queue (see package sim). A ticket's search follows the
// article's state machine: the ticket waits in the queue of every datacenter that its state admits.
//
// A [Queue] moves tickets from state to state. At every tick it gives each datacenter a turn, in
// random order. What happens in a turn depends on the implementation of [Turns]: exactTurns fills
// matches of an exact size, ruleTurns makes matches by a ruleset, and externalTurns lets an external
// matchmaker make them. A fourth way to form matches is another implementation, and a line in
// newTurns.
package states

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/world"
)

// Queue is a queue in which every search follows the state machine of Glenn Fiedler's article: NEW,
// IDEAL, EXPAND, WARMBODY. It implements the engine's queue interface and lifecycle.Searcher.
type Queue struct {
	lifecycle.Queue
	waiting     waitingList
	turns       Turns
	order       sim.Stream
	datacenters []int32 // all datacenters in the order of the current pass (scratch)
}

// Turns forms the groups of a Queue. The Queue calls it whenever a ticket enters, begins to wait
// for other datacenters, or leaves.
type Turns interface {
	// Enters adds a NEW ticket. It returns false if it has rejected the ticket and ended its
	// search.
	Enters(t lifecycle.Ticket) bool
	// Admits is called when a ticket begins to wait for datacenters, or for more of them. If
	// datacenters is 0, the ticket has become a warm body.
	Admits(t lifecycle.Ticket, datacenters uint64)
	// Leaves is called when a ticket has left the last state without a match. The result counts the other
	// tickets by what kept them apart from it, or is nil if this is unknown. It is valid until the
	// next call.
	Leaves(t lifecycle.Ticket) *sim.Apart

	// Cancels is called when the players of a ticket cancel its search.
	Cancels(t lifecycle.Ticket)

	// UsableChanged is called when the datacenters that may be used have changed.
	UsableChanged()

	// BeginPass is called before the turns of a pass. It returns the datacenters that then have turns: all
	// that may be used, without those whose turns would form no match.
	BeginPass() (datacenters uint64)
	// Turn forms the matches of one datacenter: full groups of regular tickets, then one partial
	// group that warm bodies complete.
	Turn(dc int)
	// MatchWarmBodies ends a pass by matching the remaining warm bodies with each other. By the time
	// it returns, it must have marked every regular ticket that was matched in this pass in the
	// waiting list, and removed every matched warm body. Each must be marked before lifecycle.Queue.Match
	// is called, but stays in the list until after it.
	MatchWarmBodies()
	// Retry reports the earliest instant at which a failed search may succeed, even if no ticket
	// enters or changes its state. If nextTick is set, that is the next tick. Otherwise it is the
	// result at, or Never.
	Retry() (nextTick bool, at sim.Instant)

	// RuleTotals returns the facts about the ruleset, or nil if there is none.
	RuleTotals() *sim.RuleTotals
}

// New returns an empty queue for matches of at most size players.
func New(w *world.World, index, size int) (*Queue, error) {
	q := &Queue{order: w.Stream(sim.PurposeDatacenterOrder), waiting: newWaitingList(w.Config.Queues[index].Acceptance != nil)}
	q.Init(w, index, size, q)
	var err error
	q.turns, err = newTurns(&q.Queue, &q.waiting)
	return q, err
}

// newTurns returns the Turns of a queue, depending on its rules.
func newTurns(q *lifecycle.Queue, list *waitingList) (Turns, error) {
	switch {
	case q.Own.Rules == nil:
		return newExactTurns(q, list), nil
	case q.Own.Rules.Outside != nil:
		return newExternalTurns(q, list)
	}
	return newRuleTurns(q, list)
}

// Start implements lifecycle.Searcher.
func (q *Queue) Start(f *lifecycle.Group) bool {
	q.StartMatch(f)
	if q.Own.Rules != nil {
		q.Own.Rules.Outside.Started(f.Ref, q.Matches()-1)
	}
	return true
}

// Ending implements lifecycle.Searcher.
func (*Queue) Ending(uint32) {}

// Left implements lifecycle.Searcher.
func (*Queue) Leaving(uint32, int) {}

// SeatsSeen implements lifecycle.Searcher.
func (*Queue) SeatsSeen(uint32) {}

// RuleTotals returns the facts about the ruleset, or nil if there is none.
func (q *Queue) RuleTotals() *sim.RuleTotals { return q.turns.RuleTotals() }

// Unfinished reports the unfinished searches, oldest first.
func (q *Queue) Unfinished(report func(s *sim.Search)) {
	tickets := q.inQueues()
	q.VisitAsked(func(t lifecycle.Ticket) { tickets = append(tickets, t) })
	q.ReportOldestFirst(tickets, report)
}

// inQueues lists the searching tickets whose players are not being asked.
func (q *Queue) inQueues() []lifecycle.Ticket {
	tickets := slices.Clone(q.waiting.Tickets)
	for _, body := range q.waiting.Warm {
		tickets = append(tickets, body.Ticket)
	}
	return tickets
}
