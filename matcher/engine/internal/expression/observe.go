package expression

import "mmsim/matcher/internal/ranges"

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
	s := ranges.None()
	for _, side := range g.Sides {
		for _, entry := range side {
			s.Add(g.Columns.Cell(column, entry).Number)
		}
	}
	return s
}
