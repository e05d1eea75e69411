// Package heap implements a binary heap. The caller defines its order with a function.
package heap

// Heap is a binary heap. Each method takes a function that defines the order of the entries. All
// calls must use the same order. It may depend on data outside the entries if that data does not
// change. Push makes up to one comparison per level, and Pop makes up to two.
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

// Init establishes the heap order for entries that were appended in any order.
func (h Heap[T]) Init(before func(a, b *T) bool) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i, before)
	}
}

// Pop removes and returns the first entry. The heap must not be empty.
func (h *Heap[T]) Pop(before func(a, b *T) bool) T {
	list := *h
	first, last := list[0], len(list)-1
	list[0] = list[last]
	*h = list[:last]
	h.sink(0, before)
	return first
}

// sink moves an entry down to its position.
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
