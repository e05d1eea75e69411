package sim

import (
	"cmp"
	"slices"
)

// reportUnfinished reports the searches that the end of the run cuts off.
func (e *Engine) reportUnfinished() {
	if !e.measuring {
		return
	}
	for _, o := range e.observers {
		if o, is := o.(UnfinishedObserver); is {
			for _, q := range e.queues {
				q.unfinished(func(s *Search) { o.Unfinished(s, e.now) })
			}
		}
	}
}

// unfinished implements queue.
func (q *stateQueue) unfinished(report func(s *Search)) {
	tickets := slices.Clone(q.waiting.ticket)
	for _, body := range q.waiting.warm {
		tickets = append(tickets, body.ticket)
	}
	q.reportOldestFirst(tickets, report)
}

// unfinished implements queue.
func (q *poolQueue) unfinished(report func(s *Search)) {
	var tickets []ticketID
	for _, h := range q.rules.holds {
		if h.waits {
			tickets = append(tickets, h.what)
		}
	}
	q.proposals.visit(func(t ticketID) { tickets = append(tickets, t) })
	q.reportOldestFirst(tickets, report)
}

// reportOldestFirst reports the searches of tickets, the oldest first.
func (q *matchQueue) reportOldestFirst(tickets []ticketID, report func(s *Search)) {
	slices.SortFunc(tickets, func(a, b ticketID) int { return cmp.Compare(q.players.of(a).seq, q.players.of(b).seq) })
	for _, t := range tickets {
		report(q.search(t))
	}
}

// unfinished implements queue: a player who waits for the start of a server is searching.
func (q *serverQueue) unfinished(report func(s *Search)) {
	var waiting []*guest
	for slot := range q.guests {
		if g := &q.guests[slot]; g.server != nil && g.state == StateWaiting {
			waiting = append(waiting, g)
		}
	}
	slices.SortFunc(waiting, func(a, b *guest) int { return cmp.Compare(a.id, b.id) })
	for _, g := range waiting {
		q.scratch.ended.Search = q.search(g)
		report(&q.scratch.ended.Search)
	}
}
