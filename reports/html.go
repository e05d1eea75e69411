package reports

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
)

//go:embed web/page.html
var pageText string

//go:embed web/page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// document is what the template shows.
type document struct {
	Title    string
	Style    template.CSS
	Facts    []string
	Complete bool
	Cards    []card
	Words    []string
	Warnings []string
	Plots    []pagePlot
	Tables   []pageTable
	Config   string
}

// card is one figure to see first.
type card struct{ Name, Value, Note string }

type pagePlot struct {
	Name, Title, Note string
	SVG               template.HTML // drawn here, its texts escaped
}

// pageTable is a table of ready-made cells; the first column names the row.
type pageTable struct {
	Title, Note string
	Head        []string
	Rows        [][]string
}

// WritePage writes report.html: one file with everything inside that needs no
// network, follows the light or dark theme of its reader, and prints. config is the
// text of the configuration that the run can be repeated with.
func WritePage(w io.Writer, r *Result, coast Coast, config []byte) error {
	s := &r.Summary
	p := document{
		Title:    unbroken(pageTitle(s)),
		Style:    template.CSS(pageStyle),
		Facts:    pageFacts(s),
		Complete: s.Complete,
		Cards:    pageCards(s),
		Words:    pageWords(s),
		Warnings: s.Warnings,
		Tables:   pageTables(s),
		Config:   string(config),
	}
	for i := range p.Words {
		p.Words[i] = unbroken(p.Words[i])
	}
	for i := range p.Cards {
		p.Cards[i].Note = unbroken(p.Cards[i].Note)
	}
	for _, plot := range Plots(r, coast) {
		p.Plots = append(p.Plots, pagePlot{plot.Name, unbroken(plot.Title), plot.Note, template.HTML(plot.inlineSVG())})
	}
	return pageTemplate.Execute(w, &p)
}

// numberAndUnit finds numbers with a unit behind a space.
var numberAndUnit = regexp.MustCompile(`(\d) (%|ms\b|s\b|h\b)`)

// unbroken keeps numbers and their units on one line.
func unbroken(text string) string { return numberAndUnit.ReplaceAllString(text, "$1\u00a0$2") }

func pageTitle(s *Summary) string {
	if s.RTT.Count == 0 {
		return "No match was made"
	}
	return fmt.Sprintf("Players wait %s and %s of them get %s or better",
		inSeconds(s.Wait.Mean), percent(s.RTT.ShareLEIdeal), threshold(s.Thresholds.Ideal))
}

// pageFacts say what was run.
func pageFacts(s *Summary) []string {
	facts := []string{
		fmt.Sprint("seed ", s.Run.Seed), fmt.Sprint("run ", s.Run.Run),
		span(s.Run.Reached) + " simulated", span(s.Run.Warmup) + " warm-up",
		"mmsim " + s.Run.Version,
	}
	for _, hash := range [...]struct{ name, sum string }{{"configuration", s.Run.ConfigSHA256}, {"dataset", s.Run.DatasetSHA256}} {
		if hash.sum != "" {
			facts = append(facts, hash.name+" "+hash.sum[:min(12, len(hash.sum))])
		}
	}
	return facts
}

func pageCards(s *Summary) []card {
	return []card{
		{"First search, mean", inSeconds(s.WaitFirst.Mean), fmt.Sprintf("p90 %s, p99 %s", inSeconds(s.WaitFirst.P90), inSeconds(s.WaitFirst.P99))},
		{"Repeat search, mean", inSeconds(s.WaitRepeat.Mean), fmt.Sprintf("p90 %s, p99 %s", inSeconds(s.WaitRepeat.P90), inSeconds(s.WaitRepeat.P99))},
		{"RTT, mean", inMillis(s.RTT.Mean), fmt.Sprintf("p50 %s, p90 %s, p99 %s", inMillis(s.RTT.P50), inMillis(s.RTT.P90), inMillis(s.RTT.P99))},
		{"Within " + threshold(s.Thresholds.Ideal), percent(s.RTT.ShareLEIdeal), fmt.Sprintf("of players; %s within %s", percent(s.RTT.ShareLEExpand), threshold(s.Thresholds.Expand))},
		{"Peak CCU", thousands(s.CCU.Peak), fmt.Sprintf("at %s; %s on average", clock(s.CCU.PeakAt), thousands(int(s.CCU.Mean+0.5)))},
		{"Failed", thousands(s.Players.Failed), fmt.Sprintf("of %s searches", thousands(s.Players.Entries))},
	}
}

// pageWords tell the result in sentences.
func pageWords(s *Summary) []string {
	p := &s.Players
	words := []string{fmt.Sprintf("%s joined and %s came back after a match, which makes %s entries. "+
		"%s were matched, %s failed, %s played against bots; %s were still searching at the end.",
		plural(p.Joins, "player"), thousands(p.Returns), thousands(p.Entries),
		thousands(p.Matched), thousands(p.Failed), thousands(p.Bots), thousands(p.SearchingAtEnd))}
	if s.RTT.Count == 0 {
		return words
	}
	words = append(words,
		fmt.Sprintf("Of the matched, %s found a match within %s (at %s on average), %s after accepting %s (%s), and %s as warm bodies at any RTT (%s). "+
			"A player gets %s more than the best datacenter would give, on average.",
			percent(s.States.Ideal.Share), threshold(s.Thresholds.Ideal), inMillis(s.States.Ideal.RTTMean),
			percent(s.States.Expand.Share), threshold(s.Thresholds.Expand), inMillis(s.States.Expand.RTTMean),
			percent(s.States.WarmBody.Share), inMillis(s.States.WarmBody.RTTMean), inMillis(s.DeltaRTT.Mean)),
		fmt.Sprintf("%s were played, %s of them with a warm body; %s of the returning players met a partner of their match before.",
			plural(s.Matches.Count, "match"), thousands(s.Matches.WithWarmBody), percent(s.Matches.RepeatShare)))
	return words
}
