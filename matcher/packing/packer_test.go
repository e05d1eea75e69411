package packing

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// firstSubset is a deliberately simple packer: it tries all subsets in lexicographic order.
func firstSubset(size int, sizes []uint8, taken []bool, leads int, mayMeet func(a, b int) bool) []int32 {
	var try func(from, room int, group []int32) []int32
	try = func(from, room int, group []int32) []int32 {
		if room == 0 {
			return group
		}
		for i := from; i < len(sizes) && (len(group) > 0 || i < leads); i++ {
			meets := !slices.ContainsFunc(group, func(j int32) bool { return mayMeet != nil && !mayMeet(i, int(j)) })
			if taken[i] || int(sizes[i]) > room || !meets {
				continue
			}
			if found := try(i+1, room-int(sizes[i]), append(slices.Clone(group), int32(i))); found != nil {
				return found
			}
		}
		return nil
	}
	return try(0, size, nil)
}

func checkAgainstTwin(t *testing.T, size int, sizes []uint8, leads int, mayMeet func(a, b int) bool) {
	t.Helper()
	var p Packer
	p.Reset(size, sizes, mayMeet)
	taken := make([]bool, len(sizes))
	for {
		want := firstSubset(size, sizes, taken, leads, mayMeet)
		got := p.Next(leads)
		if !slices.Equal(got, want) {
			t.Fatalf("match of %d out of parties %v, led by one of the first %d: got %v, want %v", size, sizes, leads, got, want)
		}
		if want == nil {
			return
		}
		for _, i := range want {
			taken[i] = true
		}
	}
}

// TestPackerOnAllSmallLists packs every list of up to seven tickets of up to four players into
// matches of two to five players.
func TestPackerOnAllSmallLists(t *testing.T) {
	var sizes []uint8
	var extend func()
	extend = func() {
		for size := 2; size <= 5; size++ {
			checkAgainstTwin(t, size, sizes, len(sizes), nil)
		}
		if len(sizes) == 7 {
			return
		}
		for n := uint8(1); n <= 4; n++ {
			sizes = append(sizes, n)
			extend()
			sizes = sizes[:len(sizes)-1]
		}
	}
	extend()
}

// TestPackerWithIncompatibleTickets packs random lists in which some tickets may not meet and some may
// not lead.
func TestPackerWithIncompatibleTickets(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		sizes := make([]uint8, r.IntN(12))
		for i := range sizes {
			sizes[i] = uint8(1 + r.IntN(3))
		}
		apart := make(map[[2]int]bool)
		for range r.IntN(30) {
			a, b := r.IntN(12), r.IntN(12)
			apart[[2]int{a, b}], apart[[2]int{b, a}] = true, true
		}
		checkAgainstTwin(t, 2+r.IntN(6), sizes, r.IntN(len(sizes)+1), func(a, b int) bool { return !apart[[2]int{a, b}] })
	}
}

// A search for a group that does not exist costs no more than the budget.
func TestBudget(t *testing.T) {
	calls := 0
	sizes := slices.Repeat([]uint8{1}, 64)
	var p Packer
	// There are eight groups of eight tickets. Two tickets of the same group may not meet, so a
	// match of nine is impossible.
	p.Reset(9, sizes, func(a, b int) bool { calls++; return a/8 != b/8 })
	if group := p.Next(1); group != nil {
		t.Fatalf("got group %v of incompatible tickets, want none", group)
	}
	if limit := Budget * 9; calls > limit {
		t.Errorf("got %d calls of mayMeet for one leader, want at most %d", calls, limit)
	}
}

func ExamplePacker() {
	var p Packer
	p.Reset(4, []uint8{3, 2, 1, 2, 1, 1}, nil)
	for group := p.Next(6); group != nil; group = p.Next(6) {
		fmt.Println(group)
	}
	// Output:
	// [0 2]
	// [1 3]
}

func BenchmarkPacker(b *testing.B) {
	for _, c := range []struct {
		name  string
		sizes int
	}{{"solos", 1}, {"parties of up to 3", 3}} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 4))
			list := make([]uint8, 1000)
			for i := range list {
				list[i] = uint8(1 + r.IntN(c.sizes))
			}
			var p Packer
			b.ReportAllocs()
			groups := 0
			for b.Loop() {
				p.Reset(4, list, nil)
				for groups = 0; p.Next(len(list)) != nil; groups++ {
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/ticket")
			b.ReportMetric(float64(groups), "groups")
		})
	}
}
