// Package present describes a result: one model of sections and tables, and sentences. Text and
// Markdown format a table here; package page formats it as HTML. Package decision below it does
// the same for comparisons, gates, sweeps and tuning.
package present

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mmsim/reports/words"
)

// A Section is several tables under one heading.
type Section struct {
	ID, Title string // ID is the target of links
	Tables    []Table
}

// A Table is a table of formatted cells, whose first column names the row. Text formats it for a
// terminal, Markdown as markdown, and package page as HTML. In text and markdown the first
// column and the columns in Left are aligned to the left, the others to the right.
type Table struct {
	Title, Note string
	Head        []string
	Left        []int
	Bars        []int // columns whose numbers a page also shows as bars
	Verdicts    []int // columns with verdicts, which a page colours
	Folded      bool  // a page hides it until the reader opens it
	Rows        [][]string
}

// Text returns the table with columns as wide as their longest cell. style, which may be nil,
// colours a cell of the rows without changing its width.
func (g *Table) Text(style func(cell string) string) string {
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
	var b strings.Builder
	for r, row := range all {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if r > 0 && style != nil {
				cell = style(cell)
			}
			if g.isLeft(i) {
				cell += pad
			} else {
				cell = pad + cell
			}
			line.WriteString(cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// Markdown returns the table as a table of GitHub's markdown.
func (g *Table) Markdown() string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteByte('|')
		for _, cell := range cells {
			b.WriteString(" " + InMarkdown(cell) + " |")
		}
		b.WriteByte('\n')
	}
	line(g.Head)
	marks := make([]string, len(g.Head))
	for i := range marks {
		marks[i] = "---:"
		if g.isLeft(i) {
			marks[i] = "---"
		}
	}
	b.WriteString("| " + strings.Join(marks, " | ") + " |\n")
	for _, row := range g.Rows {
		line(row)
	}
	return b.String()
}

func (g *Table) isLeft(column int) bool { return column == 0 || slices.Contains(g.Left, column) }

// InMarkdown escapes a text, so that it is one line without markup.
func InMarkdown(text string) string { return markdownEscapes.Replace(words.Printable(text)) }

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`,
)

// LeaveOut removes columns by their heads; it ignores heads that the table does not have.
func (t *Table) LeaveOut(heads []string) {
	t.Head, t.Bars = slices.Clone(t.Head), slices.Clone(t.Bars)
	for _, head := range heads {
		at := slices.Index(t.Head, head)
		if at < 0 {
			continue
		}
		t.Head = slices.Delete(t.Head, at, at+1)
		for i := range t.Rows {
			t.Rows[i] = slices.Delete(t.Rows[i], at, at+1)
		}
		t.Bars = slices.DeleteFunc(t.Bars, func(bar int) bool { return bar == at })
		for i := range t.Bars {
			if t.Bars[i] > at {
				t.Bars[i]--
			}
		}
	}
}
