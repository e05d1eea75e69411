package sim

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"testing"
)

// The event list gives the order of a sorted slice, ties included.
func TestTimersAgainstSortedSlice(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		var fast timers
		var slow []timer
		fast.seq = ^uint32(0) - 20 // the sequence wraps on the way
		now := Instant(-50)
		spread := 1 + r.IntN(40)
		for step := range 400 {
			if len(slow) == 0 || r.IntN(5) < 2+step%2 {
				at, kind := now.Add(Duration(r.IntN(spread))), timerKind(r.IntN(int(timerKinds)))
				fast.push(at, kind, uint32(step))
				slow = append(slow, timer{key: int64(at)<<1 | int64(kind), match: uint32(step)})
				sort.SliceStable(slow, func(i, j int) bool { return slow[i].key < slow[j].key })
				continue
			}
			want := slow[0]
			slow = slow[1:]
			if next := fast.next(); next != want.at() {
				t.Fatalf("seed %d step %d: next is %d, want %d", seed, step, next, want.at())
			}
			got := fast.pop()
			if got.key != want.key || got.match != want.match {
				t.Fatalf("seed %d step %d: popped %+v, want %+v", seed, step, got, want)
			}
			if now = got.at(); fast.len() != len(slow) {
				t.Fatalf("seed %d step %d: %d timers, want %d", seed, step, fast.len(), len(slow))
			}
		}
	}
}

// BenchmarkTimers holds n timers and replaces the first by a later one.
func BenchmarkTimers(b *testing.B) {
	for _, increments := range []string{"constant", "lognormal"} {
		for _, n := range []int{1_000, 30_000, 300_000} {
			b.Run(fmt.Sprintf("%s/%d", increments, n), func(b *testing.B) {
				var list timers
				s := NewStream(1, 0, PurposeMatchLength)
				length := Length{Mean: 300 * Second}
				if increments == "lognormal" {
					length.SD = Minute
				}
				for i := range uint64(n) {
					list.push(Instant(i), timerMatchEnd, uint32(i))
				}
				var hash uint64
				for k := uint64(0); b.Loop(); k++ {
					t := list.pop()
					hash = mix(hash + uint64(t.match))
					list.push(t.at().Add(length.draw(s, k, 0)), timerMatchEnd, t.match)
				}
				b.ReportMetric(float64(hash>>40), "hash")
			})
		}
	}
}
