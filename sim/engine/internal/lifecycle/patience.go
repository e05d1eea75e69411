package lifecycle

import (
	"slices"

	"mmsim/sim"
)

// Cancels returns the instant at which the players of a searching ticket cancel its search, or Never.
// A dead client cancels nothing.
func (q *Queue) Cancels(t Ticket) sim.Instant {
	if len(q.Config.Patience) == 0 {
		return sim.Never
	}
	return q.drawPatience(q.Players.Of(t))
}

// drawPatience is a separate function so that the compiler can inline Cancels.
func (q *Queue) drawPatience(p *Player) sim.Instant {
	if q.dead(p) {
		return sim.Never
	}
	wait, cancels := q.Config.Patience.Wait(q.streams.patience.Uniform(q.VisitKey(&p.Person), uint64(p.Searches)))
	if !cancels {
		return sim.Never
	}
	return p.Began.Add(wait)
}

// CancelBefore schedules the cancellation of a ticket that begins to wait, unless its search ends by
// itself at the instant ends or earlier. When the cancellation is due, Cancellations returns handle,
// even if the ticket has been matched since. So the caller must recognise a handle that is out of
// date. Most tickets are matched soon, and finding their timers again would cost more.
func (q *Queue) CancelBefore(ends sim.Instant, t Ticket, handle uint32) {
	if at := q.Cancels(t); at < ends {
		q.CancelAt(at, handle)
	}
}

// CancelAt makes Cancellations return a handle at an instant.
func (q *Queue) CancelAt(at sim.Instant, handle uint32) { q.patience.Push(at, handle) }

// NextCancellation returns the earliest scheduled cancellation, or Never. Its ticket may have been
// matched.
func (q *Queue) NextCancellation() sim.Instant { return q.patience.Next() }

// Cancellations returns the handles of the cancellations that have become due since the last call,
// in ascending order and without repetition. The result is valid until the next call.
func (q *Queue) Cancellations() []uint32 {
	q.due = q.due[:0]
	for q.patience.Due(q.Now()) {
		q.due = append(q.due, q.patience.Pop().Payload)
	}
	slices.Sort(q.due)
	q.due = slices.Compact(q.due)
	return q.due
}
