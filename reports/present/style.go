package present

import "mmsim/reports/words"

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
func WarningLine(colour bool, warning string) string { return Line(colour, "Warning", warning) }

// Line returns a line of the summary for a terminal: a label and the text next to it.
func Line(colour bool, label, says string) string {
	t := &text{colour: colour}
	t.line(label, "%s", words.Printable(says))
	return t.String()
}
