package engine

import (
	"slices"

	"mmsim/sim"
)

// stateQueue is a queue in which tickets search as in the article: by the state machine,
// each waiting for every datacenter that its state admits. Which of them play together is
// decided by its turns.
type stateQueue struct {
	matchQueue
	waiting     waiting
	turns       turns
	order       sim.Stream
	datacenters []int32 // scratch: in the order of a pass
}

// turns forms the groups of a stateQueue, and keeps what it needs for that of the tickets
// that wait.
type turns interface {
	// enters takes in a ticket in state NEW. It returns false if it refused the ticket:
	// then the search has ended.
	enters(t ticketID) bool
	// admits is called when a ticket begins to wait for some datacenters; none means that
	// it has become a warm body.
	admits(t ticketID, datacenters uint64)
	// leaves is called when a ticket stops searching without a match.
	leaves(t ticketID)

	// beginPass is called before the turns of a pass.
	beginPass()
	// turn lets one datacenter form its matches: full groups of regular tickets, then one
	// partial group completed with warm bodies.
	turn(dc int)
	// matchWarmBodies ends a pass: the remaining warm bodies play each other. The waiting
	// tickets that were matched in the pass are marked as taken when it returns.
	matchWarmBodies()
	// retry returns when a search that failed may succeed although no ticket has entered
	// or changed its state since: from the next tick on, or at an instant.
	retry() (nextTick bool, at sim.Instant)

	// ruleTotals returns the facts about the ruleset; nil without one.
	ruleTotals() *sim.RuleTotals
}

// newStateQueue returns an empty queue of matches of at most size players, whose groups are
// formed by the turns that form returns.
func newStateQueue(w *world, index, size int, form func(q *matchQueue, waiting *waiting) (turns, error)) (*stateQueue, error) {
	q := &stateQueue{order: w.stream(sim.PurposeDatacenterOrder), waiting: newWaiting()}
	q.init(w, index, size, q)
	var err error
	q.turns, err = form(&q.matchQueue, &q.waiting)
	return q, err
}

// ending implements searching.
func (*stateQueue) ending(uint32) {}

// ruleTotals implements queue.
func (q *stateQueue) ruleTotals() *sim.RuleTotals { return q.turns.ruleTotals() }

// unfinished implements queue.
func (q *stateQueue) unfinished(report func(s *sim.Search)) {
	tickets := slices.Clone(q.waiting.ticket)
	for _, body := range q.waiting.warm {
		tickets = append(tickets, body.ticket)
	}
	q.reportOldestFirst(tickets, report)
}
