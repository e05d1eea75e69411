// Package heap is a binary heap whose order is a function of the caller.
package heap

// Heap is a binary heap: the first entry is one that none of the others comes
// before. Every call must be given the same order; it may look at more than the
// entries themselves, as long as that does not change. Cost: Push makes up to one
// comparison for each level, Pop two.
type Heap[T any] []T

// Push adds an entry.
func (h *Heap[T]) Push(entry T, before func(a, b *T) bool) {
	list := append(*h, entry)
	*h = list
	for i := len(list) - 1; i > 0; {
		parent := (i - 1) / 2
		if !before(&list[i], &list[parent]) {
			return
		}
		list[i], list[parent] = list[parent], list[i]
		i = parent
	}
}

// Init brings entries that were appended in any order into that of a heap.
func (h Heap[T]) Init(before func(a, b *T) bool) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i, before)
	}
}

// Pop takes the first entry out, which must be there.
func (h *Heap[T]) Pop(before func(a, b *T) bool) T {
	list := *h
	first, last := list[0], len(list)-1
	list[0] = list[last]
	*h = list[:last]
	h.sink(0, before)
	return first
}

// sink moves an entry down to where it belongs.
func (h Heap[T]) sink(i int, before func(a, b *T) bool) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && before(&h[child+1], &h[child]) {
			child++
		}
		if !before(&h[child], &h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
