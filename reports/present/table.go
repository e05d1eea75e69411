// Package present describes results in tables and sentences. It formats tables as text for a
// terminal and as markdown; package page formats the same tables as HTML. Package
// present/decision does the same for decisions, such as comparisons.
package present

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mmsim/reports/words"
)

// A Section has the tables under one heading.
type Section struct {
	ID, Title string // ID is the target of links
	Tables    []Table
}

// A Table has rows of formatted cells. The first cell of a row is the row's name. In text and
// markdown, the first column and the columns in Left are aligned to the left, the others to the
// right.
type Table struct {
	Title, Note string
	Head        []string
	Left        []int
	Bars        []int // columns whose numbers a page also shows as bars
	Verdicts    []int // columns with verdicts, which a page colours
	Folded      bool  // whether a page hides the table until the reader opens it
	Rows        [][]string
}

// Text formats the table for a terminal, with columns as wide as their longest cell. If style is
// not nil, Text calls it to colour each cell below the heads. style must not change a cell's width.
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

// Markdown formats the table as a GitHub markdown table.
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

// InMarkdown escapes text, so that it is a single line without markup.
func InMarkdown(text string) string { return markdownEscapes.Replace(words.Printable(text)) }

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`,
)

// LeaveOut removes the columns with these heads. It ignores heads that the table does not have.
func (t *Table) LeaveOut(heads []string) {
	t.Head = slices.Clone(t.Head)
	for _, head := range heads {
		at := slices.Index(t.Head, head)
		if at < 0 {
			continue
		}
		t.Head = slices.Delete(t.Head, at, at+1)
		for i := range t.Rows {
			t.Rows[i] = slices.Delete(t.Rows[i], at, at+1)
		}
		for _, columns := range []*[]int{&t.Left, &t.Bars, &t.Verdicts} {
			*columns = without(*columns, at)
		}
	}
}

// LeaveOutIfAll removes each of the columns with these heads whose cells are all the same as cell.
func (t *Table) LeaveOutIfAll(cell string, heads ...string) {
	for _, head := range heads {
		at := slices.Index(t.Head, head)
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[at] != cell }) {
			t.LeaveOut([]string{head})
		}
	}
}

// without returns the numbers of columns as they are after column at was removed.
func without(columns []int, at int) (kept []int) {
	for _, column := range columns {
		switch {
		case column < at:
			kept = append(kept, column)
		case column > at:
			kept = append(kept, column-1)
		}
	}
	return kept
}
