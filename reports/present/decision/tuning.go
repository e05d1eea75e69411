package decision

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// TuningText formats the outcome of a tuning for a terminal.
func TuningText(t *judge.Tuning, colour bool) string {
	out := &strings.Builder{}
	fmt.Fprintf(out, "%s\n\n%s\n%s", present.Styled(colour, present.Bold, judge.TuningConclusion(t)), tuningTable(t, tableRows).Text(nil), words.Plural(len(t.Trials)-1, "trial"))
	if refused := t.Refused(); refused > 0 {
		fmt.Fprintf(out, ", %d of them with settings that are invalid together", refused)
	}
	out.WriteByte('\n')
	if t.Holdout != nil {
		fmt.Fprintf(out, "\nTrial %d in %s that the search did not use:\n%s", t.Best, words.Plural(t.Holdout.RunsB, "run"), holdoutTable(t.HoldoutMetrics()).Text(verdictStyle(colour)))
		if worse := t.HoldoutWorse(); len(worse) > 0 {
			fmt.Fprintf(out, "\n%s:\n%s", worseHeading, holdoutTable(worse).Text(verdictStyle(colour)))
		}
		if len(t.Checked) > 0 {
			fmt.Fprintf(out, "\nLimits in these runs:\n%s", checkedTable(t).Text(limitStyle(colour)))
		}
	}
	if len(t.AtEnd) > 0 {
		out.WriteByte('\n')
	}
	for i := range t.AtEnd {
		out.WriteString(present.WarningLine(colour, judge.EndWords(&t.AtEnd[i])))
	}
	return out.String()
}

// worseHeading is the heading of the metrics that got worse and that the search did not optimise.
const worseHeading = "Worse than before in these runs, outside the goals"

// tableRows limits the rows of the table on a terminal.
const tableRows = 20

// tuningTable returns a table of the trials that Shown returns. It shows at most 1+most of them.
func tuningTable(t *judge.Tuning, most int) *present.Table {
	table := &present.Table{Head: slices.Concat([]string{"trial"}, t.Settings, t.Names, []string{"mark"})}
	for i := range t.Settings {
		table.Left = append(table.Left, 1+i)
	}
	table.Left = append(table.Left, len(table.Head)-1)
	shown := t.Shown()
	for k, i := range shown {
		if k > most {
			rest := make([]string, len(table.Head))
			rest[0] = fmt.Sprintf("and %d more", len(shown)-1-most)
			table.Rows = append(table.Rows, rest)
			break
		}
		name := strconv.Itoa(i)
		switch i {
		case 0:
			name = "before"
		case t.Best:
			name += " (best)"
		}
		row := append([]string{name}, t.Trials[i].Values...)
		for k := range t.Names {
			row = append(row, judge.MetricText(t, i, k))
		}
		table.Rows = append(table.Rows, append(row, strings.Join(t.Marks(i), "; ")))
	}
	table.LeaveOutIfAll("", "mark")
	return table
}

// holdoutTable shows differences in the holdout.
func holdoutTable(metrics judge.Differences) *present.Table {
	var list []*judge.Difference
	for i := range metrics {
		list = append(list, &metrics[i])
	}
	table := differenceTable(list)
	table.Head[1], table.Head[2] = "before", "best"
	return table
}

// checkedTable shows the constraints and the guard with their verdicts in the holdout.
func checkedTable(t *judge.Tuning) *present.Table {
	table := gateTable(&judge.GateResult{Limits: t.Checked})
	for _, row := range table.Rows {
		row[3] = strings.Replace(row[3], "the baseline", "before", 1)
	}
	return table
}
