package engine

import (
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// kept has the arrivals that a maintenance has kept out and that come after it.
type kept struct {
	timers world.Timers // one per arrival, with its index in list
	list   []sim.Arrival
	free   world.FreeList[uint32]
}

// keepOut keeps an arrival out during a maintenance. It is turned away if it does not come before the end
// of the run.
func (e *Engine) keepOut(a *sim.Arrival, event int) {
	at, comes := e.world.ComesBack(event, a.Members[0].Entity, 0)
	if !comes || at >= sim.Instant(e.world.Config.Duration) {
		e.world.TurnedAway(len(a.Members))
		return
	}
	k := &e.kept
	i, ok := k.free.Take()
	if !ok {
		i = uint32(len(k.list))
		k.list = append(k.list, sim.Arrival{})
	}
	k.list[i] = sim.Arrival{At: at, Queue: a.Queue, Members: slices.Clone(a.Members)}
	k.timers.Push(at, i)
}

// lateJoin lets the first arrival join that a maintenance has kept out until now.
func (e *Engine) lateJoin() error {
	k := &e.kept
	i := k.timers.Pop().Payload
	a := k.list[i]
	k.free.Put(i)
	return e.join(&a)
}
