package pool

import "mmsim/sim"

// expire ends the searches of the tickets that have waited for GiveUp, oldest first. The tickets
// stay in the pool until all of these searches have ended, because each explanation also counts the
// other expired tickets.
func (q *Queue) expire() {
	pool := q.rules.Pool
	q.leaving = pool.AppendOldest(q.leaving[:0], int64(q.Now().Add(-q.Own.GiveUp)))
	for _, row := range q.leaving {
		apart := q.rules.Explain(row)
		q.EndApart(q.rules.Release(row), sim.StateExpired, apart)
	}
	for _, row := range q.leaving {
		pool.Remove(row)
	}
}
