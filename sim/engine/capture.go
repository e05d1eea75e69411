package engine

import (
	"fmt"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// Capture requests a scene of a queue's pass at an instant, or at the first tick after it. If the
// queue's tickets wait by datacenter, the scene covers only the turn of the given datacenter.
// Otherwise datacenter must be below 0. When the pass is over, done is called with the scene. A
// capture does not change the run.
//
// Capture returns an error if the queue does not exist or has no rules, or if the instant is in the
// past or outside the measured window. It also returns an error if a datacenter is given for a
// queue with one pool, which has no turns, or if none is given for a queue whose tickets wait by
// datacenter, or if an external matchmaker makes the matches of such a queue.
func (e *Engine) Capture(queue int, at sim.Instant, datacenter int, done func(*sim.Scene)) error {
	if queue < 0 || queue >= len(e.queues) {
		return fmt.Errorf("sim: capture in queue %d, want below %d", queue, len(e.queues))
	}
	own := &e.world.Config.Queues[queue]
	turns := own.Placement == sim.PlaceDatacenters
	tick := at.CeilTo(e.world.Config.Tick)
	switch {
	case own.Rules == nil || own.Servers != nil:
		return fmt.Errorf("sim: capture in queue %d, which has no rules", queue)
	case at < 0 || at < e.world.Now() || tick >= sim.Instant(e.world.Config.Duration):
		return fmt.Errorf("sim: capture at %.3f s, want an instant from 0 that is not over, with a tick before %.3f s", at.Seconds(), sim.Instant(e.world.Config.Duration).Seconds())
	case turns && own.Rules.Outside != nil:
		return fmt.Errorf("sim: capture of a turn in queue %d, whose matches an external matchmaker makes", queue)
	case turns && (datacenter < 0 || datacenter >= e.world.Places.Datacenters):
		return fmt.Errorf("sim: capture of a turn of datacenter %d, want below %d", datacenter, e.world.Places.Datacenters)
	case turns && e.world.UsableAt(tick)>>datacenter&1 == 0:
		return fmt.Errorf("sim: capture of a turn of datacenter %d, which may not be used then", datacenter)
	case !turns && datacenter >= 0:
		return fmt.Errorf("sim: capture of a turn in queue %d, whose datacenters have no turns", queue)
	}
	if !turns {
		datacenter = world.WholePool
	}
	e.queues[queue].(capturer).Capture(world.SceneRequest{At: tick, Datacenter: datacenter, Done: done}) // every queue with rules is a capturer
	return nil
}

// capturer is implemented by queues that can record scenes.
type capturer interface{ Capture(r world.SceneRequest) }
