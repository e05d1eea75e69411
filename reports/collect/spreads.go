package collect

import (
	"math"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/result"
)

// spreadBinsMax is the maximum number of bins of a distribution of spreads or team gaps.
const spreadBinsMax = 40

// spreadBins returns the distributions of spreads and team gaps of every attribute. It returns none
// for several queues, whose rules differ.
func (c *Collector) spreadBins() (bins []result.SpreadBin) {
	if len(c.queues) > 1 {
		return nil
	}
	for _, a := range c.attributes {
		t := &a.queues[0]
		bins = append(bins, spreadBinsOf(a.Name, result.OfSpread, &t.spread)...)
		if t.gapTotal > 0 {
			bins = append(bins, spreadBinsOf(a.Name, result.OfTeamGap, &t.gap)...)
		}
	}
	return bins
}

// spreadBinsOf returns adjacent bins from 0 to the highest number of a histogram with keys from
// SpreadKey. Their width is 1, 2 or 5 times a power of ten.
func spreadBinsOf(attribute, of string, h *histogram.Histogram) []result.SpreadBin {
	if h.Empty() {
		return nil
	}
	width := roundWidth(histogram.SpreadOf(h.Max()) / spreadBinsMax)
	index := func(key uint64) int { return int(math.Floor(histogram.SpreadOf(key)/width + 1e-9)) }
	bins := make([]result.SpreadBin, index(h.Max())+1)
	for i := range bins {
		bins[i] = result.SpreadBin{Attribute: attribute, Of: of, From: rounded(float64(i) * width), To: rounded(float64(i+1) * width)}
	}
	for key, n := range h.All() {
		bins[index(key)].Matches += int(n)
	}
	return bins
}

// roundWidth returns the lowest width above least that is 1, 2 or 5 times a power of ten.
func roundWidth(least float64) float64 {
	if !(least > 0) {
		return 1
	}
	power := math.Pow10(int(math.Floor(math.Log10(least))))
	for _, m := range [...]float64{1, 2, 5} {
		if m*power > least {
			return m * power
		}
	}
	return 10 * power
}

// rounded removes the error of a multiplication, such as 0.30000000000000004.
func rounded(x float64) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow10(12 - int(math.Floor(math.Log10(math.Abs(x)))))
	return math.Round(x*unit) / unit
}
