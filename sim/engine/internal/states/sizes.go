package states

import (
	"fmt"
	"slices"

	"mmsim/matcher/packing"
	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// sizes counts the waiting tickets by their number of players. A queue is not searched if no sizes
// in it add up to a match. Without this check, parties of three in a queue with matches of four,
// for example, would be tried in every datacenter for as long as they wait. The cost would then
// grow with the square of the number of joins.
type sizes struct {
	queues []packing.PartySizes // regular tickets by datacenter
	warm   packing.PartySizes
}

// CountSizes starts to count sizes. It is called for every party. Before the first party, all
// tickets are solos, and their number is enough.
func (w *waitingList) CountSizes(p *lifecycle.Players, datacenters int) {
	if w.sizes == nil {
		w.sizes = w.counted(p, datacenters)
	}
}

// counted returns the counts of all waiting tickets.
func (w *waitingList) counted(p *lifecycle.Players, datacenters int) *sizes {
	c := &sizes{queues: make([]packing.PartySizes, datacenters)}
	for i, t := range w.Tickets {
		c.countQueues(p.Of(t).Size, w.Admits[i], 1)
	}
	for _, body := range w.Warm {
		c.warm[body.Size]++
	}
	return c
}

// OnlySolos reports whether no party has searched so far.
func (w *waitingList) OnlySolos() bool { return w.sizes == nil }

// Count adds n to the number of tickets of a size in the queues of some datacenters. It does
// nothing before CountSizes.
func (w *waitingList) Count(size uint8, datacenters uint64, n int32) {
	if w.sizes != nil { // the rest is a separate function, so that the compiler can inline this one
		w.sizes.countQueues(size, datacenters, n)
	}
}

func (c *sizes) countQueues(size uint8, datacenters uint64, n int32) {
	for dc := range sim.DatacentersIn(datacenters) {
		c.queues[dc][size] += n
	}
}

// CountWarm adds n to the number of warm bodies of a size. It does nothing before CountSizes.
func (w *waitingList) CountWarm(size uint8, n int32) {
	if w.sizes != nil {
		w.sizes.warm[size] += n
	}
}

// CanFill reports whether the sizes of the waiting tickets allow a full match that has at least one
// ticket from a datacenter's queue and any number of warm bodies (see package sim). Before
// CountSizes, it returns true: all tickets are solos, and the caller compares their number.
func (w *waitingList) CanFill(dc, matchSize int) bool {
	return w.sizes == nil || w.sizes.queues[dc].CanFillWith(&w.sizes.warm, matchSize)
}

// CanFillWarm reports whether the sizes of the warm bodies allow a full match without other
// tickets.
func (w *waitingList) CanFillWarm(matchSize int) bool {
	if w.sizes == nil {
		return len(w.Warm) >= matchSize
	}
	return w.sizes.warm.CanFill(matchSize)
}

// VerifySizes returns an error if the counts do not agree with the waiting tickets.
func (w *waitingList) VerifySizes(p *lifecycle.Players, datacenters int) error {
	if w.sizes == nil {
		return nil
	}
	if c := w.counted(p, datacenters); c.warm != w.sizes.warm || !slices.Equal(c.queues, w.sizes.queues) {
		return fmt.Errorf("sizes of the tickets that wait: %v, counted %v", *w.sizes, *c)
	}
	return nil
}
