package phrase

import (
	"fmt"
	"math"

	"mmsim/reports/estimate"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Gate is the conclusion of a check: how many limits held, how many did not, and the one that is
// broken most. It says so if the result leaves more players without a match than the baseline.
func Gate(g *judge.GateResult) string {
	text := "The gate is broken"
	switch {
	case g.Passed:
		text = "The gate holds"
	case g.Count(judge.LimitBroken) == 0:
		text = "The gate is undecided"
	}
	text += fmt.Sprintf(": %s held, %d broken", words.Plural(g.Count(judge.LimitHeld), "limit"), g.Count(judge.LimitBroken))
	if undecided := g.Count(judge.LimitUndecided); undecided > 0 {
		text += fmt.Sprintf(", %d undecided", undecided)
	}
	if skipped := g.Count(judge.LimitSkipped); skipped > 0 {
		text += fmt.Sprintf(", %d skipped", skipped)
	}
	more := MoreUnmatched("The result", g.Unmatched)
	if worst := worstOf(g); worst != nil && (more == "" || !isAboutEnds(worst.Metric)) {
		text += fmt.Sprintf("; %s is %s, %s", Metric(worst.Metric), Measured(worst), Bound(worst))
	}
	if more != "" {
		text += ". " + more
	}
	return text
}

// worstOf returns the limit that is exceeded most, in proportion to the limit or to the baseline. It
// returns nil if none is broken, or if only limits are broken whose metric was not measured.
func worstOf(g *judge.GateResult) (worst *judge.LimitResult) {
	most := 0.0
	for i := range g.Limits {
		l := &g.Limits[i]
		if l.Verdict != judge.LimitBroken || math.IsNaN(float64(l.Excess)) {
			continue
		}
		by := math.Abs(float64(l.Bound))
		if l.Kind.IsChange() {
			by = math.Abs(float64(l.Baseline))
		}
		if excess := float64(l.Excess) / max(by, 1e-9); worst == nil || excess > most {
			worst, most = l, excess
		}
	}
	return worst
}

// Measured formats the measured value with four digits, but with no more decimals than files
// have. It returns "" if nothing was measured.
func Measured(r *judge.LimitResult) string {
	x := float64(r.Value)
	if math.IsNaN(x) {
		return ""
	}
	return words.Quantity(r.In, x, words.Decimals(r.In, math.Abs(x)/100), false)
}

// bound formats the limit without its kind, such as "5 s".
func bound(r *judge.LimitResult) string {
	amount := words.Quantity(r.In, float64(r.Bound), words.ShortestDecimals(r.In, float64(r.Bound)), false)
	switch {
	case r.Relative:
		amount = words.Quantity(outcome.UnitShare, float64(r.Bound), words.ShortestDecimals(outcome.UnitShare, float64(r.Bound)), false)
	case r.Kind.IsChange() && r.In == outcome.UnitShare: // "%" could be read as a share of the baseline
		amount = words.Number(r.In, float64(r.Bound), words.ShortestDecimals(r.In, float64(r.Bound)), false) + " pp"
	}
	return amount
}

// Bound describes the limit, such as "at most 5 s".
func Bound(r *judge.LimitResult) string {
	amount := bound(r)
	switch r.Kind {
	case judge.LimitMax:
		return "at most " + amount
	case judge.LimitMin:
		return "at least " + amount
	case judge.LimitMaxIncrease:
		return "at most " + amount + " above the baseline"
	case judge.LimitMaxDistance:
		return "at most " + amount + " apart"
	}
	return "at most " + amount + " below the baseline"
}

// LimitMessage describes a limit and its outcome in one line.
func LimitMessage(r *judge.LimitResult) string {
	text := r.Metric + ": "
	if value := Measured(r); value != "" {
		text = r.Metric + " is " + value + ", "
	}
	text += Bound(r)
	if r.Reason != "" {
		return text + ": " + r.Reason
	}
	if change := Change(r); change[0] != "" {
		text += fmt.Sprintf(", %s: %s", change[0], change[1])
		if change[2] != "" {
			text += " (" + change[2] + ")"
		}
	}
	if interval := Interval(r); interval != "" {
		if r.Noise == nil {
			interval = "interval " + interval
		}
		text += ", " + interval
	}
	if r.Verdict == judge.LimitUndecided {
		text += "; " + Why(r)
	}
	return text
}

// Change returns the value of the baseline, the difference from it, and the relative difference,
// which shares do not have. They are empty if the limit needs no baseline.
func Change(l *judge.LimitResult) (cells [3]string) {
	if !l.Kind.IsChange() || math.IsNaN(float64(l.Difference)) {
		return cells
	}
	decimals := Decimals(l.In, l.Difference, l.Low, l.High, l.Baseline)
	cells[0], cells[1] = words.Quantity(l.In, float64(l.Baseline), decimals, false), words.Change(l.In, float64(l.Difference), decimals)
	if l.Baseline != 0 && l.In != outcome.UnitShare {
		cells[2] = words.SignedPercent(float64(l.Difference) / math.Abs(float64(l.Baseline)))
	}
	return cells
}

// Interval formats the interval of the change from the baseline, or of the value if the limit
// has no baseline. For a distance, it is the noise of one run. If only some runs have the metric, it says how many. It returns "" if there is
// nothing to show.
func Interval(r *judge.LimitResult) string {
	low, high := float64(r.Low), float64(r.High)
	switch {
	case r.Noise != nil:
		return "noise of one run " + words.Quantity(r.In, float64(*r.Noise), words.Decimals(r.In, float64(*r.Noise)/100), false)
	case r.Missing > 0:
		return fmt.Sprintf("not known: %s without the metric", words.Plural(r.Missing, "run"))
	case math.IsNaN(low), r.Same: // of equal runs, only the error of rounding is left
		return ""
	case r.Kind.IsChange():
		decimals := Decimals(r.In, r.Difference, r.Low, r.High, r.Baseline)
		return words.Number(r.In, low, decimals, true) + " to " + words.Change(r.In, high, decimals)
	}
	decimals := Decimals(r.In, r.Value, r.Low, r.High, r.Value)
	return words.Number(r.In, low, decimals, false) + " to " + words.Quantity(r.In, high, decimals, false)
}

// Why says why a limit was not judged, or what would decide it if it is undecided.
func Why(r *judge.LimitResult) string {
	switch {
	case r.Verdict != judge.LimitUndecided:
		return r.Reason
	case r.RunsNeeded > estimate.RunsMax:
		return fmt.Sprintf("more than %s would be needed to decide", words.Plural(estimate.RunsMax, "run"))
	case r.RunsNeeded > 0:
		return words.Plural(r.RunsNeeded, "run") + " might decide"
	}
	return "more runs are needed to decide (--runs)"
}
