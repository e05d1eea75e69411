package words

import (
	"slices"
	"strings"
)

// Query selects entries of a list, such as metrics, from what a user typed. A pattern selects
// the entries whose names match it. All other texts are words to search for: an entry is
// selected if its name and meaning together contain all of them, in any case.
type Query struct {
	patterns []string
	words    []string // in lower case
}

// NewQuery returns the query of some texts. A text with a star is a pattern, and so is a text that
// isName accepts.
func NewQuery(texts []string, isName func(string) bool) Query {
	var q Query
	for _, text := range texts {
		if strings.Contains(text, "*") || isName(text) {
			q.patterns = append(q.patterns, text)
		} else {
			q.words = append(q.words, strings.Fields(strings.ToLower(text))...)
		}
	}
	return q
}

// Selects reports whether the query selects an entry. matches reports whether one pattern matches
// the entry's name.
func (q Query) Selects(name, meaning string, matches func(pattern string) bool) bool {
	if slices.ContainsFunc(q.patterns, matches) {
		return true
	}
	text := strings.ToLower(name + "\n" + meaning)
	return len(q.words) > 0 && !slices.ContainsFunc(q.words, func(word string) bool { return !strings.Contains(text, word) })
}

// Vocabulary lists the words that an entry offers to a search: its name, the parts of its name, and
// the words of its meaning that have at least four letters.
func Vocabulary(name, meaning string) []string {
	list := append([]string{name}, strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("._*-", r) })...)
	for _, word := range strings.FieldsFunc(meaning, func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' || r > 'z' }) {
		if len(word) >= 4 {
			list = append(list, strings.ToLower(word))
		}
	}
	return list
}
