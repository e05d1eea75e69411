package world

import (
	"math"

	"mmsim/sim"
)

// TimerKind is the purpose of a timer. Timers due at the same instant run in the order of their
// kinds.
type TimerKind uint8

// TimerKinds is the number of kinds, which are 0 and 1.
const TimerKinds = 2

// Timer is an entry of the event list, in 16 bytes. Timers are ordered by instant, kind and
// sequence number. Instant and kind share one word, so one comparison usually decides.
type Timer struct {
	key     int64  // instant<<1 | kind
	seq     uint32 // sequence number of insertion; it may wrap, as long as fewer than 2^31 timers are pending
	Payload uint32 // handle of the object that the timer is for
}

func (a Timer) before(b Timer) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	return int32(a.seq-b.seq) < 0
}

// At returns the instant at which the timer is due.
func (a Timer) At() sim.Instant { return sim.Instant(a.key >> 1) }

// Kind returns the purpose of the timer.
func (a Timer) Kind() TimerKind { return TimerKind(a.key & 1) }

// Timers is the event list: a priority queue of timers by time. Each kind has a FIFO queue. A new
// timer that is due no earlier than the last one in the queue of its kind is appended to that queue
// in O(1). If match lengths and pauses are constant, this applies to every timer. All other timers
// go into a binary heap in O(log n). A test compares the resulting order with a sorted slice.
type Timers struct {
	fifos [TimerKinds]fifo
	heap  []Timer
	seq   uint32
}

// Push adds a timer.
func (l *Timers) Push(at sim.Instant, kind TimerKind, payload uint32) {
	t := Timer{int64(at)<<1 | int64(kind), l.seq, payload}
	l.seq++
	if fifo := &l.fifos[kind]; fifo.admits(t) {
		fifo.push(t)
		return
	}
	l.heap = append(l.heap, t)
	siftUp(l.heap)
}

// Next returns the instant of the next timer, or Never if there is none.
func (l *Timers) Next() sim.Instant {
	if key := l.nextKey(); key != noTimer {
		return Timer{key: key}.At()
	}
	return sim.Never
}

// Due reports whether a timer of a kind, or of an earlier one, is due at an instant.
func (l *Timers) Due(at sim.Instant, kind TimerKind) bool {
	return l.nextKey() <= int64(at)<<1|int64(kind)
}

// noTimer is the key of no timer.
const noTimer = math.MaxInt64

// nextKey returns the key of the next timer, or noTimer.
func (l *Timers) nextKey() int64 {
	key := int64(noTimer)
	if len(l.heap) > 0 {
		key = l.heap[0].key
	}
	for i := range l.fifos {
		if fifo := &l.fifos[i]; fifo.len() > 0 {
			key = min(key, fifo.first().key)
		}
	}
	return key
}

// Pop removes and returns the next timer. The list must not be empty.
func (l *Timers) Pop() Timer {
	var best *fifo
	for i := range l.fifos {
		fifo := &l.fifos[i]
		if fifo.len() > 0 && (best == nil || fifo.first().before(best.first())) {
			best = fifo
		}
	}
	if best == nil || len(l.heap) > 0 && l.heap[0].before(best.first()) {
		return l.popHeap()
	}
	return best.pop()
}

// Len returns the number of timers.
func (l *Timers) Len() int {
	n := len(l.heap)
	for i := range l.fifos {
		n += l.fifos[i].len()
	}
	return n
}

// Each calls visit for every timer, in no particular order.
func (l *Timers) Each(visit func(t Timer)) {
	for _, t := range l.heap {
		visit(t)
	}
	for i := range l.fifos {
		fifo := &l.fifos[i]
		for _, t := range fifo.list[fifo.head:] {
			visit(t)
		}
	}
}

// fifo is a queue of timers in ascending order.
type fifo struct {
	list []Timer
	head int
}

func (q *fifo) len() int     { return len(q.list) - q.head }
func (q *fifo) first() Timer { return q.list[q.head] }
func (q *fifo) push(t Timer) { q.list = append(q.list, t) }
func (q *fifo) admits(t Timer) bool {
	return q.len() == 0 || !t.before(q.list[len(q.list)-1])
}

// pop removes the first timer. It reclaims the space before head when that is at least half of the
// list, so each timer is moved at most once on average.
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
