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
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/result"
)

var pageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"markClass": markClass, "headClass": headClass, "cellClass": cellClass, "breakable": breakable,
	"alarms": alarms, "otherWarnings": otherWarnings,
}).ParseFS(pageTexts, "web/*.html"))

// alarms returns the warnings that stand above the numbers.
func alarms(warnings []string) []string {
	list, _ := outcome.Alarms(warnings)
	return list
}

// otherWarnings returns the warnings that stand below the numbers.
func otherWarnings(warnings []string) []string {
	_, list := outcome.Alarms(warnings)
	return list
}

// document is the data for the templates of a run and of the live page.
type document struct {
	Title    string
	Policy   string // the Content-Security-Policy
	Style    template.CSS
	Scripts  []template.JS
	Facts    []string
	Partial  string // what an interrupted run lacks; "" if it is complete
	Answers  []present.Answer
	Words    []string
	Warnings []string
	Classes  []pageClass // classes of RTTs on the time-lapse
	Plots    []pagePlot
	Sections []pageSection
	Config   string
	Data     *pageData
}

// pageSection is a section with the pictures above its tables.
type pageSection struct {
	present.Section
	Plots []pagePlot
}

type pagePlot struct {
	Name, Title, Note string
	SVG               template.HTML // from our own drawing code, which escapes text
	Shown             []chart.Shown // for the scripts; see figures.js
	Still             bool          // whether something that moves replaces the picture where scripts run
}

// drawn draws a picture as SVG.
func drawn(p *chart.Plot) pagePlot {
	svg, shown := p.Inline()
	return pagePlot{Name: p.Name, Title: present.Unbroken(p.Title), Note: p.Note, SVG: template.HTML(svg), Shown: shown}
}

// pageClass is a class of RTTs with its name in the legend.
type pageClass struct {
	Index int // number of its colour
	Name  string
}

// Write writes report.html for a run. The file is self-contained, needs no network, follows the
// reader's light or dark theme, and can be printed. It shows the pictures of figure.Plots. Scripts add
// the values at the pointer, and the time-lapse in place of the map. config is the text of the
// configuration that repeats the run.
func Write(w io.Writer, r *result.Result, coast figure.Coast, config []byte) error {
	s := &r.Summary
	data, err := newPageData(r, coast)
	if err != nil {
		return err
	}
	p := document{
		Title:    present.Unbroken(present.Title(s)),
		Policy:   policy(runScript),
		Style:    pageStyle,
		Scripts:  []template.JS{runScript},
		Facts:    present.Facts(s),
		Partial:  present.Partial(s),
		Answers:  present.Answers(s),
		Words:    present.Sentences(s),
		Warnings: s.Warnings,
		Classes:  pageClasses(data.Classes),
		Config:   string(config),
		Data:     data,
	}
	for _, section := range present.Sections(r) {
		p.Sections = append(p.Sections, pageSection{Section: section})
	}
	for i := range p.Words {
		p.Words[i] = present.Unbroken(p.Words[i])
	}
	for _, plot := range figure.Plots(r, coast) {
		list := &p.Plots
		if i := slices.IndexFunc(p.Sections, func(s pageSection) bool { return s.ID == plot.Section }); i >= 0 {
			list = &p.Sections[i].Plots
		}
		picture := drawn(&plot)
		picture.Still = plot.Name == figure.MapName && data.Lapse != nil
		*list = append(*list, picture)
	}
	return pageTemplate.ExecuteTemplate(w, "page.html", &p)
}

func pageClasses(c grade.RTTClasses) (classes []pageClass) {
	for i, name := range c.Names() {
		if name != "" {
			classes = append(classes, pageClass{i, name})
		}
	}
	return classes
}
