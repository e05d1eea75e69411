package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRosterAgreesWithList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var all roster
	found := 0
	for range 2000 {
		all.reset()
		var list []uint32
		span := 1 + r.Uint32N(1<<r.IntN(32))
		for range r.IntN(MaxMatchSize + 1) {
			id := r.Uint32N(span)
			list = append(list, id)
			all.add(0, id)
		}
		for range 100 {
			id := r.Uint32N(span)
			if got, want := all.has(id), slices.Contains(list, id); got != want {
				t.Fatalf("%v has %d: %v", list, id, got)
			} else if got {
				found++
			}
		}
		if all.has(noPlayer) {
			t.Fatalf("%v has nobody", list)
		}
	}
	if found < 1000 {
		t.Errorf("only %d were found", found)
	}
}
