package matcher

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func compare(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.seq, b.seq)) }

// A sorted list holds what a sorted slice holds, whatever comes and goes.
func TestSortedListAgainstSlice(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		var list sortedList
		var twin []entry
		for step := range int64(4000) {
			if growing := step < 2500; len(twin) > 0 && (r.IntN(3) == 0 == growing) {
				i := r.IntN(len(twin))
				list.remove(twin[i])
				twin = slices.Delete(twin, i, i+1)
				continue
			}
			e := entry{key: float64(r.IntN(200)), seq: step, row: Row(step)}
			list.insert(e)
			i, _ := slices.BinarySearchFunc(twin, e, compare)
			twin = slices.Insert(twin, i, e)
		}
		if got := slices.Concat(list.chunks...); !slices.Equal(got, twin) {
			t.Fatalf("seed %d: %d entries, want %d, or another order", seed, len(got), len(twin))
		}
		checkWalk(t, &list, twin, float64(r.IntN(200)))
	}
}

// checkWalk walks up and down from where a key would stand.
func checkWalk(t *testing.T, list *sortedList, twin []entry, key float64) {
	t.Helper()
	i, _ := slices.BinarySearchFunc(twin, entry{key: key}, compare)
	start := list.find(entry{key: key})
	at := start
	for _, want := range twin[i:] {
		if !list.holds(at) || *list.at(at) != want {
			t.Fatalf("walking up from %v misses %v", key, want)
		}
		at = list.after(at)
	}
	if list.holds(at) {
		t.Fatalf("walking up from %v goes on past the end", key)
	}
	if !list.holds(start) {
		return
	}
	for at = list.before(start); i > 0; at = list.before(at) {
		if i--; !list.holds(at) || *list.at(at) != twin[i] {
			t.Fatalf("walking down from %v misses %v", key, twin[i])
		}
	}
	if list.holds(at) {
		t.Fatalf("walking down from %v goes on past the beginning", key)
	}
}
