package outcome

import "strings"

// MatchName tells whether a name fits a pattern in which every star stands for any
// text, dots included: names of datacenters may have some.
func MatchName(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	last := len(parts) - 1
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	rest := name[len(parts[0]):]
	for _, part := range parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, parts[last])
}

// Meet tells whether some name fits both patterns. It takes as many steps as the product
// of their lengths.
func Meet(a, b string) bool {
	// next[j] is whether a[i+1:] and b[j:] meet, row[j] whether a[i:] and b[j:] do.
	var next []bool
	for i := len(a); i >= 0; i-- {
		row := make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			starA, starB := i < len(a) && a[i] == '*', j < len(b) && b[j] == '*'
			switch {
			case i == len(a) && j == len(b):
				row[j] = true
			case starA && (next[j] || j < len(b) && row[j+1]), starB && (row[j+1] || i < len(a) && next[j]):
				row[j] = true
			case !starA && !starB && i < len(a) && j < len(b):
				row[j] = a[i] == b[j] && next[j+1]
			}
		}
		next = row
	}
	return next[0]
}

// starred returns what the stars of a pattern stand for in a name, the first ones for as
// much as they can. A star stands for one character or more.
func starred(pattern, name string) (keys []string, is bool) {
	before, after, has := strings.Cut(pattern, "*")
	if !has {
		return nil, pattern == name
	}
	rest, is := strings.CutPrefix(name, before)
	if !is {
		return nil, false
	}
	for end := len(rest); end > 0; end-- {
		if others, is := starred(after, rest[end:]); is {
			return append([]string{rest[:end]}, others...), true
		}
	}
	return nil, false
}

// fill puts keys in place of the stars of a name, or of either name of a difference;
// keys that are left over belong to what is not named.
func fill(name string, keys []string) string {
	if first, second, isDifference := strings.Cut(name, " - "); isDifference {
		return fill(first, keys) + " - " + fill(second, keys)
	}
	var filled strings.Builder
	for i, part := range strings.Split(name, "*") {
		if i > 0 {
			filled.WriteString(keys[i-1])
		}
		filled.WriteString(part)
	}
	return filled.String()
}
