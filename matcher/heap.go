package matcher

// heap is a binary heap: the first entry is one that none of the others comes
// before. Every call must be given the same order; it may look at more than the
// entries themselves, as long as that does not change. Cost: push makes up to one
// comparison for each level, pop two.
type heap[T any] []T

// push adds an entry.
func (h *heap[T]) push(entry T, before func(a, b *T) bool) {
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

// pop takes the first entry out, which must be there.
func (h *heap[T]) pop(before func(a, b *T) bool) T {
	list := *h
	first, last := list[0], len(list)-1
	list[0] = list[last]
	list = list[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && before(&list[child+1], &list[child]) {
			child++
		}
		if !before(&list[child], &list[i]) {
			break
		}
		list[i], list[child] = list[child], list[i]
		i = child
	}
	*h = list
	return first
}
