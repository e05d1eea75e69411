package pool

import (
	"mmsim/matcher"
	"mmsim/sim"
)

// giveUp limits the work of explaining why tickets expire, and holds scratch memory for it.
type giveUp struct {
	minute   sim.Instant
	compared int // tickets compared in this minute
	apart    sim.Apart
	leaving  []matcher.Row
}

// explainMax limits the number of ticket comparisons per minute of virtual time. The comparisons
// find out why expired tickets could not play with others. If rules keep thousands of tickets
// waiting, only some of the expired tickets are explained.
const explainMax = 20_000

// expire ends the searches of the tickets that have waited for GiveUp, oldest first. The tickets
// stay in the pool until all of these searches have ended, because each explanation also counts the
// other expired tickets.
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

// explain counts, by rule, the waiting tickets that a ticket could not play with. It returns nil if
// an external matchmaker makes the matches, or if the limit of explainMax comparisons in this
// minute is reached. The next call overwrites the result.
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
