package outcome

import (
	"regexp"
	"strconv"
	"strings"
)

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
func (m *Metric) Matches(of string) bool {
	if _, is := starKeys(m.Name, of); is && !strings.Contains(of, "*") {
		return true
	}
	return MatchesPattern(of, m.Name) || MatchesPattern(of+".*", m.Name)
}
