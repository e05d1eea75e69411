package latencymap

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// measurement is a sample in the terms of a tally.
type measurement struct {
	dc, cell int
	steps    uint16
	weight   uint32
}

// middleMean returns the interquartile mean according to its definition: it lists four quarters for
// every measurement, sorts them, and returns the mean of the middle half.
func middleMean(list []measurement, shift uint) float64 {
	var quarters []float64
	for _, m := range list {
		width := float64(uint(1) << shift)
		middle := math.Floor(float64(m.steps)/width)*width + (width-1)/2
		for range 4 * m.weight {
			quarters = append(quarters, middle/StepsPerMS)
		}
	}
	slices.Sort(quarters)
	n := len(quarters)
	return mean(quarters[n/4 : 3*n/4])
}

// TestTally uses a tally with so little room that it merges all the time and must increase its
// steps. It compares the tally with the definition, and with the same measurements in another
// order.
func TestTally(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) measurement {
			return measurement{
				dc: rapid.IntRange(0, 2).Draw(t, "dc"), cell: rapid.IntRange(0, 2).Draw(t, "cell") * (Cells - 1) / 2,
				steps:  uint16(rapid.IntRange(1, 300).Draw(t, "steps")),
				weight: uint32(rapid.IntRange(1, 3).Draw(t, "weight")),
			}
		}), 1, 60).Draw(t, "list")
		limit := rapid.IntRange(9, 40).Draw(t, "limit")
		fresh := rapid.IntRange(1, 20).Draw(t, "fresh")
		tallied := newTally(limit, fresh)
		shuffled := newTally(limit, 7)
		for _, m := range list {
			tallied.add(pairOf(m.dc, m.cell), m.steps, m.weight)
		}
		for _, m := range rapid.Permutation(list).Draw(t, "shuffled") {
			shuffled.add(pairOf(m.dc, m.cell), m.steps, m.weight)
		}
		shuffled.merge()
		groups := make(map[[2]int][]measurement)
		for _, m := range list {
			groups[[2]int{m.dc, m.cell}] = append(groups[[2]int{m.dc, m.cell}], m)
		}
		tallied.each(func(dc, cell int, entries []uint64) {
			group := groups[[2]int{dc, cell}]
			delete(groups, [2]int{dc, cell})
			ms, weight := tallied.midMean(entries)
			var total uint64
			for _, m := range group {
				total += uint64(m.weight)
			}
			if want := middleMean(group, tallied.shift); weight != total || math.Abs(ms-want) > 1e-9 {
				t.Errorf("datacenter %d, cell %d: got %v ms of weight %d, want %v of %d", dc, cell, ms, weight, want, total)
			}
		})
		if len(groups) > 0 {
			t.Errorf("%d pairs of datacenter and cell are missing in the tally", len(groups))
		}
		if tallied.shift != shuffled.shift || !slices.Equal(tallied.sorted, shuffled.sorted) {
			t.Errorf("two orders of adding give different tallies, with shifts %d and %d", tallied.shift, shuffled.shift)
		}
		if len(tallied.sorted) > limit {
			t.Errorf("got %d entries, want at most %d", len(tallied.sorted), limit)
		}
	})
}

// TestTallyFullWeight adds more measurements than the weight of one entry can count.
func TestTallyFullWeight(t *testing.T) {
	tallied := newTally(100, 2)
	for range 200 {
		tallied.add(pairOf(1, 2), 800, WeightMax)
		tallied.add(pairOf(1, 2), 1600, WeightMax)
	}
	tallied.each(func(dc, cell int, entries []uint64) {
		ms, weight := tallied.midMean(entries)
		if weight != 400*WeightMax || ms != 75 || len(entries) != 6 { // 200,000,000 / 67,108,863 is 2.98
			t.Errorf("got %v ms of weight %d in %d entries, want 75 of 400000000 in 6", ms, weight, len(entries))
		}
	})
}

// TestMidMean compares results with numbers calculated by hand.
func TestMidMean(t *testing.T) {
	for _, test := range []struct {
		name string
		ms   []float64
		want float64
	}{
		{"one", []float64{50}, 50},
		{"two", []float64{50, 60}, 55},
		{"three", []float64{10, 20, 90}, (0.25*10 + 20 + 0.25*90) / 1.5},
		{"four", []float64{1, 20, 30, 4000}, 25},
		{"a quarter of outliers", []float64{40, 40, 40, 40, 40, 40, 4000, 4000}, 40},
		{"equal", []float64{7.5, 7.5, 7.5, 7.5, 7.5}, 7.5},
	} {
		tallied := newTally(100, 10)
		for _, ms := range test.ms {
			tallied.add(0, Quantise(ms), 1)
		}
		tallied.each(func(_, _ int, entries []uint64) {
			if got, _ := tallied.midMean(entries); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("%s: got %v, want %v", test.name, got, test.want)
			}
		})
	}
}
