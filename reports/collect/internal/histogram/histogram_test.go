package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHistogramAgreesWithSorting(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for _, top := range []uint64{1, 3, 1000, nearLimit - 1, nearLimit, nearLimit + 1, 5 * nearLimit, 1 << 40} {
		for _, n := range []int{0, 1, 2, 10, 99, 100, 101, 2000} {
			var h, half Histogram
			var values, others []uint64
			for i := range n {
				v := draw.Uint64N(top + 1)
				values = append(values, v)
				if i%2 == 0 {
					h.Add(v)
					others = append(others, v)
				} else {
					half.Add(v)
				}
			}
			h.Merge(&half)
			slices.Sort(values)
			checkHistogram(t, &h, values)
			slices.Sort(others)
			rest := h.Without(&half)
			checkHistogram(t, &rest, others)
			h.Reset()
			checkHistogram(t, &h, nil)
		}
	}
}

func checkHistogram(t *testing.T, h *Histogram, sorted []uint64) {
	t.Helper()
	n := len(sorted)
	var sum uint64
	for _, v := range sorted {
		sum += v
	}
	if count, total := h.Total(); count != uint64(n) || total != sum {
		t.Fatalf("Total: got count %d and sum %d; want %d, %d", count, total, n, sum)
	}
	if n == 0 {
		if _, mean, sd := h.Moments(); !math.IsNaN(h.Mean()) || !math.IsNaN(mean) || !math.IsNaN(sd) || h.Max() != 0 || h.Percentiles(50)[0] != 0 || h.AtMost(1<<50) != 0 {
			t.Fatalf("got statistics of an empty histogram, want zeros, and NaN for the mean and the deviation")
		}
		return
	}
	if h.Max() != sorted[n-1] || h.AtMost(sorted[n/2]) < uint64(n/2+1) {
		t.Fatalf("got max %d and %d values at most the median; want %d and at least %d", h.Max(), h.AtMost(sorted[n/2]), sorted[n-1], n/2+1)
	}
	for _, percent := range []uint64{1, 50, 90, 95, 99, 100} {
		// nearest rank: the smallest rank with at least percent % of the values up to it
		rank := 1
		for 100*rank < int(percent)*n {
			rank++
		}
		if got := h.Percentiles(percent)[0]; got != sorted[rank-1] {
			t.Fatalf("p%d of %d values: got %d, want %d", percent, n, got, sorted[rank-1])
		}
	}
	squares, centre := 0.0, float64(sum)/float64(n)
	for _, v := range sorted {
		squares += (float64(v) - centre) * (float64(v) - centre)
	}
	want := math.Sqrt(squares / float64(n))
	if count, mean, sd := h.Moments(); count != uint64(n) || mean != centre || math.Abs(sd-want) > 1e-9*(1+want) {
		t.Fatalf("Moments: got %d, %v and %v; want %d, %v, %v", count, mean, sd, n, centre, want)
	}
}

func TestHistogramCountsBeyondUint32Sums(t *testing.T) {
	var h Histogram
	h.AddN(30_000, math.MaxUint32)
	h.AddN(40_000, math.MaxUint32)
	if _, mean, sd := h.Moments(); mean != 35_000 || sd != 5_000 {
		t.Errorf("got mean %v and SD %v; want 35000, 5000", mean, sd)
	}
}
