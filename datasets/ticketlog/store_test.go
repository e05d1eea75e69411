package ticketlog

import (
	"math/rand/v2"
	"testing"
)

// TestStore compares chunks and index with a slice and a map, over more elements than a chunk has.
func TestStore(t *testing.T) {
	draws := rand.New(rand.NewPCG(3, 6))
	var kept chunks[uint64]
	var list []uint64
	x := newIndex(func(number uint32) uint64 { return *kept.at(number - 1) })
	known := map[uint64]uint32{}
	for range 5 * chunkLen {
		h := draws.Uint64N(3 * chunkLen) // often one that is known
		slot, number := x.find(h)
		if number != known[h] {
			t.Fatalf("hash %d: got number %d, want %d", h, number, known[h])
		}
		if number > 0 && draws.IntN(2) == 0 {
			continue
		}
		kept.add(h) // a newer number takes the place of the one before
		list = append(list, h)
		known[h] = uint32(kept.len)
		x.set(slot, h, known[h])
	}
	if x.used != len(known) || kept.len != len(list) || kept.len < 2*chunkLen {
		t.Errorf("got %d numbers and %d elements, want %d and %d", x.used, kept.len, len(known), len(list))
	}
	n := 0
	for i, h := range kept.all {
		if int(i) != n || *h != list[n] {
			t.Fatalf("got element %d with %d, want %d with %d", i, *h, n, list[n])
		}
		n++
	}
	taken := 0
	kept.take(func(h *uint64) {
		if *h != list[taken] {
			t.Fatalf("took %d, want %d", *h, list[taken])
		}
		taken++
	})
	if n != len(list) || taken != n || kept.len != 0 {
		t.Errorf("got %d elements and took %d, want %d", n, taken, len(list))
	}
}
