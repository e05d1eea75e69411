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
	if more := MoreUnmatched(g); more != "" {
		fmt.Fprintln(t, present.Styled(colour, present.Alarm, more+"."))
	}
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

// limitStyle returns a function that colours the verdict of a limit that is broken or undecided.
func limitStyle(colour bool) func(cell string) string {
	return func(cell string) string {
		if cell == string(judge.LimitBroken) || cell == string(judge.LimitUndecided) {
			return present.Styled(colour, present.Alarm, cell)
		}
		return cell
	}
}

// GateMarkdown formats the result of a gate for a markdown page or a pull request comment.
func GateMarkdown(g *judge.GateResult) string {
	var b strings.Builder
	from := strings.Join(append([]string{gateTitle(g)}, coverage(g.Joins)...), ". ")
	fmt.Fprintf(&b, "### mmsim check: %s\n\n%s\n\n%s", present.InMarkdown(gateHeadline(g)), present.InMarkdown(from), gateTable(g).Markdown())
	for _, warning := range g.Warnings {
		fmt.Fprintf(&b, "\n> Warning: %s\n", present.InMarkdown(warning))
	}
	return b.String()
}

// MoreUnmatched says that the result leaves more players without a match than the baseline. It
// returns "" if that is not shown.
func MoreUnmatched(g *judge.GateResult) string { return judge.MoreUnmatched("The result", g.Unmatched) }

// gateHeadline is the conclusion, and MoreUnmatched if that is shown.
func gateHeadline(g *judge.GateResult) string {
	if more := MoreUnmatched(g); more != "" {
		return gateConclusion(g) + ". " + more
	}
	return gateConclusion(g)
}

// gateConclusion says how many limits held and how many did not.
func gateConclusion(g *judge.GateResult) string {
	text := fmt.Sprintf("%s held, %d broken", words.Plural(g.Count(judge.LimitHeld), "limit"), g.Count(judge.LimitBroken))
	if undecided := g.Count(judge.LimitUndecided); undecided > 0 {
		text += fmt.Sprintf(", %d undecided", undecided)
	}
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

// rowsMax is the maximum number of rows with the same verdict for a limit whose metric has stars.
// The JSON form has a result for every metric that the stars match.
const rowsMax = 8

// gateTable returns a table of the limits. For a limit with stars it shows the worst metrics, and
// counts the others.
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
	for _, verdict := range judge.LimitVerdicts {
		members := l.With(verdict)
		if len(members) == 0 {
			continue
		}
		counted := func(n int, why string) { add(verdict, l[0].Pattern, fmt.Sprintf("%d of %d", n, len(l)), why) }
		switch verdict {
		case judge.LimitSkipped:
			counted(len(members), "not measured, or too few players")
		case judge.LimitHeld:
			counted(len(members), limitBound(&l[0])+"; the worst is "+worstSays(&members[0]))
		default:
			for i := range members[:min(len(members), rowsMax)] {
				add(verdict, members[i].Metric, limitMeasured(&members[i]), limitSays(&members[i]))
			}
			if more := len(members) - rowsMax; more > 0 {
				counted(more, "more, which --json lists")
			}
		}
	}
}

// worstSays names the metric that is nearest to its limit, with what was measured.
func worstSays(r *judge.LimitResult) string {
	if r.Kind.NeedsBaseline() {
		return r.Metric + " with " + words.Change(r.In, float64(r.Difference), judge.DecimalsOf(r.In, r.Difference, r.Low, r.High, r.Baseline))
	}
	return r.Metric + " with " + limitMeasured(r)
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
	switch {
	case r.Relative:
		amount = words.Quantity(outcome.UnitShare, float64(r.Bound), words.ShortestDecimals(outcome.UnitShare, float64(r.Bound)), false)
	case r.Kind.NeedsBaseline() && r.In == outcome.UnitShare: // "%" could be read as a share of the baseline
		amount = words.Number(r.In, float64(r.Bound), words.ShortestDecimals(r.In, float64(r.Bound)), false) + " pp"
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

// limitSays describes the limit. The value and its interval follow: of the change from the baseline
// if the limit has one. For an undecided limit, the number of runs that would decide it follows.
func limitSays(r *judge.LimitResult) string {
	text := limitBound(r)
	if r.Reason != "" {
		return text + ": " + r.Reason
	}
	decimals := judge.DecimalsOf(r.In, r.Difference, r.Low, r.High, r.Baseline)
	if r.Kind.NeedsBaseline() {
		text += fmt.Sprintf(", %s: %s", words.Quantity(r.In, float64(r.Baseline), decimals, false), words.Change(r.In, float64(r.Difference), decimals))
		if r.Baseline != 0 && r.In != outcome.UnitShare {
			text += fmt.Sprintf(" (%s)", words.SignedPercent(float64(r.Difference)/math.Abs(float64(r.Baseline))))
		}
	}
	if interval := limitInterval(r); interval != "" {
		text += ", interval " + interval
	}
	if r.Verdict == judge.LimitUndecided {
		text += "; " + undecidedSays(r)
	}
	return text
}

// limitInterval formats the interval of the change from the baseline, or of the value if the limit
// has no baseline. If only some runs have the metric, it says how many. It returns "" if there is
// nothing to show.
func limitInterval(r *judge.LimitResult) string {
	low, high := float64(r.Low), float64(r.High)
	switch {
	case r.Missing > 0:
		return fmt.Sprintf("not known: %s without the metric", words.Plural(r.Missing, "run"))
	case math.IsNaN(low), r.Same: // of equal runs, only the error of rounding is left
		return ""
	case r.Kind.NeedsBaseline():
		decimals := judge.DecimalsOf(r.In, r.Difference, r.Low, r.High, r.Baseline)
		return words.Number(r.In, low, decimals, true) + " to " + words.Change(r.In, high, decimals)
	}
	decimals := judge.DecimalsOf(r.In, r.Value, r.Low, r.High, r.Value)
	return words.Number(r.In, low, decimals, false) + " to " + words.Quantity(r.In, high, decimals, false)
}

// undecidedSays says what would decide an undecided limit.
func undecidedSays(r *judge.LimitResult) string {
	switch {
	case r.RunsNeeded > judge.RunsMax:
		return fmt.Sprintf("more than %s would be needed to decide", words.Plural(judge.RunsMax, "run"))
	case r.RunsNeeded > 0:
		return words.Plural(r.RunsNeeded, "run") + " might decide"
	}
	return "more runs are needed to decide (--runs)"
}
