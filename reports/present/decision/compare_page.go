package decision

import (
	"math"
	"mmsim/reports/present"
	"slices"
	"strings"

	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// ComparisonPage returns the page about a comparison.
func ComparisonPage(c *judge.Comparison, from *Sources) *present.Page {
	headline := judge.Headlines(c)
	p := &present.Page{
		Kind: "comparison", Title: strings.TrimSuffix(judge.ComparisonConclusion(c), "."), Facts: originFacts(c.Samples),
		Answers: differenceAnswers(headline, "in A", "in B"), Words: []string{"A is " + c.A + ".", "B is " + c.B + ".", comparisonBasis(c)}, Warnings: c.Warnings,
	}
	if !c.Complete {
		p.Partial = "This comparison was interrupted: only finished pairs are compared."
	}
	settings := present.PageSection{Section: present.Section{ID: "settings", Title: "What differs", Tables: []present.Table{*settingsTable(c)}}}
	if settings.Tables[0].Title = "Settings"; len(c.Settings) == 0 {
		settings.Tables[0].Note = "The settings that can change results are the same."
	}
	differences := present.PageSection{Section: present.Section{ID: "headline", Title: "Differences", Tables: []present.Table{*differenceTable(headline)}}, Plots: pictures.Comparison(c)}
	differences.Tables[0].Title, differences.Tables[0].Head = "Totals", namedHead
	differences.Tables[0].Note = "A total counts as different if its 95 % interval excludes 0. Of totals that do not really differ, chance makes about one in twenty count as different."
	p.Sections = append(p.Sections, settings, differences)
	if groups, _ := groupPairs(c, math.MaxInt); len(groups) > 0 {
		t := *groupDifferenceTable(groups)
		t.Head[4], t.Head[8] = "verdict", "verdict"
		t.Title, t.Note = "Groups", "The groups whose mean wait over all searches or mean RTT differs; verdicts are corrected for multiple comparisons (Holm)."
		p.Sections = append(p.Sections, present.PageSection{Section: present.Section{ID: "groups", Title: "By group", Tables: []present.Table{t}}})
	}
	all := *differenceTable(ungrouped(c))
	all.Head = namedHead
	all.Title, all.Note = "Every metric", "All metrics except those of groups, which are in comparison.json."
	p.Sections = append(p.Sections,
		present.PageSection{Section: present.Section{ID: "metrics", Title: "Metrics", Tables: []present.Table{all, meaningsTable(differenceNames(headline))}}},
		from.reproduceSection(c.Samples))
	return p
}

// namedHead has the headings of a table of differences on a page, where every column has a name.
var namedHead = []string{"metric", "A", "B", "difference", "relative", "95 % interval", "verdict"}

// ungrouped returns the differences that at least one pair of runs has. It omits those of groups.
func ungrouped(c *judge.Comparison) []*judge.Difference {
	var list []*judge.Difference
	for i := range c.Metrics {
		if d := &c.Metrics[i]; !outcome.IsGroup(d.Name) && d.Runs > 0 {
			list = append(list, d)
		}
	}
	return list
}

func differenceNames(list []*judge.Difference) []string {
	var names []string
	for _, d := range list {
		names = append(names, d.Name)
	}
	return names
}

// answersMax is the maximum number of answers at the top of a page, where they are next to each
// other.
const answersMax = 4

// firstAnswers are the metrics that a page about several runs shows first, if the runs have them.
var firstAnswers = []string{"wait_first_s.mean", "wait_s.p95", "rtt_ms.mean", "players.unmatched_share", "rtt_ms.p95"}

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
		cells := judge.DifferenceCells(d)
		answer := present.Answer{Name: d.Name, Value: cells[3], Note: "from " + cells[1] + " " + a + " to " + cells[2] + " " + b, Mark: string(d.Verdict)}
		if cells[5] != "" {
			answer.Limits = "95 % interval " + cells[5]
		}
		answers = append(answers, answer)
	}
	return present.UnbrokenAnswers(answers)
}
