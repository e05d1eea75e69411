package engine

import "mmsim/sim"

// Verify checks the whole world: every player is in exactly one place, states
// agree with places, counters with counts, and the law of conservation holds. An
// error is a fault of the simulator. Cost: linear in the players online; runs
// check themselves at their end, tests after every instant.
func (e *Engine) Verify() error {
	v := verifier{world: &e.run}
	for _, q := range e.queues {
		q.verify(&v)
	}
	for s := sim.StateNew; s <= sim.StateBetween; s++ {
		if v.counted[s] != e.run.online[s] {
			v.fail("%d players are %v, counted %d", e.run.online[s], s, v.counted[s])
		}
	}
	if v.found != e.run.servers {
		v.fail("servers: %+v, counted %+v", v.found, e.run.servers)
	}
	v.conservation()
	return v.err
}
