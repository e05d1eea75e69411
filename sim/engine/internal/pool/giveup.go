package pool

import (
	"mmsim/matcher"
	"mmsim/sim"
)

// giveUp bounds the work of explaining why tickets give up, and is its scratch memory.
type giveUp struct {
	minute   sim.Instant
	compared int // tickets in this minute
	apart    sim.Apart
	leaving  []matcher.Row
}

// explainMax bounds the comparisons of tickets in a minute of virtual time that find out what
// kept the tickets apart that give up. Under rules that keep thousands waiting, only some of
// them are explained.
const explainMax = 20_000

// expire ends the searches of the tickets that have waited for GiveUp, oldest first. They
// leave the pool only after all of them were explained, because what kept them apart from
// each other counts too.
func (q *Queue) expire() {
	g, pool := &q.giveUp, q.rules.Pool
	g.leaving = pool.AppendOldest(g.leaving[:0], int64(q.Now().Add(-q.Own.GiveUp)))
	for _, row := range g.leaving {
		var apart *sim.Apart
		if q.Watched() {
			apart = q.explain(row)
		}
		q.EndExpired(q.rules.Release(row), apart)
	}
	for _, row := range g.leaving {
		pool.Remove(row)
	}
}

// explain counts, by rule, the waiting tickets that a ticket is kept apart from. It returns
// nil without mmsim's engine, or if explainMax comparisons were made in this simulated minute.
// The next call overwrites the result.
func (q *Queue) explain(row matcher.Row) *sim.Apart {
	g := &q.giveUp
	if minute := q.Now() / sim.Instant(sim.Minute); minute != g.minute {
		g.minute, g.compared = minute, 0
	}
	if g.compared += q.rules.Pool.Waiting(); g.compared > explainMax || q.rules.Engine == nil {
		return nil
	}
	clear(g.apart.ByRule)
	g.apart = sim.Apart{ByRule: g.apart.ByRule}
	q.rules.Engine.KeptApart(int64(q.Now()), row, &g.apart)
	return &g.apart
}
