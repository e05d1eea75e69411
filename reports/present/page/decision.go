package page

import (
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mmsim/reports/judge"
	"mmsim/reports/present"
)

// decisionDocument is the data for the template of a page about a decision.
type decisionDocument struct {
	*present.Page
	Title    string
	Policy   string // the Content-Security-Policy
	Style    template.CSS
	Scripts  []template.JS
	Sections []decisionSection
}

// decisionSection is a section with its pictures as SVG.
type decisionSection struct {
	*present.PageSection
	Plots []pagePlot
}

// decisionScript makes the tables of a page sortable and its pictures readable.
var decisionScript = enclosed(wordsScript, tablesScript, figuresScript, "document.documentElement.classList.add('scripted');\nstartTables();\nstartFigures();\n")

// WriteDecision writes report.html for a decision. Like the page of a single run it is
// self-contained. If the browser runs no scripts, readers cannot sort the tables or point at the
// pictures.
func WriteDecision(w io.Writer, p *present.Page) error {
	scripts := []template.JS{decisionScript}
	d := decisionDocument{Page: p, Title: present.Unbroken(p.Title), Policy: policy(scripts...), Style: decisionStyle, Scripts: scripts}
	for i := range p.Sections {
		section := decisionSection{PageSection: &p.Sections[i]}
		for _, plot := range p.Sections[i].Plots {
			section.Plots = append(section.Plots, drawn(&plot))
		}
		d.Sections = append(d.Sections, section)
	}
	return pageTemplate.ExecuteTemplate(w, "decision.html", &d)
}

// markClass returns the CSS class of a verdict or mark, which determines its colour and sign.
func markClass(mark string) string {
	switch mark {
	case string(judge.VerdictBetter), string(judge.LimitHeld), "good":
		return "good"
	case string(judge.VerdictWorse), string(judge.LimitBroken), "poor":
		return "poor"
	case "fair":
		return "fair"
	}
	return "even"
}

// headClass returns the CSS class of a column heading.
func headClass(t present.Table, column int) string {
	if column > 0 && slices.Contains(t.Left, column) {
		return "left"
	}
	return ""
}

// longCell is the maximum number of characters in a cell that does not wrap.
const longCell = 40

// breakable allows line breaks after the dots and underscores of names, such as a metric's. It
// leaves numbers and other words that do not begin with a letter alone.
func breakable(text string) template.HTML {
	words := strings.Split(template.HTMLEscapeString(text), " ")
	for i, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsLetter(first) && !strings.Contains(word, "&") {
			words[i] = nameBreaks.Replace(word)
		}
	}
	return template.HTML(strings.Join(words, " "))
}

var nameBreaks = strings.NewReplacer(".", ".<wbr>", "_", "_<wbr>")

// cellClass returns the CSS classes of a cell.
func cellClass(t present.Table, column int, cell string) string {
	var classes []string
	if left := headClass(t, column); left != "" {
		classes = append(classes, left)
		if utf8.RuneCountInString(cell) > longCell {
			classes = append(classes, "long")
		}
	}
	if slices.Contains(t.Verdicts, column) {
		if class := markClass(cell); class != "even" {
			classes = append(classes, class)
		}
	}
	return strings.Join(classes, " ")
}
