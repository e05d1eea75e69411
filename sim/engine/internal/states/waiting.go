package states

import (
	"cmp"
	"math/bits"
	"slices"

	"mmsim/sim"
	"mmsim/sim/engine/internal/lifecycle"
)

// waitingList holds the searching tickets of a queue. Regular tickets (IDEAL and EXPAND) are in one
// list, oldest search first. A datacenter has no list of its own: its queue consists of the tickets
// whose entry in Admits includes the datacenter. So a ticket need not be inserted into and removed
// from a dozen queues. A pass lists the tickets of all datacenters at once, see Queues.
type waitingList struct {
	Tickets   []lifecycle.Ticket
	Admits    []uint64 // datacenters of each ticket; 0 once it was matched in this pass
	Deadlines []sim.Instant

	Warm []warmBody // oldest search first

	NextDeadline sim.Instant // no ticket's deadline is earlier
	sizes        *sizes      // nil until the first party searches

	taken []sim.Instant // by ticket that was taken: its deadline; nil if nobody asks for it
}

// warmBody is a ticket that can join any match.
type warmBody struct {
	Ticket   lifecycle.Ticket
	Size     uint8 // number of players; 0 once matched in this pass
	Deadline sim.Instant
}

// newWaitingList returns an empty list. If asks is set, it keeps the deadlines of tickets that are taken.
func newWaitingList(asks bool) (w waitingList) {
	w.NextDeadline = sim.Never
	if asks {
		w.taken = []sim.Instant{}
	}
	return w
}

// Len returns the number of tickets.
func (w *waitingList) Len() int { return len(w.Tickets) + len(w.Warm) }

// Add appends a regular ticket. Its search must be the youngest.
func (w *waitingList) Add(t lifecycle.Ticket, size uint8, admits uint64, deadline sim.Instant) {
	w.Count(size, admits, 1)
	w.Tickets = append(w.Tickets, t)
	w.Admits = append(w.Admits, admits)
	w.Deadlines = append(w.Deadlines, deadline)
	w.NextDeadline = min(w.NextDeadline, deadline)
}

// Insert is like Add for a ticket whose search may be older than others.
func (w *waitingList) Insert(p *lifecycle.Players, t lifecycle.Ticket, admits uint64, deadline sim.Instant) {
	own := p.Of(t)
	i, _ := w.find(p, own.Seq)
	w.Count(own.Size, admits, 1)
	w.Tickets = slices.Insert(w.Tickets, i, t)
	w.Admits = slices.Insert(w.Admits, i, admits)
	w.Deadlines = slices.Insert(w.Deadlines, i, deadline)
	w.NextDeadline = min(w.NextDeadline, deadline)
}

// keepDeadline keeps the deadline of a ticket that is taken.
func (w *waitingList) keepDeadline(t lifecycle.Ticket, deadline sim.Instant) {
	w.taken = append(w.taken, make([]sim.Instant, max(0, int(t)+1-len(w.taken)))...)
	w.taken[t] = deadline
}

// AddWarm inserts a warm body, sorted by the start of its search.
func (w *waitingList) AddWarm(p *lifecycle.Players, t lifecycle.Ticket, deadline sim.Instant) {
	own := p.Of(t)
	i, _ := w.findWarm(p, own.Seq)
	w.Warm = slices.Insert(w.Warm, i, warmBody{t, own.Size, deadline})
	w.CountWarm(own.Size, 1)
	w.NextDeadline = min(w.NextDeadline, deadline)
}

// find returns the position of the regular ticket whose search has a sequence number.
func (w *waitingList) find(p *lifecycle.Players, seq uint32) (at int, found bool) {
	return slices.BinarySearchFunc(w.Tickets, seq, func(t lifecycle.Ticket, seq uint32) int { return cmp.Compare(p.Of(t).Seq, seq) })
}

// findWarm returns the position of the warm body whose search has a sequence number. If there is
// none, it returns the position at which it would be.
func (w *waitingList) findWarm(p *lifecycle.Players, seq uint32) (at int, found bool) {
	return slices.BinarySearchFunc(w.Warm, seq, func(body warmBody, seq uint32) int { return cmp.Compare(p.Of(body.Ticket).Seq, seq) })
}

// Queues lists, for each of a set of datacenters, the positions of the tickets that wait for it, oldest
// search first. It reuses the memory of queues, which has a list for every datacenter.
func (w *waitingList) Queues(datacenters uint64, queues [][]int32) {
	for dc := range sim.DatacentersIn(datacenters) {
		queues[dc] = queues[dc][:0]
	}
	for i, admits := range w.Admits {
		for rest := admits & datacenters; rest != 0; rest &= rest - 1 {
			queue := &queues[bits.TrailingZeros64(rest)]
			*queue = append(*queue, int32(i))
		}
	}
}

// NotTaken removes from a list of Queues the tickets that have been matched in this pass.
func (w *waitingList) NotTaken(queue []int32, dc int) []int32 {
	n, bit := 0, uint(dc)%sim.MaxDatacenters
	for _, i := range queue { // written without a branch, which the processor could not predict
		queue[n] = i
		n += int(w.Admits[i] >> bit & 1)
	}
	return queue[:n]
}

// Compact removes the tickets that were marked as matched.
func (w *waitingList) Compact() {
	tickets, sets, deadlines, n := w.Tickets, w.Admits, w.Deadlines, 0
	for i, admits := range sets {
		if admits != 0 {
			tickets[n], sets[n], deadlines[n] = tickets[i], admits, deadlines[i]
			n++
		}
	}
	w.Truncate(n)
}

// Truncate removes all regular tickets except the first n.
func (w *waitingList) Truncate(n int) {
	w.Tickets, w.Admits, w.Deadlines = w.Tickets[:n], w.Admits[:n], w.Deadlines[:n]
}

// Take marks a regular ticket as matched in this pass.
func (w *waitingList) Take(i int32, size uint8) {
	w.Count(size, w.Admits[i], -1)
	w.Admits[i] = 0
	if w.taken != nil {
		w.keepDeadline(w.Tickets[i], w.Deadlines[i])
	}
}

// TakeWarm marks a warm body as matched in this pass.
func (w *waitingList) TakeWarm(i int32) {
	w.CountWarm(w.Warm[i].Size, -1)
	w.Warm[i].Size = 0
	if w.taken != nil {
		w.keepDeadline(w.Warm[i].Ticket, w.Warm[i].Deadline)
	}
}

// TakeTicket marks a ticket as matched in this pass.
func (w *waitingList) TakeTicket(p *lifecycle.Players, t lifecycle.Ticket) {
	own := p.Of(t)
	if own.State == sim.StateWarmBody {
		i, _ := w.findWarm(p, own.Seq)
		w.TakeWarm(int32(i))
		return
	}
	i, _ := w.find(p, own.Seq)
	w.Take(int32(i), own.Size)
}

// CompactWarm removes the warm bodies that were marked as matched.
func (w *waitingList) CompactWarm() {
	w.Warm = slices.DeleteFunc(w.Warm, func(b warmBody) bool { return b.Size == 0 })
}
