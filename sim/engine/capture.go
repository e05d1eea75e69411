package engine

import (
	"fmt"

	"mmsim/sim"
	"mmsim/sim/engine/internal/capture"
)

// Capture asks for the scene of a queue's pass at an instant, or at the first tick after it. If
// the tickets of the queue wait by datacenter, the scene is of the turn of one; else datacenter
// is below 0. done is called when the pass is over. The run is the same as without it.
//
// The error says why there is no such scene: the queue does not exist or has no rules, the
// instant is over or outside the measured window, a turn is asked for in a pool, or a whole
// pass where datacenters have turns.
func (e *Engine) Capture(queue int, at sim.Instant, datacenter int, done func(*sim.Scene)) error {
	if queue < 0 || queue >= len(e.queues) {
		return fmt.Errorf("sim: capture in queue %d of %d", queue, len(e.queues))
	}
	own := &e.run.Config.Queues[queue]
	turns := own.Placement == sim.PlaceDatacenters
	tick := at.CeilTo(e.run.Config.Tick)
	switch {
	case own.Rules == nil || own.Servers != nil:
		return fmt.Errorf("sim: capture in queue %d, which has no rules", queue)
	case at < 0 || at < e.run.Now() || tick >= sim.Instant(e.run.Config.Duration):
		return fmt.Errorf("sim: capture at %.3f s, want an instant to come, from 0 and with a tick before %.3f s", at.Seconds(), sim.Instant(e.run.Config.Duration).Seconds())
	case turns && (datacenter < 0 || datacenter >= e.run.Places.Datacenters):
		return fmt.Errorf("sim: capture of the turn of datacenter %d of %d", datacenter, e.run.Places.Datacenters)
	case !turns && datacenter >= 0:
		return fmt.Errorf("sim: capture of a turn in queue %d, where datacenters have none", queue)
	}
	if !turns {
		datacenter = capture.WholePool
	}
	e.queues[queue].(capturer).Capture(capture.Request{At: tick, Datacenter: datacenter, Done: done}) // every queue with rules is one
	return nil
}

// capturer is a queue that can be asked for scenes.
type capturer interface{ Capture(r capture.Request) }
