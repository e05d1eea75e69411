package datasets

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The joins of a second are returned in the right order, even if they are so many that they are
// sorted by buckets first.
func TestWindowSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		w := window{seconds: make([][]entry, copySeconds)}
		var want []uint64
		for i := range rapid.IntRange(0, 3000).Draw(t, "joins") {
			ms := 7000 + random.Uint32N(uint32(1+i%1000))
			e := entry{key: newEntryKey(random.Uint32(), random.Uint32N(1<<copyBits))}
			w.add(ms, e)
			want = append(want, e.key|uint64(ms-7000)<<54)
		}
		slices.Sort(want)
		for i, e := range w.take(7) {
			if e.key != want[i] || e.ms() != uint32(want[i]>>54) {
				t.Fatalf("entry %d: got %x, want %x", i, e.key, want[i])
			}
		}
	})
}
