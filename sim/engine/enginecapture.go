package engine

import (
	"fmt"

	"mmsim/sim"
)

// Capture asks for the scene of a queue's pass at an instant, or at the first tick
// after it; where the queue waits by datacenter, of the turn of one. tell is called
// when it is over. Who waits plays as without it.
//
// The error tells what of it there will not be: a queue without rules, an instant
// that is over or outside the measured window, a turn in a pool, or a pass in which
// datacenters have turns.
func (e *Engine) Capture(queue int, at sim.Instant, datacenter int, tell func(*sim.Scene)) error {
	if queue < 0 || queue >= len(e.queues) {
		return fmt.Errorf("sim: capture in queue %d of %d", queue, len(e.queues))
	}
	own := &e.run.cfg.Queues[queue]
	turns := own.Placement == sim.PlaceDatacenters
	tick := at.CeilTo(e.run.cfg.Tick)
	switch {
	case own.Rules == nil || own.Servers != nil:
		return fmt.Errorf("sim: capture in queue %d, which has no rules", queue)
	case at < 0 || at < e.run.now || tick >= sim.Instant(e.run.cfg.Duration):
		return fmt.Errorf("sim: capture at %.3f s, want an instant to come, from 0 and with a tick before %.3f s", at.Seconds(), sim.Instant(e.run.cfg.Duration).Seconds())
	case turns && (datacenter < 0 || datacenter >= e.run.places.Datacenters):
		return fmt.Errorf("sim: capture of the turn of datacenter %d of %d", datacenter, e.run.places.Datacenters)
	case !turns && datacenter >= 0:
		return fmt.Errorf("sim: capture of a turn in queue %d, where datacenters have none", queue)
	}
	if !turns {
		datacenter = wholePool
	}
	e.queues[queue].(capturer).capture(captureRequest{tick, datacenter, tell}) // every queue with rules is one
	return nil
}

// capturer is a queue that can be asked for scenes.
type capturer interface{ capture(r captureRequest) }
