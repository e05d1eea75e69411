package expression

import "math"

// This file observes values for messages. A search does not need it.

// FirstWrong returns the first two values of which wrong is true. Each value of all is compared with
// those in the slice with, or with the values before it if that slice is empty.
func FirstWrong[T any](all, with []T, wrong func(a, b T) bool) (a, b T, found bool) {
	for i := range all {
		others := with
		if len(with) == 0 {
			others = all[:i]
		}
		for _, other := range others {
			if wrong(all[i], other) {
				return all[i], other, true
			}
		}
	}
	return a, b, false
}

// Range returns the range of the group's numbers in a column.
func (g *Group) Range(column int) Span {
	s := None()
	for _, side := range g.Sides {
		for _, entry := range side {
			s.Add(g.Columns.Cell(column, entry).Number)
		}
	}
	return s
}

// CommonRegion takes the highest round-trip time of the group to each region, and returns the lowest
// of these in ms. spreadMS is the lowest difference between round-trip times to a region that is
// within mostMS for the whole group. Both are +Inf if there is no such region.
func (g *Group) CommonRegion(column, regions int, mostMS float64) (bestMS, spreadMS float64) {
	bestMS, spreadMS = math.Inf(1), math.Inf(1)
	for region := range regions {
		s := None()
		for _, side := range g.Sides {
			for _, entry := range side {
				ms := math.Inf(1)
				if rtts := g.Columns.RTTOf(column, entry); region < len(rtts) && !math.IsNaN(rtts[region]) {
					ms = rtts[region]
				}
				s.Add(ms)
			}
		}
		if bestMS = min(bestMS, s.High); s.High <= mostMS {
			spreadMS = min(spreadMS, s.High-s.Low)
		}
	}
	return bestMS, spreadMS
}
