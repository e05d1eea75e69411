package reports

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

// A histogram counts whole numbers exactly: waits in ms, RTTs in 1/16 ms. Every
// statistic, the sum included, comes from the counts, so that no second counter
// can disagree with them. add costs about 1 ns near and a binary search beyond
// nearLimit; memory is 4 bytes for every value up to the highest near one (rounded
// up to a power of two), and a page of 4 KiB for each used range beyond.
type histogram struct {
	near []uint32
	far  []page // ascending
}

// page counts the values [number*pageSize, (number+1)*pageSize).
type page struct {
	number uint64
	counts *[pageSize]uint32
}

// add counts v once.
func (h *histogram) add(v uint64) {
	if v < uint64(len(h.near)) {
		h.near[v]++
		return
	}
	h.addSlow(v, 1)
}

// addSlow counts v n times, growing as needed.
func (h *histogram) addSlow(v uint64, n uint32) {
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

// merge adds the counts of other.
func (h *histogram) merge(other *histogram) {
	for v, n := range other.all() {
		h.addSlow(v, n)
	}
}

// without returns the counts beyond those of a part of the histogram.
func (h *histogram) without(part *histogram) (rest histogram) {
	var all histogram
	all.merge(h)
	for v, n := range part.all() {
		all.addSlow(v, -n) // unsigned numbers wrap: less n
	}
	rest.merge(&all) // room for what is left only
	return rest
}

// reset forgets every count and keeps the memory.
func (h *histogram) reset() {
	clear(h.near)
	h.far = h.far[:0]
}

// all yields the counted values in ascending order with their counts.
func (h *histogram) all() iter.Seq2[uint64, uint32] {
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

// total returns the number of counted values and their sum.
func (h *histogram) total() (count, sum uint64) {
	for v, n := range h.all() {
		count += uint64(n)
		sum += v * uint64(n)
	}
	return count, sum
}

// count returns the number of counted values.
func (h *histogram) count() uint64 {
	count, _ := h.total()
	return count
}

// atMost counts the values that are at most limit.
func (h *histogram) atMost(limit uint64) (count uint64) {
	for v, n := range h.all() {
		if v > limit {
			break
		}
		count += uint64(n)
	}
	return count
}

// max returns the highest counted value, 0 if there is none.
func (h *histogram) max() (highest uint64) {
	for v := range h.all() {
		highest = v
	}
	return highest
}

// mean returns the mean of the counted values, 0 if there are none.
func (h *histogram) mean() float64 {
	count, sum := h.total()
	return outcome.Ratio(float64(sum), float64(count))
}

// sd returns the standard deviation of the counted values: of all players there
// are, not of a sample. It runs over the counts rather than over a sum of squares,
// which would not fit in 64 bits for a long day.
func (h *histogram) sd() float64 {
	count, _ := h.total()
	mean, squares := h.mean(), 0.0
	for v, n := range h.all() {
		d := float64(v) - mean
		squares += float64(float64(n) * float64(d*d)) // conversions forbid fused, machine-dependent rounding
	}
	return math.Sqrt(outcome.Ratio(squares, float64(count)))
}

// percentiles returns the nearest-rank percentiles for ascending percents: the
// lowest counted value v such that at least percent % of all are at most v.
// They are 0 if nothing was counted.
func (h *histogram) percentiles(percents ...uint64) []uint64 {
	count, below := h.count(), uint64(0)
	found := make([]uint64, 0, len(percents))
	for v, n := range h.all() {
		below += uint64(n)
		for len(found) < len(percents) && below >= nearestRank(percents[len(found)], count) {
			found = append(found, v)
		}
		if len(found) == len(percents) {
			break
		}
	}
	return found[:len(percents)]
}

// ranked returns the value of a rank counted from 1, 0 beyond the last. Its cost
// ends with the value.
func (h *histogram) ranked(rank uint64) uint64 {
	var below uint64
	for v, n := range h.all() {
		if below += uint64(n); below >= rank {
			return v
		}
	}
	return 0
}

// nearestRank is the rank, counted from 1, of a percentile among count values.
func nearestRank(percent, count uint64) uint64 {
	return max(1, (percent*count+99)/100)
}
