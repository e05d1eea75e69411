package states

import (
	"cmp"
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// Begin implements lifecycle.Searcher. The ticket enters the first state that admits it.
func (q *Queue) Begin(t lifecycle.Ticket) {
	if !q.turns.Enters(t) {
		return
	}
	w, size := &q.waiting, q.Players.Of(t).Size
	ideal, expand := q.reach(t)
	var ends sim.Instant
	switch usable := q.Usable(); {
	case ideal&usable != 0:
		q.Become(t, sim.StateIdeal)
		ends = q.Now().Add(q.Config.IdealFor)
		w.Add(t, size, ideal, ends)
		q.turns.Admits(t, ideal)
	case expand&usable != 0:
		q.Become(t, sim.StateExpand)
		ends = q.Now().Add(q.Config.ExpandFor)
		w.Add(t, size, expand, ends)
		q.turns.Admits(t, expand)
	default:
		q.Become(t, sim.StateWarmBody)
		ends = q.Now().Add(q.Own.WarmBodyFor)
		w.AddWarm(&q.Players, t, ends)
		q.turns.Admits(t, 0)
	}
	if len(q.Config.Patience) > 0 {
		q.CancelBefore(q.timesOut(t, ends), t, q.Players.Of(t).Seq)
	}
	q.SchedulePass()
}

// timesOut returns the instant at which the last state of a ticket ends. Its present state ends at the
// given instant.
func (q *Queue) timesOut(t lifecycle.Ticket, ends sim.Instant) sim.Instant {
	switch q.Players.Of(t).State {
	case sim.StateIdeal:
		ends = ends.Add(q.Config.ExpandFor + q.Own.WarmBodyFor)
	case sim.StateExpand:
		ends = ends.Add(q.Own.WarmBodyFor)
	}
	return ends
}

// cancel ends the searches that their players cancel by now, oldest first.
func (q *Queue) cancel() {
	if q.NextCancellation() > q.Now() {
		return
	}
	w := &q.waiting
	for _, seq := range q.Cancellations() {
		var t lifecycle.Ticket
		if i, waits := w.find(&q.Players, seq); waits {
			t = w.Tickets[i]
			w.Take(int32(i), q.Players.Of(t).Size)
		} else if i, waits := w.findWarm(&q.Players, seq); waits {
			t = w.Warm[i].Ticket
			w.TakeWarm(int32(i))
		} else {
			continue // the search has ended
		}
		q.turns.Cancels(t)
		q.End(t, sim.StateCancelled)
	}
	w.Compact()
	w.CompactWarm()
}

// Close ends all searches, oldest first, because a maintenance begins. Proposals end those of their own
// tickets.
func (q *Queue) Close() {
	tickets := q.inQueues()
	slices.SortFunc(tickets, func(a, b lifecycle.Ticket) int { return cmp.Compare(q.Players.Of(a).Seq, q.Players.Of(b).Seq) })
	for _, t := range tickets {
		q.waiting.TakeTicket(&q.Players, t)
		q.turns.Cancels(t)
		q.End(t, sim.StateClosed)
	}
	q.waiting.Compact()
	q.waiting.CompactWarm()
}

// reach returns the datacenters that are within the ideal threshold for all players of a ticket, and
// those within the expand threshold. They need not be usable now: a datacenter that is not has no turns.
func (q *Queue) reach(t lifecycle.Ticket) (ideal, expand uint64) {
	ideal, expand = q.TakePart(), q.TakePart()
	members := q.Players.Members(t)
	for i := range members {
		p := &members[i]
		at := q.MeasuredAt(p)
		if p.LastMile == 0 {
			reach := q.Reach(at, p.Place)
			ideal &= reach.Ideal
			expand &= reach.Expand
			continue
		}
		ideal &= q.Within(at, p.Place, q.Config.IdealRTT, p.LastMile)
		expand &= q.Within(at, p.Place, q.Config.ExpandRTT, p.LastMile)
	}
	return ideal, expand
}

// UsableChanged adapts the waiting tickets to the datacenters that may be used now. The state of a
// ticket that has no usable datacenter left is over now. If datacenters have become usable, the tickets
// already wait for those that their state admits.
func (q *Queue) UsableChanged() {
	w := &q.waiting
	for i, admits := range w.Admits {
		if admits&q.Usable() == 0 {
			w.Deadlines[i] = min(w.Deadlines[i], q.Now())
			w.NextDeadline = min(w.NextDeadline, q.Now())
		}
	}
	q.turns.UsableChanged()
	q.SchedulePass()
}

// expire moves tickets whose time in their state is over to the next state. It runs in each pass,
// before the turns. The next deadline is the old deadline plus the time in the new state, so that
// rounding to ticks does not accumulate. A ticket may pass through several states at once.
func (q *Queue) expire() {
	w, at := &q.waiting, q.Now()
	if at < w.NextDeadline {
		return
	}
	w.NextDeadline = sim.Never
	n := 0
	for i, t := range w.Tickets {
		admits, deadline := w.Admits[i], w.Deadlines[i]
		if deadline <= at && q.Players.Of(t).State == sim.StateIdeal {
			q.Become(t, sim.StateExpand)
			w.Count(q.Players.Of(t).Size, admits, -1)
			q.MeasureRTTs(t)
			_, admits = q.reach(t)
			w.Count(q.Players.Of(t).Size, admits, 1)
			if admits&q.Usable() != 0 { // otherwise EXPAND is over, too
				deadline = deadline.Add(q.Config.ExpandFor)
				q.turns.Admits(t, admits)
			}
		}
		if deadline <= at {
			w.Count(q.Players.Of(t).Size, admits, -1)
			q.Become(t, sim.StateWarmBody)
			q.MeasureRTTs(t)
			w.AddWarm(&q.Players, t, deadline.Add(q.Own.WarmBodyFor))
			q.turns.Admits(t, 0)
			continue
		}
		w.Tickets[n], w.Admits[n], w.Deadlines[n] = t, admits, deadline
		w.NextDeadline = min(w.NextDeadline, deadline)
		n++
	}
	w.Truncate(n)
	q.expireWarm()
}

// expireWarm ends the searches of the warm bodies whose time is over.
//
// It looks only at the oldest warm bodies, which are sorted by the start of their search. A search
// reaches WARMBODY at most IdealFor + ExpandFor after its start and stays there for WarmBodyFor. So
// the deadline of a younger warm body can be earlier than that of an older one by at most IdealFor
// + ExpandFor.
func (q *Queue) expireWarm() {
	w, at := &q.waiting, q.Now()
	spread := q.Config.IdealFor + q.Config.ExpandFor
	first, examined, kept := sim.Never, 0, 0
	for ; examined < len(w.Warm) && w.Warm[examined].Deadline.Add(-spread) < first; examined++ {
		body := w.Warm[examined]
		if body.Deadline <= at {
			w.CountWarm(body.Size, -1)
			q.EndApart(body.Ticket, q.Config.Then, q.turns.Leaves(body.Ticket))
			continue
		}
		w.Warm[kept] = body
		kept++
		first = min(first, body.Deadline)
	}
	w.NextDeadline = min(w.NextDeadline, first)
	// Close the gap in front of the younger warm bodies by moving the few that were kept. Moving
	// all younger ones would cost more.
	copy(w.Warm[examined-kept:examined], w.Warm[:kept])
	w.Warm = w.Warm[examined-kept:]
}
