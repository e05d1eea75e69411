package decision

import (
	"fmt"

	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// Gate describes the check of a gate.
func Gate(g *judge.GateResult, from *Sources) *present.Page {
	p := &present.Page{Kind: "check of limits", Title: phrase.Gate(g), Facts: originFacts(g.Samples), Answers: limitAnswers(g), Warnings: g.Warnings}
	lead := append([]present.Item{present.Say("", withCoverage(gateBasis(g)+".", g.Joins))}, present.Tell("A limit is held if the whole 95 % interval is within it, "+
		"broken if the whole interval is beyond it, and otherwise undecided. If a star matches several metrics, they share the chance of a false alarm.")...)
	limits := present.Section{ID: "limits", Title: "Limits"}
	starred := present.Section{ID: "matches", Title: "Every metric that a star matches"}
	all := limitsTable("")
	var names []string
	for _, line := range g.Lines() {
		names = append(names, line[0].Metric)
		addLine(&all, line)
		if line[0].Pattern != "" {
			of := limitsTable(line[0].Pattern)
			for i := range line {
				add(&of, &line[i])
			}
			starred.More = append(starred.More, present.Tables(withoutEmpty(of))...)
		}
	}
	limits.Items, limits.More = append(present.Pictures(pictures.Gate(g)...), present.Show(withoutEmpty(all))), present.Tables(meaningsTable(names))
	p.Sections = []present.Section{{Items: lead}, limits}
	if len(starred.More) > 0 {
		p.Sections = append(p.Sections, starred)
	}
	p.Sections = append(p.Sections, from.reproduceSection(g.Samples))
	return p
}

// gateBasis describes the runs that were checked.
func gateBasis(g *judge.GateResult) string {
	text := fmt.Sprintf("%s, mean of %s", g.Result, words.Plural(g.Runs, "run"))
	switch {
	case g.Pairs > 0:
		text += fmt.Sprintf(", against %s in %s", g.Baseline, words.Plural(g.Pairs, "paired run"))
	case len(g.Samples) == 2 && g.Samples[1].Production && !g.Samples[0].Production:
		text += fmt.Sprintf(", against production in %s, which has no noise of its own", g.Baseline)
	case g.Baseline != "":
		text += fmt.Sprintf(", against %s of %s, independent", words.Plural(g.BaselineRuns, "run"), g.Baseline)
	}
	return text
}

// limitAnswers returns answers for the first few limits: the broken ones, then the undecided and the
// held ones.
func limitAnswers(g *judge.GateResult) []present.Answer {
	var answers []present.Answer
	for _, verdict := range judge.LimitVerdicts[:3] {
		for i := range g.Limits {
			if l := &g.Limits[i]; l.Verdict == verdict && len(answers) < answersMax {
				a := metricAnswer(l.Metric, phrase.Measured(l), phrase.Bound(l))
				if a.Mark, a.Limits = string(verdict), phrase.Why(l); a.Value == "" {
					a.Value = "–"
				}
				answers = append(answers, a)
			}
		}
	}
	return answers
}

// rowsMax is the maximum number of rows with the same verdict for a limit whose metric has stars.
// A table of its own, and the JSON form, have all metrics that the stars match.
const rowsMax = 8

// limitsTable returns a table of limits that has no rows yet.
func limitsTable(title string) present.Table {
	return present.Table{
		Title: title, Head: []string{"metric", "verdict", "value", "limit", "baseline", "difference", "relative", "interval", "why"},
		Left: []int{1, 3, 8}, Verdicts: []int{1},
	}
}

// add appends a row for a limit.
func add(t *present.Table, l *judge.LimitResult) {
	change := phrase.Change(l)
	t.Rows = append(t.Rows, []string{l.Metric, string(l.Verdict), phrase.Measured(l), phrase.Bound(l), change[0], change[1], change[2], phrase.Interval(l), phrase.Why(l)})
}

// addLine appends the rows of one limit in the gate file. For a limit with stars it shows the worst
// metrics, and counts the others.
func addLine(t *present.Table, line judge.GateLine) {
	if line[0].Pattern == "" {
		add(t, &line[0])
		return
	}
	for _, verdict := range judge.LimitVerdicts {
		members := line.With(verdict)
		shown, why := 0, ""
		switch {
		case len(members) == 0:
			continue
		case verdict == judge.LimitSkipped:
			why = "not measured, or too few players"
		case verdict == judge.LimitHeld:
			why = "the worst is " + worst(&members[0])
		default:
			for shown < min(len(members), rowsMax) {
				add(t, &members[shown])
				shown++
			}
			why = "more, which --json lists"
		}
		if n := len(members) - shown; n > 0 {
			t.Rows = append(t.Rows, []string{line[0].Pattern, string(verdict), fmt.Sprintf("%d of %d", n, len(line)), phrase.Bound(&line[0]), "", "", "", "", why})
		}
	}
}

// worst names the metric that is nearest to its limit, with what was measured.
func worst(r *judge.LimitResult) string {
	if change := phrase.Change(r); change[1] != "" {
		return fmt.Sprintf("%s with %s instead of %s", r.Metric, phrase.Measured(r), change[0])
	}
	return r.Metric + " with " + phrase.Measured(r)
}

// withoutEmpty leaves out the columns about the baseline, the intervals and the reasons that are empty,
// and names the metrics in words.
func withoutEmpty(t present.Table) present.Table {
	t.LeaveOutIfAll("", "baseline", "difference", "relative", "interval", "why")
	t.Named(phrase.Metric)
	return t
}
