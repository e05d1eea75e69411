// Package histogram counts numbers exactly, or with the precision that percentiles need, and
// computes statistics from the counts.
package histogram

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"mmsim/reports/outcome"
)

// nearLimit is the number of values that a histogram counts by direct index: every
// RTT, and waits up to 65.5 s.
const nearLimit = 1 << 16

// pageSize is the number of values in a page beyond nearLimit.
const pageSize = 1 << 10

// A Histogram counts whole numbers exactly: waits in ms, RTTs in 1/16 ms. Every
// statistic, the sum included, is computed from the counts, so that no second counter
// can disagree with them. Add costs about 1 ns below nearLimit and a binary search above;
// memory is 4 bytes for every value up to the highest one below nearLimit (rounded up to a
// power of two), and a page of 4 KiB for each used range above.
type Histogram struct {
	near []uint32
	far  []page // ascending
}

// page counts the values [number*pageSize, (number+1)*pageSize).
type page struct {
	number uint64
	counts *[pageSize]uint32
}

// Add counts v once.
func (h *Histogram) Add(v uint64) {
	if v < uint64(len(h.near)) {
		h.near[v]++
		return
	}
	h.AddN(v, 1)
}

// AddN counts v n times, growing as needed.
func (h *Histogram) AddN(v uint64, n uint32) {
	if v < nearLimit {
		size := max(1024, len(h.near))
		for uint64(size) <= v {
			size *= 2
		}
		if size > len(h.near) {
			near := make([]uint32, size)
			copy(near, h.near)
			h.near = near
		}
		h.near[v] += n
		return
	}
	number := v / pageSize
	i, found := slices.BinarySearchFunc(h.far, number, func(p page, number uint64) int {
		return cmp.Compare(p.number, number)
	})
	if !found {
		h.far = slices.Insert(h.far, i, page{number, new([pageSize]uint32)})
	}
	h.far[i].counts[v%pageSize] += n
}

// Merge adds the counts of other.
func (h *Histogram) Merge(other *Histogram) {
	for v, n := range other.All() {
		h.AddN(v, n)
	}
}

// Without returns the counts of the histogram minus those of a part of it.
func (h *Histogram) Without(part *Histogram) (rest Histogram) {
	var all Histogram
	all.Merge(h)
	for v, n := range part.All() {
		all.AddN(v, -n) // unsigned numbers wrap, so this subtracts n
	}
	rest.Merge(&all) // allocates for the remaining counts only
	return rest
}

// Empty reports whether nothing was counted.
func (h *Histogram) Empty() bool { return len(h.near) == 0 && len(h.far) == 0 }

// Reset clears every count and keeps the memory.
func (h *Histogram) Reset() {
	clear(h.near)
	h.far = h.far[:0]
}

// All yields the counted values in ascending order with their counts.
func (h *Histogram) All() iter.Seq2[uint64, uint32] {
	return func(yield func(uint64, uint32) bool) {
		for v, n := range h.near {
			if n > 0 && !yield(uint64(v), n) {
				return
			}
		}
		for _, p := range h.far {
			for i, n := range p.counts {
				if n > 0 && !yield(p.number*pageSize+uint64(i), n) {
					return
				}
			}
		}
	}
}

// Total returns the number of counted values and their sum.
func (h *Histogram) Total() (count, sum uint64) {
	for v, n := range h.All() {
		count += uint64(n)
		sum += v * uint64(n)
	}
	return count, sum
}

// Count returns the number of counted values.
func (h *Histogram) Count() uint64 {
	count, _ := h.Total()
	return count
}

// AtMost counts the values that are at most limit.
func (h *Histogram) AtMost(limit uint64) (count uint64) {
	for v, n := range h.All() {
		if v > limit {
			break
		}
		count += uint64(n)
	}
	return count
}

// Max returns the highest counted value, 0 if there is none.
func (h *Histogram) Max() (highest uint64) {
	for v := range h.All() {
		highest = v
	}
	return highest
}

// Mean returns the mean of the counted values, 0 if there are none.
func (h *Histogram) Mean() float64 {
	count, sum := h.Total()
	return outcome.Ratio(float64(sum), float64(count))
}

// SD returns the standard deviation of the counted values as a whole population, not as a
// sample. It is computed from the counts, because a sum of squares would not fit in 64
// bits for a long day.
func (h *Histogram) SD() float64 {
	count, _ := h.Total()
	mean, squares := h.Mean(), 0.0
	for v, n := range h.All() {
		d := float64(v) - mean
		squares += float64(float64(n) * float64(d*d)) // conversions prevent fused, machine-dependent rounding
	}
	return math.Sqrt(outcome.Ratio(squares, float64(count)))
}

// Percentiles returns the nearest-rank percentiles for ascending percents: the
// lowest counted value v such that at least percent % of all are at most v.
// They are 0 if nothing was counted.
func (h *Histogram) Percentiles(percents ...uint64) []uint64 {
	count, below := h.Count(), uint64(0)
	found := make([]uint64, 0, len(percents))
	for v, n := range h.All() {
		below += uint64(n)
		for len(found) < len(percents) && below >= NearestRank(percents[len(found)], count) {
			found = append(found, v)
		}
		if len(found) == len(percents) {
			break
		}
	}
	return found[:len(percents)]
}

// Ranked returns the value of a rank counted from 1, 0 beyond the last. It stops reading at that
// value.
func (h *Histogram) Ranked(rank uint64) uint64 {
	var below uint64
	for v, n := range h.All() {
		if below += uint64(n); below >= rank {
			return v
		}
	}
	return 0
}

// NearestRank is the rank, counted from 1, of a percentile among count values.
func NearestRank(percent, count uint64) uint64 {
	return max(1, (percent*count+99)/100)
}
