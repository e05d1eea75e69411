package fleet

import (
	"container/heap"
	"slices"

	"mmsim/sim"
)

// readyHeaps find the ready machine with the most matches that has a free slot. There is a heap of
// machines for each number of matches, ordered first first. An entry is stale if its machine hosts
// another number of matches now or is released.
type readyHeaps struct {
	byUsed []indexHeap
}

func newReadyHeaps(perMachine int) readyHeaps {
	return readyHeaps{byUsed: make([]indexHeap, perMachine)}
}

// push adds a machine with a free slot. Its cost is the logarithm of the number of machines.
func (r *readyHeaps) push(machines []machine, i int) {
	list := &r.byUsed[machines[i].used]
	if len(*list) > 2*len(machines) { // entries that became stale without being looked at
		*list = slices.DeleteFunc(*list, func(k int) bool { return machines[k].isReleased || machines[k].used != machines[i].used })
		slices.Sort(*list)
		*list = slices.Compact(*list) // a sorted list is a heap
	}
	heap.Push(list, i)
}

// pop removes the machine that the next match takes and returns it, or -1 if no machine has a free
// slot.
func (r *readyHeaps) pop(machines []machine) int {
	for used := len(r.byUsed) - 1; used >= 0; used-- {
		for list := &r.byUsed[used]; len(*list) > 0; {
			i := heap.Pop(list).(int)
			if m := &machines[i]; !m.isReleased && m.used == used {
				return i
			}
		}
	}
	return -1
}

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

// endHeap has the next end first, and of several at one instant that of the match that got its slot
// first: a machine that becomes empty may be released before the next of them.
type endHeap []ending

func (h endHeap) Len() int { return len(h) }
func (h endHeap) Less(a, b int) bool {
	return h[a].at < h[b].at || h[a].at == h[b].at && h[a].order < h[b].order
}
func (h endHeap) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *endHeap) Push(e any)   { *h = append(*h, e.(ending)) }
func (h *endHeap) Pop() any     { return pop((*[]ending)(h)) }

// vacancy says since when a machine has been empty.
type vacancy struct {
	since   sim.Instant
	machine int
}

// emptyHeap has the longest vacancy first, and of several that of the machine ordered first.
type emptyHeap []vacancy

func (h emptyHeap) Len() int { return len(h) }
func (h emptyHeap) Less(a, b int) bool {
	return h[a].since < h[b].since || h[a].since == h[b].since && h[a].machine < h[b].machine
}
func (h emptyHeap) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *emptyHeap) Push(v any)   { *h = append(*h, v.(vacancy)) }
func (h *emptyHeap) Pop() any     { return pop((*[]vacancy)(h)) }

// indexHeap has the lowest number first.
type indexHeap []int

func (h indexHeap) Len() int           { return len(h) }
func (h indexHeap) Less(a, b int) bool { return h[a] < h[b] }
func (h indexHeap) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }
func (h *indexHeap) Push(i any)        { *h = append(*h, i.(int)) }
func (h *indexHeap) Pop() any          { return pop((*[]int)(h)) }

// pop removes the last item of a list.
func pop[T any](list *[]T) T {
	last := len(*list) - 1
	item := (*list)[last]
	*list = (*list)[:last]
	return item
}
