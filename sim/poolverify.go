package sim

// verify implements queue.
func (q *poolQueue) verify(all *verifier) {
	v := q.verifier(all)
	tickets := 0
	for _, h := range q.holds {
		if !h.waits {
			continue
		}
		tickets++
		if state := q.players.of(h.what).state; state != StateWaiting {
			v.fail("ticket %d in the pool is %v", h.what, state)
		}
		v.visit(h.what, StateWaiting)
	}
	if n := q.pool.Waiting(); n != tickets {
		v.fail("%d tickets wait in the pool, %d are held", n, tickets)
	}
	for match := range q.open {
		if q.open[match].waits && q.matches.state[match] != StatePlaying {
			v.fail("match %d takes players, but is %v", match, q.matches.state[match])
		}
	}
	v.finish()
}
