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
		fmt.Fprintf(out, "\nTrial %d in %s that the search did not use:\n%s", t.Best, words.Plural(t.Holdout.RunsB, "run"), holdoutTable(t).Text(verdictStyle(colour)))
	}
	return out.String()
}

// tableRows limits the rows of the table on a terminal.
const tableRows = 20

// tuningTable returns a table of the trials that Shown returns. It shows at most 1+most of them.
func tuningTable(t *judge.Tuning, most int) *present.Table {
	table := &present.Table{Head: slices.Concat([]string{"trial"}, t.Settings, t.Names)}
	for i := range t.Settings {
		table.Left = append(table.Left, 1+i)
	}
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
		table.Rows = append(table.Rows, row)
	}
	return table
}

// holdoutTable compares the goals and bounded metrics in the holdout.
func holdoutTable(t *judge.Tuning) *present.Table {
	var list []*judge.Difference
	metrics := t.HoldoutMetrics()
	for i := range metrics {
		list = append(list, &metrics[i])
	}
	table := differenceTable(list)
	table.Head[1], table.Head[2] = "before", "best"
	return table
}
