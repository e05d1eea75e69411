package packing

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// anySum reports whether some of the parties together have the given total of players. It tries all
// subsets.
func anySum(parties []int, total int) bool {
	if total == 0 {
		return true
	}
	if total < 0 || len(parties) == 0 {
		return false
	}
	return anySum(parties[1:], total-parties[0]) || anySum(parties[1:], total)
}

// anySumWith reports whether some parties together have the given total of players. At least one of
// them must be in own, and the others may be in own or in others.
func anySumWith(own, others []int, total int) bool {
	for i, n := range own {
		if n <= total && anySum(append(append([]int{}, own[i+1:]...), others...), total-n) {
			return true
		}
	}
	return false
}

func TestPartySizesAgainstAllSubsets(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 9))
		total := 1 + r.IntN([]int{4, 12, 64, MaxMatchSize}[r.IntN(4)])
		smallest := 1 + r.IntN(4)
		draw := func() (parties []int, sizes PartySizes) {
			for range r.IntN(8) {
				n := min(MaxMatchSize, smallest+r.IntN(max(1, total/2)))
				parties = append(parties, n)
				sizes[n]++
			}
			return parties, sizes
		}
		parties, sizes := draw()
		others, otherSizes := draw()
		one, both := anySum(parties, total), anySumWith(parties, others, total)
		if got := sizes.CanFill(total); got != one {
			t.Fatalf("seed %d: CanFill(%d) of %v: got %v, want %v", seed, total, parties, got, one)
		}
		if got := sizes.CanFillWith(&otherSizes, total); got != both {
			t.Fatalf("seed %d: CanFillWith(%d) of %v and %v: got %v, want %v", seed, total, parties, others, got, both)
		}
		outcomes[fmt.Sprint(one, both)]++
	}
	for _, outcome := range []string{"true true", "false true", "false false"} {
		if outcomes[outcome] < 1000 {
			t.Errorf("outcome %s occurred %d times, want at least 1000", outcome, outcomes[outcome])
		}
	}
}

// The largest match uses all bits of the sums, and larger counts of parties do not overflow.
func TestPartySizesOfTheLargestMatch(t *testing.T) {
	for _, c := range []struct {
		size, count int
		want        bool
	}{{200, 1, true}, {100, 2, true}, {100, 1, false}, {1, 200, true}, {1, 199, false}, {3, 1_000_000, false}, {199, 2, false}, {40, 5, true}, {64, 9, false}} {
		var sizes PartySizes
		sizes[c.size] = int32(c.count)
		if got := sizes.CanFill(MaxMatchSize); got != c.want {
			t.Errorf("CanFill(200) of %d parties of %d: got %v, want %v", c.count, c.size, got, c.want)
		}
	}
}

// If the sizes of a list cannot add up to a match, mayMeet is never called, however long the list
// is.
func TestPackerSkipsImpossibleSizes(t *testing.T) {
	calls := 0
	sizes := make([]uint8, 10_000)
	for i := range sizes {
		sizes[i] = 2
	}
	var p Packer
	p.Reset(5, sizes, func(a, b int) bool { calls++; return true })
	if group := p.Next(len(sizes)); group != nil || calls > 0 || p.GaveUp() {
		t.Errorf("got group %v, %d calls of mayMeet and GaveUp %v, want none, 0 and false", group, calls, p.GaveUp())
	}
}

// GaveUp returns true if a leader exceeded the budget, because another order of tickets may
// succeed.
func TestPackerGaveUp(t *testing.T) {
	for _, c := range []struct {
		blocks int // number of blocks of eight tickets that may not meet each other
		want   bool
	}{{2, false}, {8, true}} {
		sizes := make([]uint8, 8*c.blocks)
		for i := range sizes {
			sizes[i] = 1
		}
		var p Packer
		p.Reset(c.blocks+1, sizes, func(a, b int) bool { return a/8 != b/8 })
		if group := p.Next(len(sizes)); group != nil || p.GaveUp() != c.want {
			t.Errorf("%d blocks: got group %v and GaveUp %v, want none and %v", c.blocks, group, p.GaveUp(), c.want)
		}
	}
}
