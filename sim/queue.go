package sim

import (
	"cmp"
	"slices"

	"mmsim/matcher/packing"
)

// waiting holds all tickets that search. Regular tickets (IDEAL, EXPAND) stand
// in one list, oldest search first, each with the set of datacenters in whose
// queues it waits; the queue of a datacenter is the sub-list with its bit. One
// list needs no insertion into and no removal from a dozen queues per search,
// and a turn scans it at well under a nanosecond a ticket.
type waiting struct {
	ticket   []ticketID
	admits   []uint64 // never empty, except for tickets matched in this pass
	deadline []Instant

	warm []warmBody // oldest search first

	nextDeadline Instant       // no deadline is earlier
	sizes        *waitingSizes // nil until the first party searches
}

type warmBody struct {
	ticket   ticketID
	size     uint8 // its players; 0: matched in this pass
	deadline Instant
}

// add appends a regular ticket of some size, whose search is the youngest.
func (w *waiting) add(t ticketID, size uint8, admits uint64, deadline Instant) {
	w.sizes.count(size, admits, 1)
	w.ticket = append(w.ticket, t)
	w.admits = append(w.admits, admits)
	w.deadline = append(w.deadline, deadline)
	w.nextDeadline = min(w.nextDeadline, deadline)
}

// addWarm inserts a warm body by the age of its search.
func (w *waiting) addWarm(p *players, t ticketID, deadline Instant) {
	own := p.of(t)
	i, _ := slices.BinarySearchFunc(w.warm, own.seq, func(body warmBody, seq uint32) int {
		return cmp.Compare(p.of(body.ticket).seq, seq)
	})
	w.warm = slices.Insert(w.warm, i, warmBody{t, own.size, deadline})
	w.sizes.countWarm(own.size, 1)
	w.nextDeadline = min(w.nextDeadline, deadline)
}

// queue appends the positions of the tickets that wait for a datacenter, oldest
// search first.
func (w *waiting) queue(dc int, list []int32) []int32 {
	list = slices.Grow(list[:0], len(w.admits))[:len(w.admits)]
	n := 0
	for i, admits := range w.admits { // no branch: the bit is as good as random
		list[n] = int32(i)
		n += int(admits >> dc & 1)
	}
	return list[:n]
}

// compact removes the tickets that were matched.
func (w *waiting) compact() {
	n := 0
	for i, admits := range w.admits {
		if admits == 0 {
			continue
		}
		w.ticket[n], w.admits[n], w.deadline[n] = w.ticket[i], admits, w.deadline[i]
		n++
	}
	w.truncate(n)
}

func (w *waiting) truncate(n int) {
	w.ticket, w.admits, w.deadline = w.ticket[:n], w.admits[:n], w.deadline[:n]
}

// take marks a regular ticket of some size as matched in this pass.
func (w *waiting) take(i int32, size uint8) {
	w.sizes.count(size, w.admits[i], -1)
	w.admits[i] = 0
}

// takeWarm marks a warm body as matched in this pass.
func (w *waiting) takeWarm(i int32) {
	w.sizes.countWarm(w.warm[i].size, -1)
	w.warm[i].size = 0
}

// forgetMatched marks the regular tickets that were matched in this pass, and
// removes the warm bodies that were.
func (w *waiting) forgetMatched(p *players) {
	for i, t := range w.ticket {
		if p.of(t).state == StatePlaying {
			w.take(int32(i), p.of(t).size)
		}
	}
	for i, body := range w.warm {
		if p.of(body.ticket).state == StatePlaying {
			w.takeWarm(int32(i))
		}
	}
	w.compactWarm()
}

// compactWarm removes the warm bodies that were matched.
func (w *waiting) compactWarm() {
	w.warm = slices.DeleteFunc(w.warm, func(b warmBody) bool { return b.size == 0 })
}

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
