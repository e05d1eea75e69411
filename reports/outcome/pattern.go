package outcome

import "strings"

// MatchesPattern reports whether name matches pattern. A star matches any text, including dots,
// because names of datacenters may contain them.
func MatchesPattern(pattern, name string) bool {
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

// PatternsMeet reports whether any name could match both patterns. Its cost is the product of their
// lengths.
func PatternsMeet(a, b string) bool {
	// next[j] is PatternsMeet(a[i+1:], b[j:]), and row[j] is PatternsMeet(a[i:], b[j:]).
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

// starKeys reports whether name matches pattern, and returns the text that each star matches. Each
// star matches at least one character; earlier stars match as much as possible.
func starKeys(pattern, name string) (keys []string, is bool) {
	before, after, has := strings.Cut(pattern, "*")
	if !has {
		return nil, pattern == name
	}
	rest, is := strings.CutPrefix(name, before)
	if !is {
		return nil, false
	}
	for end := len(rest); end > 0; end-- {
		if others, is := starKeys(after, rest[end:]); is {
			return append([]string{rest[:end]}, others...), true
		}
	}
	return nil, false
}

// fillStars replaces the stars in name by keys. If name is a difference "a - b", it does so in both a
// and b. Surplus keys are ignored.
func fillStars(name string, keys []string) string {
	if first, second, isDifference := strings.Cut(name, " - "); isDifference {
		return fillStars(first, keys) + " - " + fillStars(second, keys)
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
