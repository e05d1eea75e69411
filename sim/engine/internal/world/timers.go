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

// Timers is an event list: a priority queue of timers for one purpose, by time. Timers that are all due
// after the same time, such as a constant match length, are pushed in the order in which they are due.
// A FIFO queue takes each of them in O(1). There are two such queues, because players who are asked
// answer after one time, and those who do not answer are waited for until another. All other timers go into
// a binary heap in O(log n). A test compares the resulting order with a sorted slice.
type Timers struct {
	next  sim.Instant // instant of the next timer, if there is one
	n     int         // number of timers
	fifos [2]fifo
	heap  []Timer
	seq   uint32
}

// Push adds a timer.
func (l *Timers) Push(at sim.Instant, payload uint32) {
	t := Timer{at, l.seq, payload}
	l.seq++
	if l.n == 0 || at < l.next {
		l.next = at
	}
	l.n++
	q := &l.fifos[0]
	if len(l.fifos[1].list) > 0 || !q.admits(t) {
		q = l.queueFor(t)
	}
	if q != nil {
		q.list = append(q.list, t)
		return
	}
	l.heap = append(l.heap, t)
	siftUp(l.heap)
}

// queueFor returns the FIFO queue that admits a timer and whose last timer is due last, or nil. So
// timers that are due soon and late come into different queues.
func (l *Timers) queueFor(t Timer) (best *fifo) {
	for i := range l.fifos {
		if q := &l.fifos[i]; q.admits(t) && (best == nil || len(best.list) == 0 || len(q.list) > 0 && best.last().before(q.last())) {
			best = q
		}
	}
	return best
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
	q, second := &l.fifos[0], &l.fifos[1]
	if len(second.list) > 0 && (len(q.list) == 0 || second.first().before(q.first())) {
		q = second
	}
	if len(l.heap) > 0 && (len(q.list) == 0 || l.heap[0].before(q.first())) {
		t = l.popHeap()
	} else {
		t = q.pop()
	}
	l.n--
	l.next = sim.Never
	for i := range l.fifos {
		if q := &l.fifos[i]; len(q.list) > 0 {
			l.next = min(l.next, q.first().At)
		}
	}
	if len(l.heap) > 0 {
		l.next = min(l.next, l.heap[0].At)
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
	for i := range l.fifos {
		for _, t := range l.fifos[i].list[l.fifos[i].head:] {
			visit(t)
		}
	}
}

// fifo is a queue of timers in ascending order.
type fifo struct {
	list []Timer // those before head have run; empty if all have
	head int
}

func (q *fifo) first() Timer        { return q.list[q.head] }
func (q *fifo) last() Timer         { return q.list[len(q.list)-1] }
func (q *fifo) admits(t Timer) bool { return len(q.list) == 0 || !t.before(q.last()) }

// pop removes the first timer. It reclaims the space before head when that is at least half of the list,
// so each timer is moved at most once on average.
func (q *fifo) pop() Timer {
	t := q.list[q.head]
	q.head++
	if q.head*2 >= len(q.list) {
		q.list = q.list[:copy(q.list, q.list[q.head:])]
		q.head = 0
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
