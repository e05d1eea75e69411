package waiting

import (
	"fmt"
	"slices"

	"mmsim/matcher/packing"
	"mmsim/sim"
	"mmsim/sim/engine/internal/store"
)

// sizes counts the tickets that wait by their number of players, so that a queue in which no
// sizes add up to a match is not searched. Parties of three that are to fill matches of four
// wait as long as they may, and a search over all of them at every datacenter would cost the
// square of the joins.
type sizes struct {
	queues []packing.PartySizes // by datacenter: regular tickets
	warm   packing.PartySizes
}

// CountSizes begins to count. It is called at every party; until then all tickets are solos,
// whose number is enough.
func (w *List) CountSizes(p *store.Players, datacenters int) {
	if w.sizes == nil {
		w.sizes = w.counted(p, datacenters)
	}
}

// counted counts the tickets that wait.
func (w *List) counted(p *store.Players, datacenters int) *sizes {
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
func (w *List) OnlySolos() bool { return w.sizes == nil }

// Count adds n tickets of a size to the counts of the queues of some datacenters, if they
// are counted.
func (w *List) Count(size uint8, datacenters uint64, n int32) {
	if w.sizes != nil { // and no more, so that the compiler inlines it
		w.sizes.countQueues(size, datacenters, n)
	}
}

func (c *sizes) countQueues(size uint8, datacenters uint64, n int32) {
	for dc := range sim.DatacentersIn(datacenters) {
		c.queues[dc][size] += n
	}
}

// CountWarm adds n warm bodies of a size, if they are counted.
func (w *List) CountWarm(size uint8, n int32) {
	if w.sizes != nil {
		w.sizes.warm[size] += n
	}
}

// CanFill reports whether the numbers allow a match of regular tickets of a
// datacenter, at least one, and warm bodies.
func (w *List) CanFill(dc, matchSize int) bool {
	return w.sizes == nil || w.sizes.queues[dc].CanFillWith(&w.sizes.warm, matchSize)
}

// CanFillWarm reports whether the numbers allow a match of warm bodies alone.
func (w *List) CanFillWarm(matchSize int) bool {
	if w.sizes == nil {
		return len(w.Warm) >= matchSize
	}
	return w.sizes.warm.CanFill(matchSize)
}

// VerifySizes returns an error if the counts are not those of the tickets that wait.
func (w *List) VerifySizes(p *store.Players, datacenters int) error {
	if w.sizes == nil {
		return nil
	}
	if c := w.counted(p, datacenters); c.warm != w.sizes.warm || !slices.Equal(c.queues, w.sizes.queues) {
		return fmt.Errorf("sizes of the tickets that wait: %v, counted %v", *w.sizes, *c)
	}
	return nil
}
