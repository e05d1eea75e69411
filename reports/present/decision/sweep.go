package decision

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// SweepText formats a sweep as a table of means, each followed by half the width of its 95 %
// interval.
func SweepText(s *judge.Sweep) string {
	t := s.Table()
	text := fmt.Sprintf("%s\nMeans of %s each%s.\n", sweepTable(s, t).Text(nil), words.Plural(len(s.Points[0].Runs), "run"), judge.IfSeveral(s, ", with 95 % intervals"))
	for _, says := range append(coverage(outcome.JoinsOf(s.Points[0].Runs)), guardWords(s, t)) {
		if says != "" {
			text += says + "\n"
		}
	}
	return text
}

// guardWords counts the combinations that the guard excludes. It returns "" if there are none.
func guardWords(s *judge.Sweep, t *judge.SweepTable) string {
	n := 0
	for _, beyond := range t.Beyond {
		if len(beyond) > 0 {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("The guard excludes %d of %s from the best: %s.", n, words.Plural(len(s.Points), "combination"), guardTerms(s.Guard, "the best combination"))
}

// guardTerms describes a guard, such as "players.unmatched_share at most 1 pp above the best
// combination".
func guardTerms(guard []judge.Limit, reference string) string {
	terms := make([]string, len(guard))
	for i := range guard {
		m, _ := outcome.Find(guard[i].Name)
		r := judge.LimitResult{Kind: guard[i].Kind, Bound: guard[i].Bound, Relative: guard[i].Relative, In: m.Unit}
		terms[i] = words.Printable(guard[i].Name) + " " + strings.Replace(limitBound(&r), "the baseline", reference, 1)
	}
	return strings.Join(terms, ", ")
}

// sweepTable returns a table of all combinations. The last column says which of them cannot be the
// best, and why; it is left out if there are none.
func sweepTable(s *judge.Sweep, t *judge.SweepTable) *present.Table {
	table := &present.Table{Head: append(slices.Concat(s.Settings, t.Metrics), "mark")}
	for i := range s.Settings {
		table.Left = append(table.Left, i)
	}
	table.Left = append(table.Left, len(table.Head)-1)
	for i, point := range s.Points {
		row := slices.Clone(point.Values)
		for m := range t.Metrics {
			row = append(row, estimateText(&t.Estimates[m][i], t.Units[m]))
		}
		table.Rows = append(table.Rows, append(row, strings.Join(t.Marks(i), "; ")))
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
