package decision

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/chart"
	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// SweepPage returns the page about a sweep. setLine returns the command that simulates the
// combination with these values.
func SweepPage(s *judge.Sweep, from *Sources, setLine func(values []string) string) *present.Page {
	t := s.Table()
	origin := (&judge.Sample{Runs: s.Points[0].Runs}).Origin()
	origin.Name = "every combination"
	p := &present.Page{
		Kind: "sweep", Title: fmt.Sprintf("%s of %s", words.Plural(len(s.Points), "combination"), settingNames(s.Settings)),
		Facts:   append([]string{words.Plural(len(s.Points[0].Runs), "run") + " of each combination"}, originFacts([]judge.Origin{origin})...),
		Answers: bestAnswers(s, t), Words: sweepWords(s, t), Warnings: sweepWarnings(s),
	}
	results := present.PageSection{Section: present.Section{ID: "results", Title: "Results"}}
	trade := present.PageSection{Section: present.Section{ID: "trade", Title: "Trade-off"}}
	for _, plot := range pictures.Sweep(s) {
		if plot.Name == pictures.TradeOff {
			trade.Plots = []chart.Plot{plot}
		} else {
			results.Plots = append(results.Plots, plot)
		}
	}
	if best := bestTable(s, t); len(best.Rows) > 0 {
		results.Tables = append(results.Tables, best)
	}
	p.Sections = append(p.Sections, results)
	if x, y, has := t.TradeOff(); has && len(trade.Plots) > 0 {
		front := t.Front(x, y)
		trade.Tables = []present.Table{frontTable(s, t, x, y, front)}
		trade.Listings = []present.Listing{commands("Commands that simulate the combinations on the front", s, front, setLine)}
		p.Sections = append(p.Sections, trade)
	}
	all := sweepTable(s, t)
	all.Title, all.Note = "Every combination", "The limits of the intervals are in results.csv."
	every := make([]int, len(s.Points))
	for i := range every {
		every[i] = i
	}
	p.Sections = append(p.Sections, present.PageSection{
		Section:  present.Section{ID: "combinations", Title: "Combinations", Tables: []present.Table{*all, meaningsTable(t.Metrics)}},
		Listings: []present.Listing{commands("Commands to simulate a single combination", s, every, setLine)},
	})
	reproduce := from.reproduceSection([]judge.Origin{origin})
	reproduce.Tables[0].Note = "The same version with the same settings and input files reproduces these numbers. The configuration and the data set are those of the first run of the first combination."
	p.Sections = append(p.Sections, reproduce)
	return p
}

// commands lists the commands that simulate some of the combinations.
func commands(title string, s *judge.Sweep, points []int, setLine func(values []string) string) present.Listing {
	var lines strings.Builder
	for _, i := range points {
		lines.WriteString(setLine(s.Points[i].Values) + "\n")
	}
	return present.Listing{Title: title + ", in the folder of this page", Text: lines.String(), Folded: true}
}

// frontTable returns a table of the combinations on the front of the metrics x and y.
func frontTable(s *judge.Sweep, t *judge.SweepTable, x, y int, front []int) present.Table {
	table := present.Table{
		Title: "Front", Note: "No other combination is shown to beat these. One would have to be better in one of the two metrics, and not shown to be worse in the other. Differences that do not matter do not count.",
		Head: slices.Clone(s.Settings),
	}
	for i := range s.Settings {
		table.Left = append(table.Left, i)
	}
	metrics := []int{x, y}
	if all := slices.Index(t.Metrics, judge.Unmatched); !slices.Contains(metrics, all) {
		metrics = append(metrics, all)
	}
	for _, m := range metrics {
		table.Head = append(table.Head, t.Metrics[m])
	}
	for _, i := range front {
		row := slices.Clone(s.Points[i].Values)
		for _, m := range metrics {
			row = append(row, estimateText(&t.Estimates[m][i], t.Units[m]))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// settingNames joins the names of settings, or counts them if they do not fit in a title.
func settingNames(settings []string) string {
	if len(settings) > 3 {
		return fmt.Sprintf("%d settings", len(settings))
	}
	return strings.Join(settings, ", ")
}

// sweepWords explains how to read the numbers, and what the guard excludes.
func sweepWords(s *judge.Sweep, t *judge.SweepTable) []string {
	list := []string{fmt.Sprintf("All combinations are simulated with the same players and random numbers. Numbers are means of %s each%s.",
		words.Plural(len(s.Points[0].Runs), "run"), judge.IfSeveral(s, ", with 95 % intervals (Student's t)"))}
	list = append(list, coverage(outcome.JoinsOf(s.Points[0].Runs))...)
	if says := guardWords(s, t); says != "" {
		list = append(list, says)
	}
	return list
}

// bestAnswers returns an answer for each of the first metrics that have a direction, with the
// best combination.
func bestAnswers(s *judge.Sweep, t *judge.SweepTable) []present.Answer {
	var answers []present.Answer
	for _, b := range t.Best() {
		a := present.Answer{Name: "best " + t.Metrics[b.Metric], Value: "–", Note: noneAdmitted}
		if b.Point >= 0 {
			a.Value = estimateText(&t.Estimates[b.Metric][b.Point], t.Units[b.Metric])
			a.Note = "with " + assignments(s.Settings, s.Points[b.Point].Values)
		}
		if b.Known {
			a.Limits = rivals(&b) + " other combinations may be as good"
		}
		if len(answers) < answersMax {
			answers = append(answers, a)
		}
	}
	return present.UnbrokenAnswers(answers)
}

// noneAdmitted says that a metric has no best combination.
const noneAdmitted = "no combination can be the best: see the marks"

// rivals says how many of the other combinations may be as good.
func rivals(b *judge.Best) string {
	if len(b.Rivals) == 0 {
		return fmt.Sprintf("none of %d", b.Others)
	}
	return fmt.Sprintf("%d of %d", len(b.Rivals), b.Others)
}

// assignments formats settings with their values.
func assignments(settings, values []string) string {
	parts := make([]string, len(settings))
	for i, key := range settings {
		parts[i] = key + " = " + values[i]
	}
	return strings.Join(parts, ", ")
}

// sweepWarnings returns the warnings of every combination's first run, each warning once.
func sweepWarnings(s *judge.Sweep) []string {
	var list []string
	if len(s.Points[0].Runs) < 2 {
		list = append(list, "one run of each combination: with only one, a difference cannot be distinguished from chance, and there are no intervals (--runs)")
	}
	for _, point := range s.Points {
		for _, warning := range point.Runs[0].Warnings {
			if !slices.Contains(list, warning) {
				list = append(list, warning)
			}
		}
	}
	return list
}

// bestTable shows the best combination for every metric that has a direction.
func bestTable(s *judge.Sweep, t *judge.SweepTable) present.Table {
	table := present.Table{
		Title: "Best combinations", Note: "May be as good: other combinations that are not shown to be worse by an amount that matters, by pairs of runs with the same random numbers (Holm). " +
			"Combinations with a mark are left out.",
		Head: append([]string{"metric", "better", "best"}, s.Settings...), Left: []int{1},
	}
	for i := range s.Settings {
		table.Left = append(table.Left, 3+i)
	}
	table.Head = append(table.Head, judge.Unmatched, "may be as good")
	all := slices.Index(t.Metrics, judge.Unmatched)
	for _, b := range t.Best() {
		row := []string{t.Metrics[b.Metric], string(outcome.BetterOf(t.Metrics[b.Metric]))}
		if b.Point < 0 {
			row = append(append(row, "none"), make([]string, len(s.Settings)+1)...)
			table.Rows = append(table.Rows, append(row, noneAdmitted))
			continue
		}
		row = append(append(row, estimateText(&t.Estimates[b.Metric][b.Point], t.Units[b.Metric])), s.Points[b.Point].Values...)
		count := "not known"
		if b.Known {
			count = rivals(&b)
		}
		table.Rows = append(table.Rows, append(row, estimateText(&t.Estimates[all][b.Point], t.Units[all]), count))
	}
	return table
}
