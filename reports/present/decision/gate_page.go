package decision

import (
	"fmt"
	"math"

	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// GatePage returns the page about a gate.
func GatePage(g *judge.GateResult, from *Sources) *present.Page {
	p := &present.Page{
		Kind: "check of limits", Title: "The gate is broken: " + gateHeadline(g), Facts: originFacts(g.Samples), Answers: limitAnswers(g),
		Words: append([]string{gateTitle(g) + "."}, coverage(g.Joins)...), Warnings: g.Warnings,
	}
	switch {
	case g.Passed:
		p.Title = "The gate holds: " + gateHeadline(g)
	case g.Count(judge.LimitBroken) == 0:
		p.Title = "The gate is undecided: " + gateHeadline(g)
	}
	p.Words = append(p.Words, "A limit is held if the whole 95 % interval is within it, broken if the whole interval is beyond it, and otherwise undecided. "+
		"If a star matches several metrics, they share the chance of a false alarm.")
	section := present.PageSection{Section: present.Section{ID: "limits", Title: "Limits"}, Plots: pictures.Gate(g, gateConclusion(g), limitTexts)}
	all := limitsTable("Every limit", "In the order of the gate file. A limit with stars has a row for each verdict here, and a table of its own below.", g.Baseline != "")
	section.Tables = []present.Table{all.Table}
	var names []string
	for _, line := range g.Lines() {
		names = append(names, line[0].Metric)
		if line[0].Pattern == "" {
			all.add(&line[0])
			continue
		}
		for _, verdict := range judge.LimitVerdicts {
			all.count(line, verdict)
		}
		of := limitsTable(line[0].Pattern, "", line[0].Kind.NeedsBaseline())
		for i := range line {
			of.add(&line[i])
		}
		of.leaveOutEmpty()
		section.Tables = append(section.Tables, of.Table)
	}
	all.leaveOutEmpty()
	section.Tables[0] = all.Table
	section.Tables = append(section.Tables, meaningsTable(names))
	p.Sections = []present.PageSection{section, from.reproduceSection(g.Samples)}
	return p
}

// limitAnswers returns answers for the first few limits: the broken ones, then the undecided and the
// held ones.
func limitAnswers(g *judge.GateResult) []present.Answer {
	var answers []present.Answer
	for _, verdict := range []judge.LimitVerdict{judge.LimitBroken, judge.LimitUndecided, judge.LimitHeld} {
		for i := range g.Limits {
			if l := &g.Limits[i]; l.Verdict == verdict && len(answers) < answersMax {
				a := present.Answer{Name: l.Metric, Value: limitMeasured(l), Note: limitBound(l), Mark: string(verdict), Limits: l.Reason}
				if l.Verdict == judge.LimitUndecided {
					a.Limits = undecidedSays(l)
				}
				if a.Value == "" {
					a.Value = "–"
				}
				answers = append(answers, a)
			}
		}
	}
	return present.UnbrokenAnswers(answers)
}

// limitTexts returns the value of a limit, or its change from the baseline, and the limit.
func limitTexts(l *judge.LimitResult) (value, limit string) {
	if l.Reason != "" {
		return l.Reason, limitBound(l)
	}
	if l.Kind.NeedsBaseline() {
		return words.Change(l.In, float64(l.Difference), judge.DecimalsOf(l.In, l.Difference, l.Low, l.High, l.Baseline)), limitBound(l)
	}
	return limitMeasured(l), limitBound(l)
}

// limits is a table of limits.
type limits struct{ present.Table }

// limitsTable returns a table of limits that has no rows yet.
func limitsTable(title, note string, hasBaseline bool) limits {
	t := limits{present.Table{Title: words.Printable(title), Note: note, Head: []string{"metric", "verdict", "value", "limit", "interval", "why"}, Left: []int{1, 3, 5}, Verdicts: []int{1}}}
	if hasBaseline {
		t.Head = []string{"metric", "verdict", "value", "limit", "baseline", "difference", "relative", "interval", "why"}
		t.Left = []int{1, 3, 8}
	}
	return t
}

// add appends a row for a limit.
func (t *limits) add(l *judge.LimitResult) {
	cells := []string{l.Metric, string(l.Verdict), limitMeasured(l), limitBound(l)}
	if len(t.Head) > 6 {
		cells = append(cells, changeCells(l)...)
	}
	why := l.Reason
	if l.Verdict == judge.LimitUndecided {
		why = undecidedSays(l)
	}
	t.Rows = append(t.Rows, append(cells, limitInterval(l), why))
}

// changeCells returns the cells of the columns baseline, difference and relative. They are empty if
// the limit needs no baseline.
func changeCells(l *judge.LimitResult) []string {
	if !l.Kind.NeedsBaseline() || math.IsNaN(float64(l.Difference)) {
		return []string{"", "", ""}
	}
	decimals := judge.DecimalsOf(l.In, l.Difference, l.Low, l.High, l.Baseline)
	cells := []string{words.Quantity(l.In, float64(l.Baseline), decimals, false), words.Quantity(l.In, float64(l.Difference), decimals, true), ""}
	if l.Baseline != 0 && l.In != outcome.UnitShare {
		cells[2] = words.SignedPercent(float64(l.Difference) / math.Abs(float64(l.Baseline)))
	}
	return cells
}

// count appends a row that says how many of the metrics in line have this verdict. It appends no
// row if the number is 0.
func (t *limits) count(line judge.GateLine, verdict judge.LimitVerdict) {
	if n := len(line.With(verdict)); n > 0 {
		cells := make([]string, len(t.Head))
		copy(cells, []string{line[0].Pattern, string(verdict), fmt.Sprintf("%d of %d", n, len(line)), limitBound(&line[0])})
		t.Rows = append(t.Rows, cells)
	}
}

// leaveOutEmpty removes the column of the intervals, and the column that says why limits were not
// judged or what would decide them, if they are empty.
func (t *limits) leaveOutEmpty() { t.LeaveOutIfAll("", "interval", "why") }
