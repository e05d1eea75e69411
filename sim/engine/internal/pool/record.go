package pool

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// recordedPass makes a pass and records it as the requested scene.
func (q *Queue) recordedPass() {
	s := &sim.Scene{Datacenter: world.WholePool}
	for _, row := range q.rules.Pool.AppendSessions(nil) {
		match := q.rules.Session(row)
		session := sim.SceneSession{ID: q.open[match].id, Session: q.session(match)}
		for _, t := range q.TicketsOf(match) {
			session.Players = append(session.Players, q.Record(t).Players...)
		}
		s.Sessions = append(s.Sessions, session)
	}
	q.rules.RecordScene(s, q.rules.Pool.AppendWaiting(nil), q.pass)
}
