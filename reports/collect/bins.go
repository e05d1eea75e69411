package collect

import (
	"math"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
)

// edges finds the bin of a value. The edges are the highest values of all bins except the last.
// The index of a value's bin is the number of edges below the value.
type edges struct {
	highest [maxBins + 1]float64
	// The search for a bin starts at a good guess. The range from the lowest to the highest edge
	// is divided into equal slices; below has, for each slice, the number of edges in earlier
	// slices. Those edges are below every value of the slice.
	below  [edgeSlices]uint8
	low    float64
	slices float64 // slices per unit of value; 0 if all values are in one slice
}

// edgeSlices is the number of slices. With so many slices, few values are in a slice that contains
// an edge. A value in such a slice has to be compared with the edge, and the processor often
// mispredicts that comparison.
const edgeSlices = 1 << 12

func newEdges(bins []binTally) (e edges) {
	inner := max(0, len(bins)-1)
	for i := range e.highest {
		e.highest[i] = math.Inf(1)
		if i < inner {
			e.highest[i] = bins[i].to
		}
	}
	if inner > 1 {
		e.low = e.highest[0]
		if slices := edgeSlices / (e.highest[inner-1] - e.low); !math.IsInf(slices, 1) {
			e.slices = slices
		}
	}
	n := 0
	for slice := range e.below {
		for n < inner && e.slice(e.highest[n]) < slice {
			n++
		}
		e.below[slice] = uint8(n)
	}
	return e
}

// slice returns the slice of a value. A higher value is never in a lower slice, despite rounding.
func (e *edges) slice(v float64) int {
	switch at := (v - e.low) * e.slices; {
	case at >= edgeSlices-1:
		return edgeSlices - 1
	case at > 0:
		return int(at)
	}
	return 0 // NaN, the product of infinity and 0, is in slice 0 too
}

func (e *edges) bin(v float64) uint8 {
	i := e.below[e.slice(v)]
	for e.highest[i] < v {
		i++
	}
	return i
}

// binCounts has a coarse histogram for each bin; see histogram.Coarse. The counters of all bins
// for one key are adjacent in memory. Since few keys are frequent, their counters stay in the
// cache, whichever bin is counted next.
type binCounts struct {
	counts []uint32 // index: coarse key * bins + bin
	bins   int
	keys   int
}

// Numbers of coarse keys that cover every RTT, and every wait below 2^32 ms (49 days).
var (
	coarseRTTs  = int(histogram.Coarse(1<<16-1)) + 1
	coarseWaits = int(histogram.Coarse(1<<32-1)) + 1
)

func newBinCounts(bins, keys int) binCounts { return binCounts{make([]uint32, bins*keys), bins, keys} }

// add counts a value. A value beyond the last key counts under the last key.
func (c *binCounts) add(bin uint8, v uint64) {
	c.counts[min(int(histogram.Coarse(v)), c.keys-1)*c.bins+int(bin)]++
}

// addTo adds the counts of each bin to the histogram that of(bin) returns. The histogram counts
// coarse keys.
func (c *binCounts) addTo(of func(bin int) *histogram.Histogram) {
	for i, n := range c.counts {
		if n > 0 {
			of(i%c.bins).AddN(uint64(i/c.bins), n)
		}
	}
}

// deciles merges the bins into tenths of the matched players. A whole bin goes to the tenth of
// its middle player.
func (a *attributeTally) deciles() outcome.AttributeDeciles {
	matched := 0
	for i := range a.bins {
		matched += a.bins[i].matched
	}
	var tenths [10]decileTally
	in := make([]*decileTally, len(a.bins)) // the decile of each bin; nil for a bin without players
	before := 0
	for i := range a.bins {
		b := &a.bins[i]
		if !b.used() {
			continue
		}
		middle := 2*before + max(0, b.matched-1) // twice the rank of the bin's middle player; ranks count from 0
		before += b.matched
		tenth := &tenths[min(9, 10*middle/max(1, 2*matched))]
		if !tenth.used() {
			tenth.from = b.from
		}
		tenth.to = b.to
		tenth.merge(b)
		in[i] = tenth
	}
	a.waits.addTo(func(bin int) *histogram.Histogram { return &in[bin].wait })
	a.rtts.addTo(func(bin int) *histogram.Histogram { return &in[bin].rtt })
	d := outcome.AttributeDeciles{Name: a.Name, Deciles: []outcome.Decile{}}
	for i := range tenths {
		if t := &tenths[i]; t.used() {
			d.Deciles = append(d.Deciles, t.decile())
		}
	}
	return d
}

// decileTally is the sum of the bins of one decile.
type decileTally struct {
	binTally
	wait, rtt histogram.Histogram // keys from histogram.Coarse
}

// used reports whether any player was counted.
func (b *binTally) used() bool {
	return b.entries+b.matched > 0 || b.unmatched != unmatched{}
}

func (b *binTally) merge(other *binTally) {
	b.sums.merge(&other.sums)
	b.unmatched.merge(&other.unmatched)
	b.spreads.merge(&other.spreads)
	b.matches += other.matches
	b.entries += other.entries
}

// decile returns the statistics of the decile. Means are exact; percentiles are within 0.4 %.
func (b *decileTally) decile() outcome.Decile {
	served := served(b.matched, b.matches, b.waitMean(), b.rttMean(), &b.wait, &b.rtt, histogram.Fine)
	return outcome.Decile{
		From:       outcome.RoundValue(b.from),
		To:         outcome.RoundValue(b.to),
		SpreadMean: outcome.RoundValue(b.spreads.mean()),
		Group:      b.unmatched.group("", served, b.entries),
	}
}
