package sim

import "slices"

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

	nextDeadline Instant // no deadline is earlier
	parties      int     // tickets of more than one player
}

type warmBody struct {
	ticket   ticketID
	deadline Instant
}

// add appends a regular ticket, whose search is the youngest.
func (w *waiting) add(t ticketID, admits uint64, deadline Instant) {
	w.ticket = append(w.ticket, t)
	w.admits = append(w.admits, admits)
	w.deadline = append(w.deadline, deadline)
	w.nextDeadline = min(w.nextDeadline, deadline)
}

// addWarm inserts a warm body by the age of its search.
func (w *waiting) addWarm(p *players, t ticketID, deadline Instant) {
	i := len(w.warm)
	for i > 0 && p.of(w.warm[i-1].ticket).seq > p.of(t).seq {
		i--
	}
	w.warm = slices.Insert(w.warm, i, warmBody{t, deadline})
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

// forgetMatched marks the regular tickets that were matched in this pass, and
// removes the warm bodies that were.
func (w *waiting) forgetMatched(p *players) {
	for i, t := range w.ticket {
		if p.of(t).state == StatePlaying {
			w.admits[i] = 0
		}
	}
	w.removeMatchedWarm(p)
}

// removeMatchedWarm removes the warm bodies that were matched.
func (w *waiting) removeMatchedWarm(p *players) {
	w.warm = slices.DeleteFunc(w.warm, func(b warmBody) bool { return p.of(b.ticket).state == StatePlaying })
}
