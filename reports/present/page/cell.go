package page

import (
	"cmp"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mmsim/reports/present"
	"mmsim/reports/words"
)

// foldTitle says what is behind a fold.
func foldTitle(items []present.Item) string {
	var names []string
	pictures := 0
	for _, item := range items {
		switch {
		case item.Plot != nil:
			pictures++
		case item.Table != nil && item.Table.Title != "":
			names = append(names, item.Table.Title)
		case item.Listing != nil:
			names = append(names, item.Listing.Title)
		}
	}
	if pictures > 0 {
		names = append([]string{words.Plural(pictures, "picture")}, names...)
	}
	return cmp.Or(words.First(foldedMax, names), "Table")
}

// foldedMax is the number of titles that foldTitle lists.
const foldedMax = 6

// headClass returns the CSS class of a column heading.
func headClass(t present.Table, column int) string {
	switch {
	case slices.Contains(t.Keys, column):
		return "left key"
	case column > 0 && slices.Contains(t.Left, column):
		return "left"
	}
	return ""
}

// rowKey returns the key in the second cell of a row, with places where it may break, or "". On a narrow
// screen and on paper it stands below the name in the first cell, because a column of its own would leave
// neither enough room.
func rowKey(t present.Table, row []string) string {
	if !slices.Contains(t.Keys, 1) {
		return ""
	}
	return keyBreaks.Replace(row[1])
}

// keyBreaks allows line breaks in a key that is an attribute.
var keyBreaks = strings.NewReplacer(".", ".\u200B", "_", "_\u200B")

// longCell is the maximum number of characters of a text in a column of the usual width.
const longCell = 48

// shortCell is the maximum number of characters in a name or a verdict that does not wrap, such as 30-1.
const shortCell = 12

// breakable allows line breaks after the dots and underscores of names, such as a metric's. It
// leaves numbers and other words that do not begin with a letter alone, and keeps flags such as --runs, and
// numbers with their units, whole.
func breakable(text string) template.HTML {
	words := strings.Split(template.HTMLEscapeString(text), " ")
	for i, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsLetter(first) && !strings.Contains(word, "&") {
			words[i] = nameBreaks.Replace(word)
		}
		if strings.HasPrefix(strings.TrimPrefix(word, "("), "--") {
			words[i] = `<span class="whole">` + word + `</span>`
		}
	}
	return template.HTML(unitSpaces.ReplaceAllString(strings.Join(words, " "), "$1\u00A0$2"))
}

// unitSpaces finds the space between a number and its unit.
var unitSpaces = regexp.MustCompile(`(\d) (%|ms\b|s\b|GB\b)`)

var nameBreaks = strings.NewReplacer(".", ".<wbr>", "_", "_<wbr>")

// cellClass returns the CSS classes of a cell.
func cellClass(t present.Table, column int, cell string) string {
	var classes []string
	if left := headClass(t, column); left != "" {
		classes = append(classes, left)
		if utf8.RuneCountInString(cell) > longCell {
			classes = append(classes, "long")
		}
	}
	if (column == 0 || slices.Contains(t.Verdicts, column)) && utf8.RuneCountInString(cell) <= shortCell {
		classes = append(classes, "whole")
	}
	if slices.Contains(t.Verdicts, column) {
		if class := present.ToneOf(cell).Class; class != "even" {
			classes = append(classes, class)
		}
	}
	return strings.Join(classes, " ")
}
