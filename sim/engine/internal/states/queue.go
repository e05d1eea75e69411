// Package states is the queue of the article: tickets search by its state machine, and wait
// in the queue of every datacenter that their state admits.
//
// A [Queue] moves tickets from state to state, and at every tick gives each datacenter its
// turn, in an order drawn anew. What a turn does is behind [Turns]: package packed fills
// matches of an exact size, package ruled makes them by a ruleset.
package states

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
	"mmsim/sim/engine/internal/run"
	"mmsim/sim/engine/internal/store"
	"mmsim/sim/engine/internal/waiting"
)

// Queue is a queue in which tickets search by the article's state machine. It implements the
// queue of the engine and lifecycle.Searcher.
type Queue struct {
	lifecycle.Queue
	waiting     waiting.List
	turns       Turns
	order       sim.Stream
	datacenters []int32 // scratch: all of them, in the order of a pass
}

// Turns forms the groups of a Queue. It is told of every ticket that comes, changes the
// datacenters for which it waits, or leaves, and may keep what it needs of it.
type Turns interface {
	// Enters takes in a ticket in state NEW. It returns false if it refused the ticket: then
	// the search has ended.
	Enters(t store.Ticket) bool
	// Admits is called when a ticket begins to wait for some datacenters. None means that it
	// has become a warm body.
	Admits(t store.Ticket, datacenters uint64)
	// Leaves is called when a ticket stops searching without a match.
	Leaves(t store.Ticket)

	// BeginPass is called before the turns of a pass.
	BeginPass()
	// Turn lets one datacenter form its matches: full groups of regular tickets, then one
	// partial group completed with warm bodies.
	Turn(dc int)
	// MatchWarmBodies ends a pass: the remaining warm bodies play each other. The waiting
	// tickets that were matched in the pass are marked as taken when it returns.
	MatchWarmBodies()
	// Retry returns when a search that failed may succeed although no ticket has entered
	// or changed its state since: from the next tick on, or at an instant.
	Retry() (nextTick bool, at sim.Instant)

	// RuleTotals returns the facts about the ruleset; nil without one.
	RuleTotals() *sim.RuleTotals
}

// New returns an empty queue of matches of at most size players. form returns its turns.
func New(r *run.Run, index, size int, form func(q *lifecycle.Queue, list *waiting.List) (Turns, error)) (*Queue, error) {
	q := &Queue{order: r.Stream(sim.PurposeDatacenterOrder), waiting: waiting.New()}
	q.Init(r, index, size, q)
	var err error
	q.turns, err = form(&q.Queue, &q.waiting)
	return q, err
}

// Ending implements lifecycle.Searcher.
func (*Queue) Ending(uint32) {}

// RuleTotals returns the facts about the ruleset; nil without one.
func (q *Queue) RuleTotals() *sim.RuleTotals { return q.turns.RuleTotals() }

// Unfinished reports the searches that are going on, oldest first.
func (q *Queue) Unfinished(report func(s *sim.Search)) {
	tickets := slices.Clone(q.waiting.Tickets)
	for _, body := range q.waiting.Warm {
		tickets = append(tickets, body.Ticket)
	}
	q.ReportOldestFirst(tickets, report)
}
