package world

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"mmsim/sim"
)

// The event list returns timers in the order of a sorted slice, including ties.
func TestTimersAgainstSortedSlice(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		var fast Timers
		var slow []Timer
		fast.seq = ^uint32(0) - 20 // the sequence number wraps during the test
		now := sim.Instant(-50)
		span := 1 + r.IntN(40)
		for step := range 400 {
			if len(slow) == 0 || r.IntN(5) < 2+step%2 {
				at := now + sim.Instant(r.IntN(span))
				fast.Push(at, uint32(step))
				slow = append(slow, Timer{At: at, Payload: uint32(step)})
				sort.SliceStable(slow, func(i, j int) bool { return slow[i].At < slow[j].At })
				continue
			}
			want := slow[0]
			slow = slow[1:]
			if next := fast.Next(); next != want.At {
				t.Fatalf("seed %d, step %d: Next: got %d, want %d", seed, step, next, want.At)
			}
			got := fast.Pop()
			if got.At != want.At || got.Payload != want.Payload {
				t.Fatalf("seed %d, step %d: Pop: got %+v, want %+v", seed, step, got, want)
			}
			if now = got.At; fast.Len() != len(slow) {
				t.Fatalf("seed %d, step %d: got %d timers, want %d", seed, step, fast.Len(), len(slow))
			}
		}
	}
}

// BenchmarkTimers keeps n timers pending and repeatedly replaces the first one with a later one.
func BenchmarkTimers(b *testing.B) {
	for _, increments := range []string{"constant", "lognormal"} {
		for _, n := range []int{1_000, 30_000, 300_000} {
			b.Run(fmt.Sprintf("%s/%d", increments, n), func(b *testing.B) {
				var list Timers
				r := rand.New(rand.NewPCG(1, 0))
				length := func() sim.Instant { return 300_000 }
				if increments == "lognormal" {
					length = func() sim.Instant { return sim.Instant(300_000 * math.Exp(0.2*r.NormFloat64())) }
				}
				for i := range uint64(n) {
					list.Push(sim.Instant(i), uint32(i))
				}
				for b.Loop() {
					t := list.Pop()
					list.Push(t.At+length(), t.Payload)
				}
			})
		}
	}
}
