package engine

import "mmsim/sim"

// recordedPass makes a pass whose scene was asked for.
func (q *poolQueue) recordedPass() {
	s := &sim.Scene{Datacenter: wholePool}
	for _, row := range q.rules.pool.AppendSessions(nil) {
		match := q.rules.session(row)
		session := sim.SceneSession{ID: q.open[match].id, Session: q.session(match)}
		for _, t := range q.ticketsOf(match) {
			session.Players = append(session.Players, q.search(t).Players...)
		}
		s.Sessions = append(s.Sessions, session)
	}
	q.rules.record(s, q.rules.pool.AppendWaiting(nil), q.pass)
}
