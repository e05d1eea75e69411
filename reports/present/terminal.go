package present

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"mmsim/reports/words"
)

// Styles of text on a terminal, as ANSI codes.
const (
	Bold  = "1"
	Alarm = "1;31" // bold red
	Green = "32"
)

// Styled returns s in the given style, or unchanged if colour is false or style is "".
func Styled(colour bool, style, s string) string {
	if !colour || style == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// Text returns what a reader needs first as text for a terminal: the conclusion, the sentences and
// tables that fit, and the warnings. Alarms stand above the numbers, see [words.Alarms]. If colour is
// true, labels, marks and alarms are highlighted.
func (p *Page) Text(colour bool) string {
	t := &text{colour: colour}
	if p.Partial != "" {
		fmt.Fprintln(t, t.styled(Alarm, words.Printable(p.Partial)))
	}
	alarms, warnings := words.Alarms(p.Warnings)
	if t.warnings(alarms); len(alarms) > 0 {
		t.WriteByte('\n')
	}
	fmt.Fprintln(t, t.styled(Bold, words.Printable(p.Title)+"."))
	apart := true // whether the next item, if it is a sentence, stands apart; a table always does
	for i := range p.Sections {
		for _, item := range p.Sections[i].Items {
			if !item.Brief {
				continue
			}
			if apart || item.Table != nil {
				t.WriteByte('\n')
			}
			if apart = false; item.Table != nil {
				t.table(item.Table)
			} else {
				t.sentence(item.Sentence)
			}
		}
		apart = apart || t.endsWithTable
	}
	if t.endsWithTable && len(warnings) > 0 {
		t.WriteByte('\n')
	}
	t.warnings(warnings)
	return t.String()
}

// text builds text for a terminal, which is coloured if colour is true.
type text struct {
	strings.Builder
	colour        bool
	endsWithTable bool
}

const labelWidth = 20

func (t *text) styled(style, s string) string { return Styled(t.colour, style, s) }

func (t *text) warnings(list []string) {
	for _, warning := range list {
		t.line(WarningLabel(warning), warning)
	}
}

// line writes a label and the text next to it.
func (t *text) line(label, says string) {
	t.endsWithTable = false
	t.WriteString(t.styled(Bold, fmt.Sprintf("%-*s", labelWidth, words.Printable(label))) + t.oneLine(says) + "\n")
}

func (t *text) sentence(s *Sentence) {
	says := s.marked(func(mark string) string { return t.styled(ToneOf(mark).style, mark) })
	if s.Label == "" {
		t.endsWithTable = false
		t.WriteString(t.oneLine(says) + "\n")
		return
	}
	t.line(s.Label, says)
}

// marked returns the text with its mark, which style colours unless it is nil.
func (s *Sentence) marked(style func(string) string) string {
	mark := s.Mark
	if mark == "" {
		return s.Text
	}
	if style != nil {
		mark = style(mark)
	}
	return s.Text + ": " + mark
}

// table writes a table with columns as wide as their longest cell.
func (t *text) table(of *Table) {
	g, more := of.brief()
	t.endsWithTable = true
	if g.Title != "" {
		fmt.Fprintln(t, t.styled(Bold, words.Printable(g.Title)+":"))
	}
	widths := make([]int, len(g.Head))
	all := make([][]string, 0, 1+len(g.Rows))
	for _, row := range append([][]string{g.Head}, g.Rows...) {
		all = append(all, words.PrintableAll(row))
	}
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for r, row := range all {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch {
			case r > 0 && slices.Contains(g.Verdicts, i):
				cell = t.styled(ToneOf(cell).style, cell)
			case r > 0 && i == 0:
				cell = t.styled(Bold, cell)
			}
			if g.isLeft(i) {
				cell += pad
			} else {
				cell = pad + cell
			}
			line.WriteString(cell)
		}
		t.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	if more != "" {
		t.WriteString(words.Printable(more) + "\n")
	}
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

// WarningLabel returns the word before a warning.
func WarningLabel(warning string) string {
	if words.IsNote(warning) {
		return "Note"
	}
	return "Warning"
}

// Line returns a line for a terminal: a label and the text next to it. It makes the text printable.
func Line(colour bool, label, says string) string {
	t := &text{colour: colour}
	t.line(label, words.Printable(says))
	return t.String()
}
