package present

import (
	"fmt"
	"strings"

	"mmsim/reports/words"
)

// Markdown returns what a reader needs first as markdown, such as a pull request comment.
func (p *Page) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n", InMarkdown(p.Title))
	if p.Partial != "" {
		fmt.Fprintf(&b, "\n**%s**\n", InMarkdown(p.Partial))
	}
	for _, item := range p.Items() {
		switch {
		case !item.Brief:
		case item.Sentence != nil:
			b.WriteByte('\n')
			if s := item.Sentence; s.Label != "" {
				fmt.Fprintf(&b, "**%s:** ", InMarkdown(s.Label))
			}
			b.WriteString(InMarkdown(item.Sentence.marked(nil)) + "\n")
		case item.Table != nil:
			t, more := item.Table.brief()
			if b.WriteByte('\n'); t.Title != "" {
				fmt.Fprintf(&b, "**%s**\n\n", InMarkdown(t.Title))
			}
			if b.WriteString(t.Markdown()); more != "" {
				b.WriteString("\n" + InMarkdown(more) + "\n")
			}
		}
	}
	for _, warning := range p.Warnings {
		fmt.Fprintf(&b, "\n> %s: %s\n", WarningLabel(warning), InMarkdown(warning))
	}
	return b.String()
}

// Markdown formats the table as a GitHub markdown table.
func (g *Table) Markdown() string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteByte('|')
		for _, cell := range cells {
			b.WriteString(" " + InMarkdown(strings.TrimSpace(cell)) + " |")
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

// InMarkdown escapes text, so that it is a single line without markup.
func InMarkdown(text string) string { return markdownEscapes.Replace(words.Printable(text)) }

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`,
)
