package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns a text, usually somebody's name for something, as one line that looks
// like what it is. Letters of any script, emoji and spaces stay; what could move the
// cursor, begin a line, turn the direction of writing or stay unseen is written as JSON
// writes it, \u001b or \n, and a byte that is not UTF-8 as \xff.
func Printable(text string) string {
	if !strings.ContainsFunc(text, mustEscape) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if mustEscape(r) || r == utf8.RuneError && size == 1 {
			b.WriteString(Escape(text[:size]))
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// Escape writes every character of a text as Printable writes one that is not shown.
func Escape(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		text = text[size:]
	}
	return b.String()
}

// mustEscape tells whether a character is none that can be seen: a control, a mark of
// direction, a joiner, a separator of lines, or one that nobody has defined yet.
func mustEscape(r rune) bool { return !unicode.IsGraphic(r) }

// PrintableAll is Printable for cells.
func PrintableAll(cells []string) []string {
	list := make([]string, len(cells))
	for i, cell := range cells {
		list[i] = Printable(cell)
	}
	return list
}
