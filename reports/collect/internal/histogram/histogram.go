// Package histogram counts numbers and computes statistics from the counts. A Histogram counts
// exact numbers. Coarse, SpreadKey and Decimals round the numbers first, but not more than
// percentiles allow.
package histogram

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// nearLimit is the number of lowest values that a histogram counts in an array. They include
// every RTT, and waits up to 65.5 s.
const nearLimit = 1 << 16

// pageSize is the number of values in a page. Pages count the values from nearLimit on.
const pageSize = 1 << 10

// A Histogram counts whole numbers exactly: waits in ms, RTTs in 1/16 ms. Every statistic, even
// the sum, is computed from the counts, so that no second counter can contradict them. Add takes
// about 1 ns for a value below nearLimit and a binary search for a higher one. Memory is 4 bytes
// for every value up to the highest one below nearLimit (rounded up to a power of two), plus a
// page of 4 KiB for each used range above nearLimit.
type Histogram struct {
	near []uint32
	far  []page // in ascending order
}

// page counts the values from number*pageSize to (number+1)*pageSize-1.
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

// AddN counts v n times.
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

func (h *Histogram) Merge(other *Histogram) {
	for v, n := range other.All() {
		h.AddN(v, n)
	}
}

// Without returns a histogram with the counts of h minus those of part. No count may be higher in
// part than in h.
func (h *Histogram) Without(part *Histogram) (rest Histogram) {
	var all Histogram
	all.Merge(h)
	for v, n := range part.All() {
		all.AddN(v, -n) // unsigned numbers wrap around, so this subtracts n
	}
	rest.Merge(&all) // copies only the remaining counts
	return rest
}

// Empty reports whether nothing was counted.
func (h *Histogram) Empty() bool { return len(h.near) == 0 && len(h.far) == 0 }

// Reset clears every count and keeps the memory for reuse.
func (h *Histogram) Reset() {
	clear(h.near)
	h.far = h.far[:0]
}

// All yields the counted values in ascending order, with their counts.
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

// Total returns how many values were counted, and their sum.
func (h *Histogram) Total() (count, sum uint64) {
	for v, n := range h.All() {
		count += uint64(n)
		sum += v * uint64(n)
	}
	return count, sum
}

// Count returns how many values were counted.
func (h *Histogram) Count() uint64 {
	count, _ := h.Total()
	return count
}

// AtMost returns how many of the counted values are at most limit.
func (h *Histogram) AtMost(limit uint64) (count uint64) {
	for v, n := range h.All() {
		if v > limit {
			break
		}
		count += uint64(n)
	}
	return count
}

// Max returns the highest counted value, or 0 if there is none.
func (h *Histogram) Max() (highest uint64) {
	for v := range h.All() {
		highest = v
	}
	return highest
}

// Mean returns the mean of the counted values, or NaN if there are none.
func (h *Histogram) Mean() float64 {
	count, sum := h.Total()
	return float64(sum) / float64(count)
}

// Moments returns how many values were counted, and their mean and population standard deviation, which
// are NaN if there are none. It makes a second pass over the counts, because a sum of squares would not
// fit in 64 bits for a long day.
func (h *Histogram) Moments() (count uint64, mean, sd float64) {
	count, sum := h.Total()
	mean = float64(sum) / float64(count)
	squares := 0.0
	for v, n := range h.All() {
		d := float64(v) - mean
		squares += float64(float64(n) * float64(d*d)) // the conversions prevent fused multiply-add, which rounds differently on some machines
	}
	return count, mean, math.Sqrt(squares / float64(count))
}

// Percentiles returns the nearest-rank percentiles for percents, which must be ascending. A
// percentile is the lowest counted value v such that at least that percentage of all values is at
// most v. All are 0 if nothing was counted.
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

// Ranked returns the value with this rank, counted from 1 in ascending order, or 0 if there are
// fewer values. It reads only the counts up to that value.
func (h *Histogram) Ranked(rank uint64) uint64 {
	var below uint64
	for v, n := range h.All() {
		if below += uint64(n); below >= rank {
			return v
		}
	}
	return 0
}

// NearestRank returns the rank, counted from 1, of a percentile among count values.
func NearestRank(percent, count uint64) uint64 {
	return max(1, (percent*count+99)/100)
}
