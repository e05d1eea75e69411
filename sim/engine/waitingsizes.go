package engine

import (
	"fmt"
	"slices"

	"mmsim/matcher/packing"
	"mmsim/sim"
)

// waitingSizes counts the tickets that wait by their number of players, so that a
// queue in which no sizes add up to a match is not walked. Parties of three that
// are to fill matches of four wait as long as they may, and walking over all of
// them at every datacenter would cost the square of the joins.
type waitingSizes struct {
	queues []packing.PartySizes // by datacenter: regular tickets
	warm   packing.PartySizes
}

// countSizes begins to count, at the first party. Solos alone are not counted:
// their number says as much.
func (w *waiting) countSizes(p *players, datacenters int) {
	if w.sizes == nil {
		w.sizes = w.counted(p, datacenters)
	}
}

// counted counts the tickets that wait.
func (w *waiting) counted(p *players, datacenters int) *waitingSizes {
	c := &waitingSizes{queues: make([]packing.PartySizes, datacenters)}
	for i, t := range w.ticket {
		c.countQueues(p.of(t).size, w.admits[i], 1)
	}
	for _, body := range w.warm {
		c.warm[body.size]++
	}
	return c
}

// onlySolos tells whether no party has searched so far.
func (w *waiting) onlySolos() bool { return w.sizes == nil }

// count adds n tickets of a size to the counts of the queues of some datacenters, if they
// are counted.
func (w *waiting) count(size uint8, datacenters uint64, n int32) {
	if w.sizes != nil { // and no more, so that the compiler inlines it
		w.sizes.countQueues(size, datacenters, n)
	}
}

func (c *waitingSizes) countQueues(size uint8, datacenters uint64, n int32) {
	for dc := range sim.DatacentersIn(datacenters) {
		c.queues[dc][size] += n
	}
}

// countWarm adds n warm bodies of a size, if they are counted.
func (w *waiting) countWarm(size uint8, n int32) {
	if w.sizes != nil {
		w.sizes.warm[size] += n
	}
}

// canFill reports whether the numbers allow a match of regular tickets of a
// datacenter, at least one, and warm bodies.
func (w *waiting) canFill(dc, matchSize int) bool {
	return w.sizes == nil || w.sizes.queues[dc].CanFillWith(&w.sizes.warm, matchSize)
}

// canFillWarm reports whether the numbers allow a match of warm bodies alone.
func (w *waiting) canFillWarm(matchSize int) bool {
	if w.sizes == nil {
		return len(w.warm) >= matchSize
	}
	return w.sizes.warm.CanFill(matchSize)
}

// verifySizes returns an error if the counts are not those of the tickets that wait.
func (w *waiting) verifySizes(p *players, datacenters int) error {
	if w.sizes == nil {
		return nil
	}
	if c := w.counted(p, datacenters); c.warm != w.sizes.warm || !slices.Equal(c.queues, w.sizes.queues) {
		return fmt.Errorf("sizes of the tickets that wait: %v, counted %v", *w.sizes, *c)
	}
	return nil
}
