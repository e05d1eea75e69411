package reports

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mmsim/reports/words"
)

// A textTable is a small table of words, for a terminal or a page of markdown. The first
// column and those named left begin at the left, the others end at the right.
type textTable struct {
	head []string
	left []int
	rows [][]string
}

// text writes the table with columns wide enough for their longest cell. style, where
// there is one, colours a cell after its width is known; it is not asked for the head.
func (g *textTable) text(style func(cell string) string) string {
	widths := make([]int, len(g.head))
	all := make([][]string, 0, 1+len(g.rows))
	for _, row := range append([][]string{g.head}, g.rows...) {
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

// markdown writes the table as a table of GitHub's markdown.
func (g *textTable) markdown() string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteByte('|')
		for _, cell := range cells {
			b.WriteString(" " + inMarkdown(cell) + " |")
		}
		b.WriteByte('\n')
	}
	line(g.head)
	marks := make([]string, len(g.head))
	for i := range marks {
		marks[i] = "---:"
		if g.isLeft(i) {
			marks[i] = "---"
		}
	}
	b.WriteString("| " + strings.Join(marks, " | ") + " |\n")
	for _, row := range g.rows {
		line(row)
	}
	return b.String()
}

func (g *textTable) isLeft(column int) bool { return column == 0 || slices.Contains(g.left, column) }

// inMarkdown keeps a text from being taken for markup, on one line.
func inMarkdown(text string) string { return markdownEscapes.Replace(words.Printable(text)) }

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`,
)
