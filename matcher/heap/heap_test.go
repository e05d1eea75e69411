package heap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A heap returns its entries in the same order as a list that is sorted after every change.
func TestHeapIsASortedList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	before := func(a, b *int) bool { return *a < *b }
	for range 200 {
		var h Heap[int]
		var sorted []int
		for range r.IntN(200) {
			if len(sorted) == 0 || r.IntN(3) > 0 {
				n := r.IntN(50)
				h.Push(n, before)
				at, _ := slices.BinarySearch(sorted, n)
				sorted = slices.Insert(sorted, at, n)
			} else {
				if got := h.Pop(before); got != sorted[0] {
					t.Fatalf("Pop: got %d, want %d of %v", got, sorted[0], sorted)
				}
				sorted = sorted[1:]
			}
			if len(h) != len(sorted) || len(h) > 0 && h[0] != sorted[0] {
				t.Fatalf("got heap %v, want the values of the sorted list %v with the least first", h, sorted)
			}
		}
	}
}
