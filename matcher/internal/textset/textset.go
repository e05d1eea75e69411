// Package textset implements operations on sets of texts. A set is a sorted slice without
// duplicates, see matcher.Schema.Set.
package textset

import (
	"slices"

	"mmsim/matcher"
)

// Intersect appends the intersection of two sets to dst, which may be a[:0].
func Intersect(dst, a, b []matcher.Text) []matcher.Text {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			dst = append(dst, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return dst
}

// AppendCopy appends a copy of a set to a list of sets. If the list has spare capacity, AppendCopy
// reuses the memory of the set that was stored there.
func AppendCopy(list [][]matcher.Text, set []matcher.Text) [][]matcher.Text {
	n := len(list)
	list = slices.Grow(list, 1)[:n+1]
	list[n] = append(list[n][:0], set...)
	return list
}

// Shared returns the number of texts that are in both sets.
func Shared(a, b []matcher.Text) int {
	count := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			count++
			i++
			j++
		}
	}
	return count
}

// Meet reports whether two sets have a text in common.
func Meet(a, b []matcher.Text) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			return true
		}
	}
	return false
}

// Contains reports whether part is a subset of all.
func Contains(all, part []matcher.Text) bool { return Shared(part, all) == len(part) }
