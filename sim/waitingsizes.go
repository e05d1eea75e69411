package sim

import "mmsim/matcher/packing"

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
	w.sizes = &waitingSizes{queues: make([]packing.PartySizes, datacenters)}
	for i, t := range w.ticket {
		w.sizes.count(p.of(t).size, w.admits[i], 1)
	}
	for _, body := range w.warm {
		w.sizes.warm[body.size]++
	}
}

// count adds n tickets of a size to the queues of some datacenters. Nothing
// happens while nothing is counted.
func (c *waitingSizes) count(size uint8, datacenters uint64, n int32) {
	if c != nil { // and no more, so that the compiler inlines it
		c.countQueues(size, datacenters, n)
	}
}

func (c *waitingSizes) countQueues(size uint8, datacenters uint64, n int32) {
	for dc := range bitsOf(datacenters) {
		c.queues[dc][size] += n
	}
}

// countWarm adds n warm bodies of a size.
func (c *waitingSizes) countWarm(size uint8, n int32) {
	if c != nil {
		c.warm[size] += n
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
