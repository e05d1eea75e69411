package decision

import (
	"fmt"
	"math"
	"slices"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// SweepText formats a sweep as a table of means, each followed by half the width of its 95 %
// interval.
func SweepText(s *judge.Sweep) string {
	runs := len(s.Points[0].Runs)
	return fmt.Sprintf("%s\nMeans of %s each%s.\n", sweepTable(s, s.Table()).Text(nil), words.Plural(runs, "run"), judge.IfSeveral(s, ", with 95 % intervals"))
}

// sweepTable returns a table of all combinations.
func sweepTable(s *judge.Sweep, t *judge.SweepTable) *present.Table {
	table := &present.Table{Head: append(slices.Clone(s.Settings), t.Metrics...)}
	for i := range s.Settings {
		table.Left = append(table.Left, i)
	}
	for i, point := range s.Points {
		row := slices.Clone(point.Values)
		for m := range t.Metrics {
			row = append(row, estimateText(t.Estimates[m][i], t.Units[m]))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// estimateText formats an estimate with as many decimals as its interval justifies.
func estimateText(e judge.Estimate, u outcome.Unit) string {
	margin := (e.High - e.Low) / 2
	if !(margin > 0) {
		return words.Quantity(u, e.Mean, words.Decimals(u, math.Abs(e.Mean)/100), false)
	}
	decimals := words.Decimals(u, margin)
	return words.Number(u, e.Mean, decimals, false) + " ± " + words.Quantity(u, margin, decimals, false)
}
