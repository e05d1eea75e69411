package outcome

import (
	"regexp"
	"strconv"
	"strings"
)

// MatchName reports whether name matches pattern. A star matches any text, including dots,
// because names of datacenters may contain them.
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

// Meet reports whether any name could match both patterns. Its cost is the product of their
// lengths.
func Meet(a, b string) bool {
	// next[j] is Meet(a[i+1:], b[j:]), and row[j] is Meet(a[i:], b[j:]).
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

// starred reports whether name matches pattern, and returns the text that each star matches. Each
// star matches at least one character; earlier stars match as much as possible.
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

// fill replaces the stars in name by keys. If name is a difference "a - b", it does so in both a
// and b. Surplus keys are ignored.
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

// placeholder stands for the key of a list in the words of a metric. In a struct tag it is <key>, <next>
// for the key in the list within that list, or <continent>. In a Metric it has the number of the star
// in the metric's name: <0> or <0:continent>.
var placeholder = regexp.MustCompile(`<(key|next|continent|\d+|\d+:continent)>`)

// numberKeys gives the placeholders of a struct tag their numbers. own is the number of <key>.
func numberKeys(words string, own int) string {
	key, next := strconv.Itoa(own), strconv.Itoa(own+1)
	return strings.NewReplacer("<key>", "<"+key+">", "<next>", "<"+next+">", "<continent>", "<"+key+":continent>").Replace(words)
}

// withFamily puts the pattern of a family's keys in place of the number of its star.
func withFamily(words string, own int, keys string) string {
	mark := "<" + strconv.Itoa(own) + ">"
	return strings.ReplaceAll(words, mark, strings.Replace(keys, "*", mark, 1))
}

// inWords replaces the placeholders in words by keys.
func inWords(words string, keys []string) string {
	return placeholder.ReplaceAllStringFunc(words, func(mark string) string {
		number, as, _ := strings.Cut(strings.Trim(mark, "<>"), ":")
		at, err := strconv.Atoi(number)
		switch {
		case err != nil || at >= len(keys): // TestEveryMetricHasWords
			return mark
		case as == "continent":
			return Continent(keys[at])
		}
		return keys[at]
	})
}

// Continent returns the English name of the continent with this code, or the code if it is
// unknown.
func Continent(code string) string {
	if name, is := continents[code]; is {
		return name
	}
	return code
}

var continents = map[string]string{
	"AF": "Africa", "AN": "Antarctica", "AS": "Asia", "EU": "Europe", "NA": "North America", "OC": "Oceania", "SA": "South America",
}

// Matches reports whether a pattern matches the metric. A star in the pattern matches any text. If
// the pattern is the name of one group's metric, a star in the metric's own name matches the
// group's key.
func (m *Metric) Matches(pattern string) bool {
	if _, is := starred(m.Name, pattern); is && !strings.Contains(pattern, "*") {
		return true
	}
	return MatchName(pattern, m.Name) || MatchName(pattern+".*", m.Name)
}
