package engine

import (
	"mmsim/matcher"
	"mmsim/sim"
)

// patience is the tickets of a pool that give up, and how many of them are explained.
type patience struct {
	looked int // comparisons made in a minute to explain who gives up
	minute sim.Instant
	apart  sim.Apart // scratch

	leaving []matcher.Row // scratch
}

// explainMax bounds the comparisons in a minute of virtual time that find out what
// kept apart those who give up. Under rules that keep thousands waiting, only some
// are explained.
const explainMax = 20_000

// loseGivingUp lets the tickets leave that have waited for GiveUp, oldest first. All of
// an instant leave together: what kept them apart from each other counts too.
func (q *poolQueue) loseGivingUp() {
	l, pool := &q.patience, q.rules.pool
	l.leaving = pool.AppendOldest(l.leaving[:0], int64(q.now.Add(-q.own.GiveUp)))
	for _, row := range l.leaving {
		if q.watched() {
			q.scratch.ended.Apart = q.explain(row)
		}
		q.end(q.rules.release(row), sim.StateExpired)
		q.scratch.ended.Apart = nil
	}
	for _, row := range l.leaving {
		pool.Remove(row)
	}
}

// explain adds up what keeps a ticket apart from all others that wait, nil where too many
// have been compared in this minute. What it returns is good until the next call.
func (q *poolQueue) explain(row matcher.Row) *sim.Apart {
	l := &q.patience
	if minute := q.now / sim.Instant(sim.Minute); minute != l.minute {
		l.minute, l.looked = minute, 0
	}
	if l.looked += q.rules.pool.Waiting(); l.looked > explainMax || q.rules.engine == nil {
		return nil
	}
	clear(l.apart.ByRule)
	l.apart = sim.Apart{ByRule: l.apart.ByRule}
	q.rules.engine.KeptApart(int64(q.now), row, &l.apart)
	return &l.apart
}
