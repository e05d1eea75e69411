package present

import (
	"fmt"
	"regexp"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Styles of text on a terminal, as ANSI codes.
const (
	Bold  = "1"
	Alarm = "1;31" // bold red
	Green = "32"
)

// Styled returns s in the given style, or unchanged if colour is false.
func Styled(colour bool, style, s string) string {
	if !colour {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// WarningLine returns a warning as a line for a terminal.
func WarningLine(colour bool, warning string) string {
	return Line(colour, WarningLabel(warning), warning)
}

// WarningLabel returns the word before a warning.
func WarningLabel(warning string) string {
	if outcome.IsNote(warning) {
		return "Note"
	}
	return "Warning"
}

// Line returns a line for a terminal: a label and the text next to it. It makes the text printable.
func Line(colour bool, label, says string) string {
	t := &text{colour: colour}
	t.line(label, "%s", words.Printable(says))
	return t.String()
}

// text builds text for a terminal, which is coloured if colour is true.
type text struct {
	strings.Builder
	colour bool
}

const labelWidth = 20

func (t *text) styled(style, s string) string { return Styled(t.colour, style, s) }

// line writes a label and the text next to it.
func (t *text) line(label, format string, values ...any) {
	t.WriteString(t.styled(Bold, fmt.Sprintf("%-*s", labelWidth, label)))
	t.WriteString(t.oneLine(fmt.Sprintf(format, values...)))
	t.WriteByte('\n')
}

// oneLine is words.Printable for text that contains styles.
func (t *text) oneLine(s string) string {
	if !t.colour {
		return words.Printable(s)
	}
	var b strings.Builder
	for {
		at := styles.FindStringIndex(s)
		if at == nil {
			return b.String() + words.Printable(s)
		}
		b.WriteString(words.Printable(s[:at[0]]) + s[at[0]:at[1]])
		s = s[at[1]:]
	}
}

// styles matches the codes that Styled writes.
var styles = regexp.MustCompile(`\x1b\[(0|1|1;31|32)m`)

// mark colours one of the words good, fair and poor. It returns any other text unchanged.
func (t *text) mark(mark string) string {
	switch mark {
	case "good":
		return t.styled(Green, mark)
	case "poor":
		return t.styled(Alarm, mark)
	}
	return mark
}
