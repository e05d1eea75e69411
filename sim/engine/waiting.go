package engine

import (
	"cmp"
	"slices"

	"mmsim/sim"
)

// waiting holds all tickets that search. Regular tickets (IDEAL, EXPAND) stand
// in one list, oldest search first, each with the set of datacenters in whose
// queues it waits; the queue of a datacenter is the sub-list with its bit. One
// list needs no insertion into and no removal from a dozen queues per search,
// and a turn scans it at well under a nanosecond a ticket.
type waiting struct {
	ticket   []ticketID
	admits   []uint64 // never empty, except for tickets matched in this pass
	deadline []sim.Instant

	warm []warmBody // oldest search first

	nextDeadline sim.Instant   // no deadline is earlier
	sizes        *waitingSizes // nil until the first party searches
}

type warmBody struct {
	ticket   ticketID
	size     uint8 // its players; 0: matched in this pass
	deadline sim.Instant
}

func newWaiting() waiting { return waiting{nextDeadline: sim.Never} }

// len returns the number of tickets.
func (w *waiting) len() int { return len(w.ticket) + len(w.warm) }

// add appends a regular ticket of some size, whose search is the youngest.
func (w *waiting) add(t ticketID, size uint8, admits uint64, deadline sim.Instant) {
	w.count(size, admits, 1)
	w.ticket = append(w.ticket, t)
	w.admits = append(w.admits, admits)
	w.deadline = append(w.deadline, deadline)
	w.nextDeadline = min(w.nextDeadline, deadline)
}

// addWarm inserts a warm body by the age of its search.
func (w *waiting) addWarm(p *players, t ticketID, deadline sim.Instant) {
	own := p.of(t)
	i, _ := slices.BinarySearchFunc(w.warm, own.seq, func(body warmBody, seq uint32) int {
		return cmp.Compare(p.of(body.ticket).seq, seq)
	})
	w.warm = slices.Insert(w.warm, i, warmBody{t, own.size, deadline})
	w.countWarm(own.size, 1)
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
	w.count(size, w.admits[i], -1)
	w.admits[i] = 0
}

// takeWarm marks a warm body as matched in this pass.
func (w *waiting) takeWarm(i int32) {
	w.countWarm(w.warm[i].size, -1)
	w.warm[i].size = 0
}

// forgetMatched marks the regular tickets that were matched in this pass, and
// removes the warm bodies that were.
func (w *waiting) forgetMatched(p *players) {
	for i, t := range w.ticket {
		if p.of(t).state == sim.StatePlaying {
			w.take(int32(i), p.of(t).size)
		}
	}
	for i, body := range w.warm {
		if p.of(body.ticket).state == sim.StatePlaying {
			w.takeWarm(int32(i))
		}
	}
	w.compactWarm()
}

// compactWarm removes the warm bodies that were matched.
func (w *waiting) compactWarm() {
	w.warm = slices.DeleteFunc(w.warm, func(b warmBody) bool { return b.size == 0 })
}
