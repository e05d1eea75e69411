package sim

// timerKind is what a timer is for. Kinds due at the same instant run in this
// order.
type timerKind uint8

const (
	timerMatchEnd timerKind = iota
	timerReturn
	timerKinds
)

// timer is an entry of the event list: 16 bytes, ordered by (instant, kind,
// sequence). Instant and kind share a word so that one comparison mostly
// decides.
type timer struct {
	key   int64  // instant<<1 | kind
	seq   uint32 // of insertion; wraps, which is harmless with under 2^31 pending
	match uint32
}

func (a timer) before(b timer) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	return int32(a.seq-b.seq) < 0
}

func (a timer) at() Instant     { return Instant(a.key >> 1) }
func (a timer) kind() timerKind { return timerKind(a.key & 1) }

// timers is the event list. A timer due no earlier than the last of its kind is
// appended to the lane of its kind in O(1): with constant lengths and pauses,
// that is every timer. The others wait in a binary heap, O(log n).
// Both give the same total order; the test compares them with a sorted slice.
type timers struct {
	lanes [timerKinds]lane
	heap  []timer
	seq   uint32
}

// push adds a timer for a match.
func (l *timers) push(at Instant, kind timerKind, match uint32) {
	t := timer{int64(at)<<1 | int64(kind), l.seq, match}
	l.seq++
	if lane := &l.lanes[kind]; lane.admits(t) {
		lane.push(t)
		return
	}
	l.heap = append(l.heap, t)
	siftUp(l.heap)
}

// next returns the instant of the first timer, Never when there is none.
func (l *timers) next() Instant {
	at := Never
	if len(l.heap) > 0 {
		at = l.heap[0].at()
	}
	for i := range l.lanes {
		if lane := &l.lanes[i]; lane.len() > 0 {
			at = min(at, lane.first().at())
		}
	}
	return at
}

// pop removes and returns the first timer; there must be one.
func (l *timers) pop() timer {
	var best *lane
	for i := range l.lanes {
		lane := &l.lanes[i]
		if lane.len() > 0 && (best == nil || lane.first().before(best.first())) {
			best = lane
		}
	}
	if best == nil || len(l.heap) > 0 && l.heap[0].before(best.first()) {
		return l.popHeap()
	}
	return best.pop()
}

func (l *timers) len() int {
	n := len(l.heap)
	for i := range l.lanes {
		n += l.lanes[i].len()
	}
	return n
}

// lane is a queue of timers in ascending order.
type lane struct {
	list []timer
	head int
}

func (q *lane) len() int     { return len(q.list) - q.head }
func (q *lane) first() timer { return q.list[q.head] }
func (q *lane) push(t timer) { q.list = append(q.list, t) }
func (q *lane) admits(t timer) bool {
	return q.len() == 0 || !t.before(q.list[len(q.list)-1])
}

// pop removes the first timer. Room before the head is reclaimed once it is as
// large as the rest, so a timer is moved at most once on average.
func (q *lane) pop() timer {
	t := q.list[q.head]
	q.head++
	if q.head*2 >= len(q.list) {
		q.list = q.list[:copy(q.list, q.list[q.head:])]
		q.head = 0
	}
	return t
}

func siftUp(heap []timer) {
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

func (l *timers) popHeap() timer {
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
