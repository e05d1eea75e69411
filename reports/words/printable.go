package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns text, usually a name from a data file, as one line of visible characters.
// Letters of any script, emoji and spaces remain. Characters that are invisible, move the cursor,
// start a line or change the direction of writing are escaped as in JSON (\u001b, \n), and a byte
// that is not UTF-8 as \xff.
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

// Escape escapes every character of text in the same way as Printable.
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

// mustEscape reports whether a character is not visible: a control character, a direction mark, a
// joiner, a line separator, or an undefined character.
func mustEscape(r rune) bool { return !unicode.IsGraphic(r) }

// PrintableAll applies Printable to every cell.
func PrintableAll(cells []string) []string { return Each(cells, Printable) }
