package fleet

import (
	"slices"

	"mmsim/matcher/heap"
	"mmsim/sim"
)

// readyHeaps find the ready machine with the most matches that has a free slot. There is a heap of
// machines for each number of matches, ordered first first. An entry is stale if its machine hosts
// another number of matches now or is released.
type readyHeaps struct {
	byUsed []heap.Heap[int]
}

func newReadyHeaps(perMachine int) readyHeaps {
	return readyHeaps{byUsed: make([]heap.Heap[int], perMachine)}
}

// push adds a machine with a free slot. Its cost is the logarithm of the number of machines.
func (r *readyHeaps) push(machines []machine, i int) {
	list := &r.byUsed[machines[i].used]
	if len(*list) > 2*len(machines) { // entries that became stale without being looked at
		*list = slices.DeleteFunc(*list, func(k int) bool { return machines[k].isReleased || machines[k].used != machines[i].used })
		slices.Sort(*list)
		*list = slices.Compact(*list) // a sorted list is a heap
	}
	list.Push(i, orderedFirst)
}

// pop removes the machine that the next match takes and returns it, or -1 if no machine has a free
// slot.
func (r *readyHeaps) pop(machines []machine) int {
	for used := len(r.byUsed) - 1; used >= 0; used-- {
		for list := &r.byUsed[used]; len(*list) > 0; {
			i := list.Pop(orderedFirst)
			if m := &machines[i]; !m.isReleased && m.used == used {
				return i
			}
		}
	}
	return -1
}

// orderedFirst is the order of machines in a heap.
func orderedFirst(a, b *int) bool { return *a < *b }

// ending is the end of a match that has a slot, or of the play of some of its players only. With
// fewer than 0 players, it is a begin.
type ending struct {
	at      sim.Instant
	order   int // in which the ends became known
	machine int // or none, if the match goes on
	players int
}

// none is no machine.
const none = -1

// endsFirst is the order of ends. Of several at one instant, that of the match that got its
// slot first is the first: a machine that becomes empty may be released before the next of them.
func endsFirst(a, b *ending) bool { return a.at < b.at || a.at == b.at && a.order < b.order }

// endList has the ends in order. An end that is the last so far is appended to a queue, which is every
// end if no match waits and all are equally long. The others go into a heap.
type endList struct {
	inOrder fifo[ending]
	others  heap.Heap[ending]
}

func (l *endList) push(e ending) {
	if last := l.inOrder.waiting(); len(last) == 0 || !endsFirst(&e, &last[len(last)-1]) {
		l.inOrder.push(e)
	} else {
		l.others.Push(e, endsFirst)
	}
}

// first returns the next end, or nil.
func (l *endList) first() *ending {
	if l.isInOrder() {
		return l.inOrder.first()
	} else if len(l.others) > 0 {
		return &l.others[0]
	}
	return nil
}

// pop removes and returns the next end. There must be one.
func (l *endList) pop() ending {
	if l.isInOrder() {
		return l.inOrder.pop()
	}
	return l.others.Pop(endsFirst)
}

// isInOrder reports whether the next end is in the queue.
func (l *endList) isInOrder() bool {
	return l.inOrder.len() > 0 && (len(l.others) == 0 || endsFirst(l.inOrder.first(), &l.others[0]))
}

// vacancy says since when a machine has been empty.
type vacancy struct {
	since   sim.Instant
	machine int
}

// emptyFirst is the order of vacancies in a heap: the longest first, and of several that of the machine
// ordered first.
func emptyFirst(a, b *vacancy) bool {
	return a.since < b.since || a.since == b.since && a.machine < b.machine
}

// fifo is a queue: first in, first out.
type fifo[T any] struct {
	list []T
	head int
}

func (q *fifo[T]) len() int     { return len(q.list) - q.head }
func (q *fifo[T]) first() *T    { return &q.list[q.head] }
func (q *fifo[T]) push(item T)  { q.list = append(q.list, item) }
func (q *fifo[T]) waiting() []T { return q.list[q.head:] }

// pop removes the first item and returns it. It reclaims the space before head when that is at least
// half of the list, so that each item is moved at most once on average.
func (q *fifo[T]) pop() T {
	item := q.list[q.head]
	q.head++
	if q.head*2 >= len(q.list) {
		q.list = q.list[:copy(q.list, q.list[q.head:])]
		q.head = 0
	}
	return item
}
