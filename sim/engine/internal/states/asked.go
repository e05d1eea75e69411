package states

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// Clock implements lifecycle.Searcher.
func (q *Queue) Clock(t lifecycle.Ticket) lifecycle.Clock {
	ends := q.waiting.taken[t]
	c := lifecycle.Clock{StateEnds: ends, Over: q.timesOut(t, ends), Then: q.Config.Then}
	if cancels := q.Cancels(t); cancels < c.Over {
		c.Over, c.Then = cancels, sim.StateCancelled
	}
	return c
}

// Resume implements lifecycle.Searcher. If the ticket's state is over, the next pass moves it on.
func (q *Queue) Resume(t lifecycle.Ticket, c lifecycle.Clock) {
	if !q.turns.Enters(t) {
		return
	}
	admits, expand := q.reach(t)
	switch q.Players.Of(t).State {
	case sim.StateWarmBody:
		q.waiting.AddWarm(&q.Players, t, c.StateEnds)
		q.turns.Admits(t, 0)
		q.SchedulePass()
		return
	case sim.StateExpand:
		admits = expand
	}
	if admits&q.Usable() == 0 {
		c.StateEnds = min(c.StateEnds, q.Now())
	}
	q.waiting.Insert(&q.Players, t, admits, c.StateEnds)
	q.turns.Admits(t, admits)
	q.SchedulePass()
}

// TimeOver implements lifecycle.Searcher. The ticket passes through the states that are over.
func (q *Queue) TimeOver(t lifecycle.Ticket, into sim.State) {
	for state := q.Players.Of(t).State; state < sim.StateWarmBody; state++ {
		q.Become(t, state+1)
	}
	q.End(t, into)
}

// Dropped implements lifecycle.Searcher.
func (q *Queue) Dropped(f *lifecycle.Group) {
	if q.Own.Rules != nil {
		q.Own.Rules.Outside.Failed(f.Ref, lifecycle.NotAccepted)
	}
}
