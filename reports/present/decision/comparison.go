package decision

import (
	"fmt"
	"slices"
	"strings"

	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// Comparison describes a comparison. sides are pictures of both sides; there may be none.
func Comparison(c *judge.Comparison, from *Sources, sides ...present.Item) *present.Page {
	headline := judge.Headlines(c)
	p := &present.Page{
		Kind: "comparison", Title: phrase.Comparison(c), Facts: originFacts(c.Samples),
		Answers: differenceAnswers(headline, "in A", "in B"), Warnings: c.Warnings,
	}
	if !c.Complete {
		p.Partial = "Interrupted: only finished pairs are compared."
	}
	settings := present.Tell("The settings that can change results are the same.")
	if len(c.Settings) > 0 {
		settings = []present.Item{present.Show(settingsTable(c))}
	}
	totals := differenceTable(headline)
	totals.Note = "A total counts as different if its 95 % interval excludes 0. Of totals that do not really differ, chance makes about one in twenty count as different."
	lead := []present.Item{present.Say("A", c.A), present.Say("B", c.B), present.Say("", comparisonBasis(c))}
	if slices.ContainsFunc(c.Metrics, func(d judge.Difference) bool { return strings.HasPrefix(d.Name, "season.") }) {
		lead = append(lead, present.Say("", present.RetentionModel))
	}
	p.Sections = []present.Section{
		{Items: lead},
		{ID: "settings", Title: "What differs", Items: settings},
		{ID: "headline", Title: "Differences", Items: append(present.Pictures(pictures.Comparison(c)...), present.Show(totals))},
	}
	if len(sides) > 0 {
		p.Sections = append(p.Sections, present.Section{ID: "sides", Title: "A against B", Items: sides})
	}
	if groups := groupPairs(c); len(groups) > 0 {
		p.Sections = append(p.Sections, present.Section{ID: "groups", Title: "By group", Items: append(worseOff(groups), present.Show(groupDifferenceTable(groups)))})
	}
	all := differenceTable(ungrouped(c))
	all.Note = "All metrics except those of groups, which are in comparison.json."
	p.Sections = append(p.Sections,
		present.Section{ID: "metrics", Title: "Every metric", More: present.Tables(all, meaningsTable(words.Each(headline, func(d *judge.Difference) string { return d.Name })))},
		from.reproduceSection(c.Samples))
	return p
}

// comparisonBasis describes the runs from which the intervals are computed, and what the intervals
// cover.
func comparisonBasis(c *judge.Comparison) string {
	if name, runs := besideProduction(c); name != "" {
		return withCoverage(fmt.Sprintf("%s is what a production log reports, and has no noise of its own; the other side has %s; differences are B minus A, with 95 %% intervals of its mean (Student's t).",
			name, words.Plural(runs, "run")), c.Joins)
	}
	if c.Pairs == 1 {
		return "One pair of runs with the same seed and random numbers; differences are B minus A."
	}
	basis := fmt.Sprintf("%s of A, %s of B, independent of each other; differences are B minus A, with 95 %% intervals (Welch's t).",
		words.Plural(c.RunsA, "run"), words.Plural(c.RunsB, "run"))
	if c.Pairs > 1 {
		basis = fmt.Sprintf("%d pairs of runs with the same seed and random numbers; differences are B minus A, with 95 %% intervals (Student's t over pairs).", c.Pairs)
	}
	return withCoverage(basis, c.Joins)
}

// besideProduction returns which of A and B is production, and the number of runs of the other. The name is
// "" unless exactly one is.
func besideProduction(c *judge.Comparison) (name string, runs int) {
	switch {
	case len(c.Samples) < 2 || c.Samples[0].Production == c.Samples[1].Production:
		return "", 0
	case c.Samples[0].Production:
		return "A", c.RunsB
	}
	return "B", c.RunsA
}

// withCoverage appends the sentence of words.Coverage, if there is one.
func withCoverage(text string, joins outcome.Joins) string {
	return strings.TrimSpace(text + " " + words.Coverage(joins))
}

func settingsTable(c *judge.Comparison) present.Table {
	return present.Table{Head: []string{"setting", "A", "B"}, Left: []int{1, 2},
		Rows: words.Each(c.Settings, func(s judge.SettingPair) []string { return []string{s.Key, s.A, s.B} })}
}

func differenceTable(list []*judge.Difference) present.Table {
	t := present.Table{Head: []string{"metric", "A", "B", "difference", "relative", "95 % interval", "verdict"}, Left: []int{6}, Verdicts: []int{6},
		Rows: words.Each(list, phrase.DifferenceCells)}
	t.Named(phrase.Metric)
	return t
}

// ungrouped returns the differences that at least one pair of runs has. It omits those of groups.
func ungrouped(c *judge.Comparison) []*judge.Difference {
	return slices.DeleteFunc(pointers(c.Metrics), func(d *judge.Difference) bool { return outcome.IsGroup(d.Name) || d.Runs == 0 })
}

func pointers(metrics judge.Differences) []*judge.Difference {
	list := make([]*judge.Difference, len(metrics))
	for i := range metrics {
		list[i] = &metrics[i]
	}
	return list
}

// answersMax is the maximum number of answers at the top of a page, where they are next to each
// other.
const answersMax = 4

// firstAnswers are the metrics that a page about several runs shows first, if the runs have them.
var firstAnswers = []string{"wait_first_s.mean", "wait_s.p95", "rtt_ms.mean", judge.Unmatched, "rtt_ms.p95"}

// differenceAnswers returns answers for the first answersMax differences, those of firstAnswers
// before the others. a and b are the names of the two sides.
func differenceAnswers(list []*judge.Difference, a, b string) []present.Answer {
	rank := func(d *judge.Difference) int {
		if i := slices.Index(firstAnswers, d.Name); i >= 0 {
			return i
		}
		return len(firstAnswers)
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y *judge.Difference) int { return rank(x) - rank(y) })
	var answers []present.Answer
	for _, d := range list[:min(len(list), answersMax)] {
		cells := phrase.DifferenceCells(d)
		from, to := phrase.Means(d)
		answer := metricAnswer(d.Name, cells[3], "from "+from+" "+a+" to "+to+" "+b)
		if answer.Mark = string(d.Verdict); cells[5] != "" {
			answer.Limits = "95 % interval " + cells[5]
		}
		answers = append(answers, answer)
	}
	return answers
}

// metricAnswer returns an answer about a metric.
func metricAnswer(name, value, note string) present.Answer {
	return present.Answer{Name: phrase.Upper(phrase.Metric(name)), Key: name, Value: value, Note: note}
}
