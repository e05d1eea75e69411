package decision

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// Sweep describes a sweep. setLine returns the command that simulates the combination at a point; it
// may be nil.
func Sweep(s *judge.Sweep, from *Sources, setLine func(point int) string) *present.Page {
	t := s.Table()
	p, lead, reproduce := sweepPage(s, "sweep", phrase.Sweep(s), "combination", from)
	p.Answers = bestAnswers(s, t)
	results := present.Section{ID: "results", Title: "Results"}
	trade := present.Section{ID: "trade", Title: "Trade-off"}
	for _, plot := range pictures.Sweep(s) {
		section := &results
		if plot.Name == pictures.TradeOff {
			section = &trade
		}
		section.Items = append(section.Items, present.Pictures(plot)...)
	}
	if best := bestTable(s, t); len(best.Rows) > 0 {
		results.Items = append(results.Items, present.Tables(best)...)
	}
	if sets := setsTable(s); len(sets.Rows) > 0 {
		results.Items = append(results.Items, present.Show(sets))
	}
	p.Sections = []present.Section{lead, results}
	if x, y, has := t.TradeOff(); has && len(trade.Items) > 0 {
		front := t.Front(x, y)
		trade.Items = append(trade.Items, present.Tables(frontTable(s, t, x, y, front))...)
		trade.More = append(trade.More, commands("Commands that simulate the combinations on the front", s, front, setLine)...)
		p.Sections = append(p.Sections, trade)
	}
	all := sweepTable(s, t)
	all.Note = "The limits of the intervals are in results.csv."
	p.Sections = append(p.Sections,
		present.Section{ID: "combinations", Title: "Every combination", Items: []present.Item{present.Show(all)},
			More: append(present.Tables(meaningsTable(t.Metrics)), commands("Commands to simulate a single combination", s, t.EveryPoint(), setLine)...)}, reproduce)
	return p
}

// sweepPage begins the page of a sweep whose points are called noun: its lead explains how to read the
// numbers, and reproduce is its last section.
func sweepPage(s *judge.Sweep, kind, title, noun string, from *Sources) (p *present.Page, lead, reproduce present.Section) {
	origin := (&judge.Sample{Runs: s.Points[0].Runs}).Origin()
	origin.Name = "every " + noun
	runs := words.Plural(len(s.Points[0].Runs), "run")
	p = &present.Page{
		Kind: kind, Title: title, Warnings: sweepWarnings(s),
		Facts: append([]string{runs + " of each " + noun}, originFacts([]judge.Origin{origin})...),
	}
	lead.Items = []present.Item{present.Say("", withCoverage(fmt.Sprintf("All %ss are simulated with the same players and random numbers. Numbers are means of %s each%s.",
		noun, runs, phrase.IfSeveral(s, ", with 95 % intervals (Student's t)")), outcome.JoinsOf(s.Points[0].Runs)))}
	if says := guardWords(s, noun); says != "" {
		lead.Items = append(lead.Items, present.Say("", says))
	}
	reproduce = from.reproduceSection([]judge.Origin{origin})
	note := &reproduce.More[0].Table.Note
	*note = strings.TrimSuffix(*note, ".") + " of the first " + noun + "."
	return p, lead, reproduce
}

// columns lists n numbers from first on.
func columns(first, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = first + i
	}
	return list
}

// setsTable returns a table of the sets of datacenters that mmsim chose.
func setsTable(s *judge.Sweep) present.Table {
	table := present.Table{
		Title: "Sets of datacenters", Note: "Best RTT: mean over the joins of run 0 of the lowest RTT to a datacenter of the set.",
		Head: []string{"set", "sites", "best RTT", "datacenters"}, Left: []int{0, 3},
	}
	for i := range s.Points {
		set := s.Points[i].Set
		if set == nil || i > 0 && slices.ContainsFunc(s.Points[:i], func(p judge.SweepPoint) bool { return p.Set.Name == set.Name }) {
			continue
		}
		table.Rows = append(table.Rows, []string{set.Name, strconv.Itoa(len(set.Datacenters)),
			words.Quantity(outcome.UnitMillis, float64(set.MeanBestRTT), 1, false), phrase.SiteSet(set)})
	}
	return table
}

// commands lists the commands that simulate some of the combinations.
func commands(title string, s *judge.Sweep, points []int, setLine func(point int) string) []present.Item {
	if setLine == nil {
		return nil
	}
	var lines strings.Builder
	for _, i := range points {
		lines.WriteString(setLine(i) + "\n")
	}
	return present.Listings(present.Listing{Title: title + ", in the folder of this page", Text: lines.String(), Closed: true})
}

// frontTable returns a table of the combinations on the front of the metrics x and y.
func frontTable(s *judge.Sweep, t *judge.SweepTable, x, y int, front []int) present.Table {
	table := present.Table{
		Title: "Front", Note: "No other combination is shown to beat these. One would have to be better in one of the two metrics, and not shown to be worse in the other. Differences that do not matter do not count.",
		Head: slices.Clone(s.Settings), Left: columns(0, len(s.Settings)),
	}
	metrics := []int{x, y}
	if all := slices.Index(t.Metrics, judge.Unmatched); !slices.Contains(metrics, all) {
		metrics = append(metrics, all)
	}
	table.Head = append(table.Head, words.Each(metrics, func(m int) string { return t.Metrics[m] })...)
	table.NamedHeads(phrase.Metric, t.Metrics...)
	for _, i := range front {
		estimates := words.Each(metrics, func(m int) string { return estimateText(&t.Estimates[m][i], t.Units[m]) })
		table.Rows = append(table.Rows, slices.Concat(s.Points[i].Values, estimates))
	}
	return table
}

// guardWords counts the points that the guard excludes. It returns "" if there are none.
func guardWords(s *judge.Sweep, noun string) string {
	n := 0
	for _, beyond := range s.Table().Beyond {
		if len(beyond) > 0 {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("The guard excludes %d of %s from the best: %s.", n, words.Plural(len(s.Points), noun), guardTerms(s.Guard, "the best "+noun))
}

// guardTerms describes a guard, such as "share of searches without a match at most 1 pp above the best
// combination".
func guardTerms(guard []judge.Limit, reference string) string {
	terms := make([]string, len(guard))
	for i := range guard {
		m, _ := outcome.Find(guard[i].Name)
		r := judge.LimitResult{Kind: guard[i].Kind, Bound: guard[i].Bound, Relative: guard[i].Relative, In: m.Unit}
		terms[i] = phrase.Metric(guard[i].Name) + " " + strings.Replace(phrase.Bound(&r), "the baseline", reference, 1)
	}
	return strings.Join(terms, ", ")
}

// bestAnswers returns an answer for each of the first metrics that have a direction, with the
// best combination.
func bestAnswers(s *judge.Sweep, t *judge.SweepTable) []present.Answer {
	var answers []present.Answer
	for _, b := range t.Best() {
		a := metricAnswer(t.Metrics[b.Metric], "–", noneAdmitted)
		a.Name = "Best: " + phrase.Metric(t.Metrics[b.Metric])
		if b.Point >= 0 {
			a.Value = estimateText(&t.Estimates[b.Metric][b.Point], t.Units[b.Metric])
			a.Note = "with " + phrase.Assignments(s.Settings, s.Points[b.Point].Values)
		}
		if b.Known {
			a.Limits = rivals(&b) + " other combinations may be as good"
		}
		if len(answers) < answersMax {
			answers = append(answers, a)
		}
	}
	return answers
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

// sweepWarnings returns the warnings of every combination's first run, each warning once.
func sweepWarnings(s *judge.Sweep) []string {
	var list []string
	if len(s.Points[0].Runs) < 2 {
		list = append(list, "one run of each combination: with only one, a difference cannot be distinguished from chance, and there are no intervals (--runs)")
	}
	list = append(list, words.Each(s.Dropped, func(dropped string) string { return "not simulated: " + dropped })...)
	return append(list, pointWarnings(s)...)
}

// pointWarnings lists the warnings of the first run of every point. Of those that differ only in their
// numbers, it lists the first, and says how many points have one.
func pointWarnings(s *judge.Sweep) []string {
	var list, kinds []string
	differ, points := map[string]bool{}, map[string]int{} // by kind
	for _, point := range s.Points {
		for _, warning := range point.Runs[0].Warnings {
			kind := numbersIn.ReplaceAllString(warning, "0")
			points[kind]++
			if i := slices.Index(kinds, kind); i < 0 {
				list, kinds = append(list, warning), append(kinds, kind)
			} else if list[i] != warning {
				differ[kind] = true
			}
		}
	}
	for i, kind := range kinds {
		if differ[kind] {
			list[i] = fmt.Sprintf("in %d of %d combinations, such as: %s", points[kind], len(s.Points), list[i])
		}
	}
	return list
}

var numbersIn = regexp.MustCompile(`[0-9]+([.,][0-9]+)*`)

// bestTable shows the best combination for every metric that has a direction.
func bestTable(s *judge.Sweep, t *judge.SweepTable) present.Table {
	table := present.Table{
		Title: "Best combinations", Note: "May be as good: other combinations that are not shown to be worse by an amount that matters, by pairs of runs with the same random numbers (Holm). " +
			"Combinations with a mark are left out.",
		Head: append([]string{"metric", "better", "best"}, s.Settings...), Left: append(columns(3, len(s.Settings)), 1),
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
	table.Named(phrase.Metric)
	table.NamedHeads(phrase.Metric, judge.Unmatched)
	return table
}

// sweepTable returns a table of all combinations. The last column says which of them cannot be the
// best, and why; it is left out if there are none.
func sweepTable(s *judge.Sweep, t *judge.SweepTable) present.Table {
	table := present.Table{Head: append(slices.Concat(s.Settings, t.Metrics), "mark")}
	table.NamedHeads(phrase.Metric, t.Metrics...)
	table.Left = append(columns(0, len(s.Settings)), len(table.Head)-1)
	for i, point := range s.Points {
		row := slices.Clone(point.Values)
		for m := range t.Metrics {
			row = append(row, estimateText(&t.Estimates[m][i], t.Units[m]))
		}
		table.Rows = append(table.Rows, append(row, strings.Join(phrase.Marks(t, i), "; ")))
	}
	table.LeaveOutIfAll("", "mark")
	return table
}

// estimateText formats an estimate with as many decimals as its interval justifies. If only
// some runs have the metric, it says how many.
func estimateText(e *judge.Estimate, u outcome.Unit) string {
	margin := (e.High - e.Low) / 2
	if !(margin > 0) {
		text := words.Quantity(u, e.Mean, words.Decimals(u, math.Abs(e.Mean)/100), false)
		if e.Runs > 0 && !e.Comparable() {
			text += " (" + words.RunsWith(e.Runs, e.Of) + ")"
		}
		return text
	}
	decimals := words.Decimals(u, margin)
	return words.Number(u, e.Mean, decimals, false) + " ± " + words.Quantity(u, margin, decimals, false)
}
