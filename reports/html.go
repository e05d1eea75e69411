package reports

import (
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"

	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

var pageTemplate = template.Must(template.ParseFS(pageTexts, "web/*.html"))

// document is what the template shows.
type document struct {
	Title    string
	Policy   string // the Content-Security-Policy
	Style    template.CSS
	Scripts  []template.JS
	Facts    []string
	Partial  string // what the result of an interrupted run lacks; "" if it is complete
	Answers  []answer
	Words    []string
	Warnings []string
	Classes  []pageClass // of RTTs on the time-lapse
	Plots    []pagePlot
	Sections []pageSection
	Config   string
	Data     *pageData
}

// pageSection is a section with the pictures that it shows above its tables.
type pageSection struct {
	Section
	Plots []pagePlot
}

type pagePlot struct {
	Name, Title, Note string
	SVG               template.HTML // drawn here, its texts escaped
}

// pageClass is one class of RTTs by its name in the legend.
type pageClass struct {
	Index int // of the colour
	Name  string
}

// WritePage writes report.html: one file with everything inside that needs no
// network, follows the light or dark theme of its reader, and prints. Without scripts
// it shows the pictures of WritePlots in place of what moves. config is the text of
// the configuration that the run can be repeated with.
func WritePage(w io.Writer, r *result.Result, coast figure.Coast, config []byte) error {
	s := &r.Summary
	data, err := newPageData(r, coast)
	if err != nil {
		return err
	}
	limits := grade.RTTsOf(s.Thresholds, s.Limits)
	scripts := pageScripts(&limits)
	p := document{
		Title:    unbroken(pageTitle(s)),
		Policy:   policy(scripts...),
		Style:    pageStyle,
		Scripts:  scripts,
		Facts:    pageFacts(s),
		Partial:  pagePartial(s),
		Answers:  pageAnswers(s),
		Words:    pageWords(s),
		Warnings: s.Warnings,
		Classes:  pageClasses(data.Classes),
		Config:   string(config),
		Data:     data,
	}
	for _, section := range Sections(r) {
		p.Sections = append(p.Sections, pageSection{Section: section})
	}
	for i := range p.Words {
		p.Words[i] = unbroken(p.Words[i])
	}
	for _, plot := range figure.Plots(r, coast) {
		list := &p.Plots
		if i := slices.IndexFunc(p.Sections, func(s pageSection) bool { return s.ID == plot.Section }); i >= 0 {
			list = &p.Sections[i].Plots
		}
		*list = append(*list, pagePlot{plot.Name, unbroken(plot.Title), plot.Note, template.HTML(plot.InlineSVG())})
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

// numberAndUnit finds numbers with a unit behind a space.
var numberAndUnit = regexp.MustCompile(`(\d) (%|ms\b|s\b|h\b)`)

// unbroken keeps numbers and their units on one line.
func unbroken(text string) string { return numberAndUnit.ReplaceAllString(text, "$1\u00a0$2") }

func pageTitle(s *outcome.Summary) string {
	if s.Servers != nil {
		return serversTitle(s)
	}
	if s.RTT.Count == 0 {
		return "No match was made"
	}
	limits, within, _ := grade.Within(s)
	return fmt.Sprintf("Players wait %s and %s of them get %s or better",
		words.Seconds(s.Wait.Mean), words.Percent(within), words.Threshold(limits.Good))
}

// pageFacts say what was run.
func pageFacts(s *outcome.Summary) []string {
	facts := []string{
		fmt.Sprint("seed ", s.Run.Seed), fmt.Sprint("run ", s.Run.Run),
		words.Span(s.Run.Reached) + " simulated", words.Span(s.Run.Warmup) + " warm-up",
		"mmsim " + s.Run.Version,
	}
	for _, hash := range [...]struct{ name, sum string }{{"configuration", s.Run.ConfigSHA256}, {"dataset", s.Run.DatasetSHA256}} {
		if hash.sum != "" {
			facts = append(facts, hash.name+" "+hash.sum[:min(12, len(hash.sum))])
		}
	}
	return facts
}
