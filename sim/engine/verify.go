package engine

import "mmsim/sim/engine/internal/world"

// Verify checks the state of the whole run: every player is in exactly one place and in a state
// that fits it, all counters are right, and every search that began has ended or is still going on.
// An error is a bug in the simulator. The cost is linear in the number of online players. Runs call
// Verify at their end, and tests call it after every instant.
func (e *Engine) Verify() error {
	v := world.NewVerifier(e.world)
	for _, q := range e.queues {
		q.Verify(v)
	}
	return v.Finish()
}
