// Package page writes report.html for runs and for decisions, as a single file that needs no
// network. It also writes the live page of a run.
package page

import (
	"html/template"
	"io"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/result"
)

var pageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"tone": present.ToneOf, "headClass": headClass, "cellClass": cellClass, "breakable": breakable, "unbroken": present.Unbroken,
	"draw": draw, "foldTitle": foldTitle,
}).ParseFS(pageTexts, "web/*.html"))

// document is the data for the templates of all pages.
type document struct {
	*present.Page
	Title    string
	Policy   string // the Content-Security-Policy
	Style    template.CSS
	Scripts  []template.JS
	Alarms   []string // warnings that stand above the numbers
	Warnings []string // the others
	Lead     []present.Item
	Classes  []pageClass // classes of RTTs on the time-lapse
	Data     *pageData   // of the interactive map and charts; nil if the page has none
}

// pageClass is a class of RTTs with its name in the legend.
type pageClass struct {
	Index int // number of its colour
	Name  string
}

// draw draws a picture as SVG. Our own drawing code escapes text.
func draw(p *chart.Plot) template.HTML { return template.HTML(p.InlineSVG()) }

// Write writes report.html for a run. The file is self-contained, needs no network, follows the
// reader's light or dark theme, and can be printed. Without scripts it shows the pictures of
// figure.Plots in place of interactive charts. config is the text of the configuration that
// repeats the run.
func Write(w io.Writer, r *result.Result, coast figure.Coast, config []byte) error {
	s := &r.Summary
	data, err := newPageData(r, coast)
	if err != nil {
		return err
	}
	limits := grade.RTTsOf(s.Thresholds, s.Limits).ForReaders(s)
	content := present.Run(r, figure.Plots(r, coast), present.Listing{Title: "config.yaml", Text: string(config)})
	return write(w, content, document{Style: pageStyle, Scripts: pageScripts(&limits), Classes: pageClasses(data.Classes), Data: data})
}

// decisionScript makes the tables of a page sortable.
var decisionScript = enclosed(tablesScript, "document.documentElement.classList.add('scripted');\nstartTables();\n")

// WriteDecision writes report.html for a decision. Like the page of a single run it is
// self-contained. If the browser runs no scripts, readers cannot sort the tables.
func WriteDecision(w io.Writer, p *present.Page) error {
	return write(w, p, document{Style: template.CSS(ownStyle), Scripts: []template.JS{decisionScript}})
}

// write writes a page in the form that d says.
func write(w io.Writer, p *present.Page, d document) error {
	content := *p
	d.Page, d.Title, d.Policy = &content, present.Unbroken(p.Title), policy(d.Scripts...)
	d.Alarms, d.Warnings = outcome.Alarms(p.Warnings)
	content.Sections = nil
	for _, section := range p.Sections {
		if section.Title == "" {
			d.Lead = append(d.Lead, section.Items...)
		} else {
			content.Sections = append(content.Sections, section)
		}
	}
	return pageTemplate.ExecuteTemplate(w, "page.html", &d)
}

func pageClasses(c grade.RTTClasses) (classes []pageClass) {
	for i, name := range c.Names() {
		if name != "" {
			classes = append(classes, pageClass{i, name})
		}
	}
	return classes
}
