package collect

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/reports/collect/internal/histogram"
)

// The bin of any value is the number of edges below it.
func TestEdgesAgreeWithCounting(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		scale := math.Pow(10, float64(r.IntN(200)-100))
		draws := []func() float64{
			func() float64 { return scale * r.NormFloat64() },
			func() float64 { return scale * math.Exp(20*r.NormFloat64()) },
			func() float64 { return float64(r.IntN(9)) },
			func() float64 { return math.MaxFloat64 * (2*r.Float64() - 1) },
			func() float64 { return 1 + float64(r.IntN(300))*0x1p-52 },
		}
		draw := draws[r.IntN(len(draws))]
		sorted := make([]float64, r.IntN(2000))
		for i := range sorted {
			sorted[i] = draw()
		}
		slices.Sort(sorted)
		bins := cut(sorted)
		e := newEdges(bins)
		values := append(sorted, math.Inf(1), math.Inf(-1), 0)
		for range 500 {
			v := draw()
			values = append(values, v, math.Nextafter(v, math.Inf(1)))
		}
		for _, v := range values {
			want := 0
			for want < len(bins)-1 && bins[want].to < v {
				want++
			}
			if got := e.bin(v); int(got) != want {
				t.Fatalf("seed %d: value %v: got bin %d of %d, want %d", seed, v, got, len(bins), want)
			}
		}
	}
}

// Each bin has the same coarse histogram as if it were the only bin.
func TestBinCountsAgreeWithHistograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	counts := newBinCounts(maxBins, coarseWaits)
	want := make([]histogram.Histogram, maxBins)
	for range 50_000 {
		bin, v := r.IntN(maxBins), r.Uint64()>>(32+r.IntN(32))
		counts.add(uint8(bin), v)
		want[bin].Add(histogram.Coarse(v))
	}
	got := make([]histogram.Histogram, maxBins)
	counts.addTo(func(bin int) *histogram.Histogram { return &got[bin] })
	for bin := range want {
		if a, b := maps.Collect(got[bin].All()), maps.Collect(want[bin].All()); !maps.Equal(a, b) {
			t.Fatalf("bin %d: got counts by key %v, want %v", bin, a, b)
		}
	}
	counts.add(0, math.MaxUint64)
	if counts.counts[(coarseWaits-1)*maxBins] != 1 {
		t.Error("a value beyond the last key: want it counted under the last key")
	}
}
