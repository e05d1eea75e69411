package matcher

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Counting in planes is counting.
func TestHeadcountCounts(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		want := 1 + r.IntN(40)
		var counts [MaxRegions]int
		var count headcount
		count.begin(want)
		for range r.IntN(30) {
			regions, players := r.Uint64()&r.Uint64()&r.Uint64(), 1+r.IntN(6)
			count.add(regions, int32(players))
			for region := range counts {
				if regions>>region&1 != 0 {
					counts[region] += players
				}
			}
		}
		if got, missing := count.missing(), max(0, want-slices.Max(counts[:])); got != missing {
			t.Fatalf("seed %d: %d players missing, want %d", seed, got, missing)
		}
		for region, players := range counts {
			if got := count.full>>region&1 != 0; got != (players >= want) {
				t.Fatalf("seed %d: region %d has %d of %d players, full is %v", seed, region, players, want, got)
			}
		}
	}
}
