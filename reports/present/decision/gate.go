package decision

import (
	"fmt"
	"math"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// GateText formats the result of a gate for a terminal. The last line is the conclusion.
func GateText(g *judge.GateResult, colour bool) string {
	t := &strings.Builder{}
	for _, line := range append([]string{gateTitle(g)}, coverage(g.Joins)...) {
		fmt.Fprintln(t, line)
	}
	fmt.Fprintf(t, "\n%s", gateTable(g).Text(limitStyle(colour)))
	if len(g.Warnings) > 0 {
		t.WriteByte('\n')
	}
	for _, warning := range g.Warnings {
		t.WriteString(present.WarningLine(colour, warning))
	}
	fmt.Fprintf(t, "\n%s\n", gateConclusion(g))
	return t.String()
}

// limitStyle returns a function that colours the verdict of a broken limit.
func limitStyle(colour bool) func(cell string) string {
	return func(cell string) string {
		if cell == string(judge.LimitBroken) {
			return present.Styled(colour, present.Alarm, cell)
		}
		return cell
	}
}

// GateMarkdown formats the result of a gate for a markdown page or a pull request comment.
func GateMarkdown(g *judge.GateResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### mmsim check: %s\n\n%s\n\n%s", gateConclusion(g), present.InMarkdown(strings.Join(append([]string{gateTitle(g)}, coverage(g.Joins)...), ". ")), gateTable(g).Markdown())
	for _, warning := range g.Warnings {
		fmt.Fprintf(&b, "\n> Warning: %s\n", present.InMarkdown(warning))
	}
	return b.String()
}

// gateConclusion says how many limits held and how many did not.
func gateConclusion(g *judge.GateResult) string {
	text := fmt.Sprintf("%s held, %d broken", words.Plural(g.Count(judge.LimitHeld), "limit"), g.Count(judge.LimitBroken))
	if skipped := g.Count(judge.LimitSkipped); skipped > 0 {
		text += fmt.Sprintf(", %d skipped", skipped)
	}
	return text
}

func gateTitle(g *judge.GateResult) string {
	baseline := words.Printable(g.Baseline)
	text := fmt.Sprintf("%s, mean of %s", words.Printable(g.Result), words.Plural(g.Runs, "run"))
	switch {
	case g.Pairs > 0:
		text += fmt.Sprintf(", against %s in %s", baseline, words.Plural(g.Pairs, "paired run"))
	case g.Baseline != "":
		text += fmt.Sprintf(", against %s of %s, independent", words.Plural(g.BaselineRuns, "run"), baseline)
	}
	return text
}

// brokenRowsMax is the maximum number of rows for a limit whose metric has stars. The JSON form
// has a result for every metric that the stars match.
const brokenRowsMax = 8

// gateTable returns a table of the limits. For a limit with stars it shows the first broken
// metrics and counts the others.
func gateTable(g *judge.GateResult) *present.Table {
	t := &present.Table{Head: []string{"", "metric", "value", "limit"}, Left: []int{1, 3}, Verdicts: []int{0}}
	for _, line := range g.Lines() {
		gateRows(line, t)
	}
	return t
}

func gateRows(l judge.GateLine, t *present.Table) {
	add := func(verdict judge.LimitVerdict, cells ...string) {
		t.Rows = append(t.Rows, append([]string{string(verdict)}, cells...))
	}
	if l[0].Pattern == "" {
		add(l[0].Verdict, l[0].Metric, limitMeasured(&l[0]), limitSays(&l[0]))
		return
	}
	broken := l.Broken()
	for i := range broken[:min(len(broken), brokenRowsMax)] {
		add(judge.LimitBroken, broken[i].Metric, limitMeasured(&broken[i]), limitSays(&broken[i]))
	}
	counted := func(verdict judge.LimitVerdict, n int, why string) {
		if n > 0 {
			add(verdict, l[0].Pattern, fmt.Sprintf("%d of %d", n, len(l)), why)
		}
	}
	held := 0
	for i := range l {
		if l[i].Verdict == judge.LimitHeld {
			held++
		}
	}
	counted(judge.LimitBroken, len(broken)-brokenRowsMax, "more, which --json lists")
	counted(judge.LimitHeld, held, limitBound(&l[0]))
	counted(judge.LimitSkipped, len(l)-held-len(broken), "not measured, or too few players")
}

// limitMeasured formats the measured value with four digits, but with no more decimals than files
// have. It returns "" if nothing was measured.
func limitMeasured(r *judge.LimitResult) string {
	x := float64(r.Value)
	if math.IsNaN(x) {
		return ""
	}
	return words.Quantity(r.In, x, words.Decimals(r.In, math.Abs(x)/100), false)
}

// limitBound describes the limit, such as "at most 5 s".
func limitBound(r *judge.LimitResult) string {
	amount := words.Quantity(r.In, float64(r.Bound), words.ShortestDecimals(r.In, float64(r.Bound)), false)
	if r.Relative {
		amount = words.Quantity(outcome.UnitShare, float64(r.Bound), words.ShortestDecimals(outcome.UnitShare, float64(r.Bound)), false)
	}
	switch r.Kind {
	case judge.LimitMax:
		return "at most " + amount
	case judge.LimitMin:
		return "at least " + amount
	case judge.LimitMaxIncrease:
		return "at most " + amount + " above the baseline"
	}
	return "at most " + amount + " below the baseline"
}

// LimitMessage describes a limit and its outcome in one line.
func LimitMessage(r *judge.LimitResult) string {
	if value := limitMeasured(r); value != "" {
		return fmt.Sprintf("%s is %s, %s", r.Metric, value, limitSays(r))
	}
	return r.Metric + ": " + limitSays(r)
}

// limitSays describes the limit. If it has a baseline, the baseline's value and the interval of
// the difference follow.
func limitSays(r *judge.LimitResult) string {
	text := limitBound(r)
	if r.Reason != "" {
		return text + ": " + r.Reason
	}
	if !r.Kind.NeedsBaseline() {
		return text
	}
	decimals := judge.DecimalsOf(r.In, r.Difference, r.Low, r.High, r.Baseline)
	text += fmt.Sprintf(", %s: %s", words.Quantity(r.In, float64(r.Baseline), decimals, false), words.Change(r.In, float64(r.Difference), decimals))
	if r.Baseline != 0 && r.In != outcome.UnitShare {
		text += fmt.Sprintf(" (%s)", words.SignedPercent(float64(r.Difference)/math.Abs(float64(r.Baseline))))
	}
	if !math.IsNaN(float64(r.Low)) {
		text += fmt.Sprintf(", interval %s to %s", words.Number(r.In, float64(r.Low), decimals, true), words.Change(r.In, float64(r.High), decimals))
	}
	return text
}
