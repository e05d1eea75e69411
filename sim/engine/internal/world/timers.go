package world

import "mmsim/sim"

// Timer is an entry of an event list, in 16 bytes. Timers are ordered by instant and sequence number.
type Timer struct {
	At      sim.Instant // when the timer is due
	seq     uint32      // sequence number of insertion; it may wrap, as long as fewer than 2^31 timers are pending
	Payload uint32      // handle of the object that the timer is for
}

func (a Timer) before(b Timer) bool {
	if a.At != b.At {
		return a.At < b.At
	}
	return int32(a.seq-b.seq) < 0
}

// Timers is an event list: a priority queue of timers for one purpose, by time. A new timer that is due
// no earlier than the last one in a FIFO queue is appended to that queue in O(1). If all of them are due
// after the same time, such as a constant match length, this applies to every timer. All other timers go
// into a binary heap in O(log n). A test compares the resulting order with a sorted slice.
type Timers struct {
	next sim.Instant // instant of the next timer, if there is one
	n    int         // number of timers
	fifo []Timer     // in ascending order; those before head have run
	head int
	heap []Timer
	seq  uint32
}

// Push adds a timer.
func (l *Timers) Push(at sim.Instant, payload uint32) {
	t := Timer{at, l.seq, payload}
	l.seq++
	if l.n == 0 || at < l.next {
		l.next = at
	}
	l.n++
	if l.head == len(l.fifo) || !t.before(l.fifo[len(l.fifo)-1]) {
		l.fifo = append(l.fifo, t)
		return
	}
	l.heap = append(l.heap, t)
	siftUp(l.heap)
}

// Next returns the instant of the next timer, or Never if there is none.
func (l *Timers) Next() sim.Instant {
	if l.n == 0 {
		return sim.Never
	}
	return l.next
}

// Due reports whether a timer is due at an instant.
func (l *Timers) Due(at sim.Instant) bool { return l.n > 0 && l.next <= at }

// Pop removes and returns the next timer. The list must not be empty.
func (l *Timers) Pop() (t Timer) {
	if len(l.heap) > 0 && (l.head == len(l.fifo) || l.heap[0].before(l.fifo[l.head])) {
		t = l.popHeap()
	} else {
		t = l.popFIFO()
	}
	l.n--
	switch l.next = sim.Never; {
	case len(l.heap) > 0 && l.head < len(l.fifo):
		l.next = min(l.heap[0].At, l.fifo[l.head].At)
	case len(l.heap) > 0:
		l.next = l.heap[0].At
	case l.head < len(l.fifo):
		l.next = l.fifo[l.head].At
	}
	return t
}

// Len returns the number of timers.
func (l *Timers) Len() int { return l.n }

// Each calls visit for every timer, in no particular order.
func (l *Timers) Each(visit func(t Timer)) {
	for _, t := range l.heap {
		visit(t)
	}
	for _, t := range l.fifo[l.head:] {
		visit(t)
	}
}

// popFIFO removes the first timer of the FIFO queue. It reclaims the space before head when that is at
// least half of the list, so each timer is moved at most once on average.
func (l *Timers) popFIFO() Timer {
	t := l.fifo[l.head]
	l.head++
	if l.head*2 >= len(l.fifo) {
		l.fifo = l.fifo[:copy(l.fifo, l.fifo[l.head:])]
		l.head = 0
	}
	return t
}

func siftUp(heap []Timer) {
	i := len(heap) - 1
	t := heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !t.before(heap[parent]) {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = t
}

func (l *Timers) popHeap() Timer {
	heap := l.heap
	first := heap[0]
	t := heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	l.heap = heap
	if len(heap) == 0 {
		return first
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(heap) {
			break
		}
		if child+1 < len(heap) && heap[child+1].before(heap[child]) {
			child++
		}
		if !heap[child].before(t) {
			break
		}
		heap[i] = heap[child]
		i = child
	}
	heap[i] = t
	return first
}
