package collect

import (
	"math"

	"mmsim/reports/collect/internal/histogram"
)

// edges finds the bin of a value: its index is the number of edges below the value. The edges are
// the highest values of all bins except the last, followed by +Inf.
type edges struct {
	highest [maxBins + 1]float64
	// The range from the lowest to the highest edge is divided into equal slices. For each slice,
	// below holds the number of edges in earlier slices; they are below all values of the slice.
	below  [edgeSlices]uint8
	low    float64
	slices float64 // number of slices per unit of value; 0: all values are in one slice
}

// edgeSlices is the number of slices. There are so many that few values share a slice with an
// edge: the processor mispredicts the comparison of such a value with the edge.
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

// slice returns the slice of a value. Rounding keeps the order: a higher value is never in
// a lower slice.
func (e *edges) slice(v float64) int {
	switch at := (v - e.low) * e.slices; {
	case at >= edgeSlices-1:
		return edgeSlices - 1
	case at > 0:
		return int(at)
	}
	return 0 // also for NaN, from infinity times 0
}

// bin returns the bin of a value.
func (e *edges) bin(v float64) uint8 {
	i := e.below[e.slice(v)]
	for e.highest[i] < v {
		i++
	}
	return i
}

// binCounts is a coarse histogram for each bin. The counters of all bins for one key are adjacent.
// Few keys are frequent, so their counters stay in the cache whichever bin is counted next.
type binCounts struct {
	counts []uint32 // by coarse key and bin
	bins   int
	keys   int
}

// Numbers of coarse keys: for every RTT, and for waits below 2^32 ms, or 49 days.
var (
	coarseRTTs  = int(histogram.Coarse(1<<16-1)) + 1
	coarseWaits = int(histogram.Coarse(1<<32-1)) + 1
)

func newBinCounts(bins, keys int) binCounts { return binCounts{make([]uint32, bins*keys), bins, keys} }

// add counts a value; a value beyond the last key counts as the last key.
func (c *binCounts) add(bin uint8, v uint64) {
	c.counts[min(int(histogram.Coarse(v)), c.keys-1)*c.bins+int(bin)]++
}

// addTo adds the counts of every bin to a histogram of coarse values.
func (c *binCounts) addTo(of func(bin int) *histogram.Histogram) {
	for i, n := range c.counts {
		if n > 0 {
			of(i%c.bins).AddN(uint64(i/c.bins), n)
		}
	}
}
