package input

import (
	"strconv"
)

// Counted writes a number of things: 1 join, 2 joins.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// Shortened cuts a text for a message and appends rest to show that it was cut.
func Shortened(text string, longest int) (cut, rest string) {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]), "…"
	}
	return text, ""
}
