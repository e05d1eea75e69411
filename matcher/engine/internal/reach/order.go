package reach

import (
	"cmp"
	"math/bits"
	"slices"

	"mmsim/matcher"
)

// order numbers the regions of a schema by name. The number of a region is its bit in a mask.
type order struct {
	schema *matcher.Schema
	byName []matcher.Region
	bits   []int // indexed by Region
}

// learn adds regions that are new in the schema.
func (o *order) learn() {
	n := o.schema.Regions()
	o.byName, o.bits = make([]matcher.Region, n), make([]int, n)
	for i := range o.byName {
		o.byName[i] = matcher.Region(i)
	}
	slices.SortFunc(o.byName, func(a, b matcher.Region) int {
		return cmp.Compare(o.schema.RegionName(a), o.schema.RegionName(b))
	})
	for bit, region := range o.byName {
		o.bits[region] = bit
	}
}

// Regions returns the number of regions learned so far.
func (o *order) Regions() int { return len(o.byName) }

// Region returns the region of a bit.
func (o *order) Region(bit int) matcher.Region { return o.byName[bit] }

// Only returns the mask of one region. It returns 0 for NoRegion.
func (o *order) Only(region matcher.Region) uint64 {
	if region < 0 || int(region) >= len(o.bits) {
		return 0
	}
	return 1 << o.bits[region]
}

// Append appends the regions of a mask, the best first: those with the lowest value in rtts, then
// those with the lowest value in ties, then by name. Both are indexed by bit, and ties may be nil.
func (o *order) Append(dst []matcher.Region, mask uint64, rtts, ties []float64) []matcher.Region {
	from := len(dst)
	for ; mask != 0; mask &= mask - 1 { // insertion sort, because there are few regions
		bit, at := bits.TrailingZeros64(mask), len(dst)
		dst = append(dst, o.byName[bit])
		for ; at > from; at-- {
			other := o.bits[dst[at-1]]
			if rtts[bit] > rtts[other] || rtts[bit] == rtts[other] && (ties == nil || ties[bit] >= ties[other]) {
				break
			}
			dst[at] = dst[at-1]
		}
		dst[at] = o.byName[bit]
	}
	return dst
}
