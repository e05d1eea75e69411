package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Text returns the result of a gate for a terminal; the last line counts.
func (g *GateResult) Text(colour bool) string {
	t := &text{colour: colour}
	fmt.Fprintf(t, "%s\n\n%s", g.title(), g.table().text(t.limitVerdict))
	if len(g.Warnings) > 0 {
		t.WriteByte('\n')
	}
	for _, warning := range g.Warnings {
		t.line("Warning", "%s", Printable(warning))
	}
	fmt.Fprintf(t, "\n%s\n", g.Conclusion())
	return t.String()
}

func (t *text) limitVerdict(cell string) string {
	if cell == string(LimitBroken) {
		return t.styled(alarm, cell)
	}
	return cell
}

// Markdown returns the result of a gate for a page or a comment on a pull request.
func (g *GateResult) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### mmsim check: %s\n\n%s\n\n%s", g.Conclusion(), inMarkdown(g.title()), g.table().markdown())
	for _, warning := range g.Warnings {
		fmt.Fprintf(&b, "\n> Warning: %s\n", inMarkdown(warning))
	}
	return b.String()
}

// Conclusion counts the limits.
func (g *GateResult) Conclusion() string {
	says := fmt.Sprintf("%s held, %d broken", plural(g.Count(LimitHeld), "limit"), g.Count(LimitBroken))
	if skipped := g.Count(LimitSkipped); skipped > 0 {
		says += fmt.Sprintf(", %d skipped", skipped)
	}
	return says
}

func (g *GateResult) title() string {
	baseline := Printable(g.Baseline)
	says := fmt.Sprintf("%s, mean of %s", Printable(g.Result), plural(g.Runs, "run"))
	switch {
	case g.Pairs > 0:
		says += fmt.Sprintf(", against %s in %s", baseline, plural(g.Pairs, "paired run"))
	case g.Baseline != "":
		says += fmt.Sprintf(", against %s of %s, independent", plural(g.BaselineRuns, "run"), baseline)
	}
	return says
}

// brokenRowsMost bounds the rows of one line with stars; the JSON form has all.
const brokenRowsMost = 8

// table shows every limit; of those that stars chose, the first broken ones and how
// many others there are.
func (g *GateResult) table() *textTable {
	t := &textTable{head: []string{"", "metric", "value", "limit"}, left: []int{1, 3}}
	for _, line := range g.Lines() {
		line.rows(t)
	}
	return t
}

// GateLine is the limits of one line and kind of a gate: one, or those of all numbers
// that its stars chose.
type GateLine []LimitResult

// Lines groups the limits as the gate has them.
func (g *GateResult) Lines() []GateLine {
	var lines []GateLine
	for first := 0; first < len(g.Limits); {
		r, last := &g.Limits[first], first+1
		for last < len(g.Limits) && r.Pattern != "" && g.Limits[last].Pattern == r.Pattern && g.Limits[last].Kind == r.Kind {
			last++
		}
		lines = append(lines, g.Limits[first:last])
		first = last
	}
	return lines
}

// Broken lists the broken limits of the line.
func (l GateLine) Broken() []LimitResult {
	return slices.DeleteFunc(slices.Clone(l), func(r LimitResult) bool { return r.Verdict != LimitBroken })
}

func (l GateLine) rows(t *textTable) {
	add := func(verdict LimitVerdict, cells ...string) {
		t.rows = append(t.rows, append([]string{string(verdict)}, cells...))
	}
	if l[0].Pattern == "" {
		add(l[0].Verdict, l[0].Metric, l[0].measured(), l[0].says())
		return
	}
	broken := l.Broken()
	for i := range broken[:min(len(broken), brokenRowsMost)] {
		add(LimitBroken, broken[i].Metric, broken[i].measured(), broken[i].says())
	}
	counted := func(verdict LimitVerdict, n int, why string) {
		if n > 0 {
			add(verdict, l[0].Pattern, fmt.Sprintf("%d of %d", n, len(l)), why)
		}
	}
	held := 0
	for i := range l {
		if l[i].Verdict == LimitHeld {
			held++
		}
	}
	counted(LimitBroken, len(broken)-brokenRowsMost, "more, which --json lists")
	counted(LimitHeld, held, l[0].bound())
	counted(LimitSkipped, len(l)-held-len(broken), "not measured, or too few players")
}

// measured writes the value, with some digits more than its limit needs.
func (r *LimitResult) measured() string {
	x := float64(r.Value)
	if math.IsNaN(x) {
		return ""
	}
	return r.unit.quantity(x, r.unit.decimals(math.Abs(x)/100), false)
}

// bound writes the limit in words.
func (r *LimitResult) bound() string {
	amount := r.unit.quantity(float64(r.Bound), r.unit.shortest(float64(r.Bound)), false)
	if r.Relative {
		amount = UnitShare.quantity(float64(r.Bound), UnitShare.shortest(float64(r.Bound)), false)
	}
	switch r.Kind {
	case LimitMax:
		return "at most " + amount
	case LimitMin:
		return "at least " + amount
	case LimitMaxIncrease:
		return "at most " + amount + " above the baseline"
	}
	return "at most " + amount + " below the baseline"
}

// shortest is how many decimals a bound was written with, at most 6.
func (u Unit) shortest(x float64) int {
	if u == UnitShare {
		x *= 100
	}
	decimals := 0
	for scale := 1.0; decimals < 6 && math.Abs(x*scale-math.Round(x*scale)) > 1e-9*math.Abs(x*scale); decimals++ {
		scale *= 10
	}
	return decimals
}

// Message tells a limit and its outcome in one line.
func (r *LimitResult) Message() string {
	if value := r.measured(); value != "" {
		return fmt.Sprintf("%s is %s, %s", r.Metric, value, r.says())
	}
	return r.Metric + ": " + r.says()
}

// says tells the limit, and for a baseline what it was and how sure the distance is.
func (r *LimitResult) says() string {
	says := r.bound()
	if r.Reason != "" {
		return says + ": " + r.Reason
	}
	if !r.Kind.needsBaseline() {
		return says
	}
	decimals := r.unit.decimalsOf(r.Difference, r.Low, r.High, r.Baseline)
	says += fmt.Sprintf(", %s: %s", r.unit.quantity(float64(r.Baseline), decimals, false), r.unit.quantity(float64(r.Difference), decimals, true))
	if r.Baseline != 0 && r.unit != UnitShare {
		says += fmt.Sprintf(" (%s)", signedPercent(float64(r.Difference)/math.Abs(float64(r.Baseline))))
	}
	if !math.IsNaN(float64(r.Low)) {
		says += fmt.Sprintf(", interval %s to %s", r.unit.number(float64(r.Low), decimals, true), r.unit.quantity(float64(r.High), decimals, true))
	}
	return says
}
