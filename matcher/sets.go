package matcher

import "slices"

// IntersectSets appends the intersection of two sets, see Schema.Set, to dst, which may be a[:0].
func IntersectSets(dst, a, b []Text) []Text {
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

// AppendSet appends a copy of a set to a list of sets. If the list has spare capacity, AppendSet
// reuses the memory of the set that was stored there.
func AppendSet(list [][]Text, set []Text) [][]Text {
	n := len(list)
	list = slices.Grow(list, 1)[:n+1]
	list[n] = append(list[n][:0], set...)
	return list
}

// SharedTexts returns the number of texts that are in both sets.
func SharedTexts(a, b []Text) int {
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

// SetsMeet reports whether two sets have a text in common.
func SetsMeet(a, b []Text) bool {
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

// SetContains reports whether part is a subset of all.
func SetContains(all, part []Text) bool { return SharedTexts(part, all) == len(part) }
