// Package page writes report.html for runs and for decisions, as a single file that needs no
// network. It also writes the live page of a run.
package page

import (
	"html/template"
	"io"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/present"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

var pageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"tone": present.ToneOf, "headClass": headClass, "cellClass": cellClass, "rowKey": rowKey, "breakable": breakable, "unbroken": present.Unbroken,
	"draw": draw, "foldTitle": foldTitle,
}).ParseFS(pageTexts, "web/*.html"))

// document is the data for the templates of all pages.
type document struct {
	*present.Page
	Title    string
	Zone     string // time zone of all times of day
	Policy   string // the Content-Security-Policy
	Style    template.CSS
	Scripts  []template.JS
	Alarms   []string // warnings that stand above the numbers
	Warnings []string // the others
	Lead     []present.Item
	Classes  []pageClass // classes of RTTs on the time-lapse
	Data     *pageData   // of the interactive map; nil if the page has none
}

// pageClass is a class of RTTs with its name in the legend.
type pageClass struct {
	Index int // number of its colour
	Name  string
}

// drawing is a picture as SVG, with its numbers for the scripts; see figures.js.
type drawing struct {
	SVG   template.HTML
	Shown []chart.Shown
}

// draw draws a picture. Our own drawing code escapes text.
func draw(p *chart.Plot) drawing {
	svg, shown := p.Inline()
	return drawing{template.HTML(svg), shown}
}

// Write writes report.html for a run. The file is self-contained, needs no network, follows the
// reader's light or dark theme, and can be printed. It shows the pictures of figure.Plots. Scripts add
// the values at the pointer, and the time-lapse in place of the map. config is the text of the
// configuration that repeats the run.
func Write(w io.Writer, r *result.Result, coast figure.Coast, config []byte) error {
	data, err := newPageData(r, coast)
	if err != nil {
		return err
	}
	content := present.Run(r, figure.Plots(r, coast), present.Listing{Title: "config.yaml", Text: string(config)})
	return write(w, content, document{Scripts: []template.JS{runScript}, Classes: pageClasses(data.Classes), Data: data})
}

// decisionScript makes the tables of a page sortable and its pictures readable.
var decisionScript = enclosed(wordsScript, tablesScript, figuresScript, "document.documentElement.classList.add('scripted');\nstartTables();\nstartFigures();\n")

// WriteDecision writes report.html for a decision. Like the page of a single run it is
// self-contained. If the browser runs no scripts, readers cannot sort the tables or point at the
// pictures.
func WriteDecision(w io.Writer, p *present.Page) error {
	return write(w, p, document{Scripts: []template.JS{decisionScript}})
}

// write writes a page in the form that d says.
func write(w io.Writer, p *present.Page, d document) error {
	content := *p
	d.Page, d.Title, d.Policy, d.Style = &content, present.Unbroken(p.Title), policy(d.Scripts...), pageStyle
	d.Zone = words.Zone(p.Zone)
	d.Alarms, d.Warnings = words.Alarms(p.Warnings)
	content.Sections = nil
	for _, section := range p.Sections {
		section.Items = withoutTitle(section.Items, p.Title)
		if section.Title == "" {
			d.Lead = append(d.Lead, section.Items...)
		} else {
			content.Sections = append(content.Sections, section)
		}
	}
	return pageTemplate.ExecuteTemplate(w, "page.html", &d)
}

// withoutTitle returns items whose pictures do not repeat the title of the page.
func withoutTitle(items []present.Item, title string) []present.Item {
	items = slices.Clone(items)
	for i := range items {
		if plot := items[i].Plot; plot != nil && plot.Title == title {
			untitled := *plot
			untitled.Title = ""
			items[i].Plot = &untitled
		}
	}
	return items
}

func pageClasses(c grade.RTTClasses) (classes []pageClass) {
	for i, name := range c.Names() {
		if name != "" {
			classes = append(classes, pageClass{i, name})
		}
	}
	return classes
}
