package engine

import "mmsim/sim/engine/internal/run"

// Verify checks the whole state of the run: every player is in exactly one place and in a state
// that belongs to it, the counters are right, and every search that began has ended or is
// going on. An error is a fault of the simulator. Cost: linear in the players online. Runs
// check themselves at their end, tests after every instant.
func (e *Engine) Verify() error {
	v := run.NewVerifier(e.run)
	for _, q := range e.queues {
		q.Verify(v)
	}
	return v.Finish()
}
