package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"mmsim/reports/judge"
	"mmsim/reports/words"
)

// TuningText returns the outcome for a terminal.
func TuningText(t *judge.Tuning, colour bool) string {
	out := &text{colour: colour}
	fmt.Fprintf(out, "%s\n\n%s\n%s", out.styled(bold, judge.TuningConclusion(t)), tuningTable(t).text(nil), words.Plural(len(t.Trials)-1, "trial"))
	refused := 0
	for i := range t.Trials {
		if t.Trials[i].Refused != "" {
			refused++
		}
	}
	if refused > 0 {
		fmt.Fprintf(out, ", in %d of which the settings did not go together", refused)
	}
	out.WriteByte('\n')
	if t.Proof != nil {
		fmt.Fprintf(out, "\nTrial %d in %s that the search did not see:\n%s", t.Best, words.Plural(t.Proof.RunsB, "run"), proofTable(t).text(out.verdict))
	}
	return out.String()
}

// tableRows bounds the table on a terminal.
const tableRows = 20

// tuningTable lists what was there before and the front, or where nothing keeps the bounds
// the trials that are nearest to it.
func tuningTable(t *judge.Tuning) *textTable {
	table := &textTable{head: slices.Concat([]string{"trial"}, t.Settings, t.Names)}
	for i := range t.Settings {
		table.left = append(table.left, 1+i)
	}
	shown := t.Front
	if len(shown) == 0 {
		shown = nearestTrials(t, 3)
	}
	for k, i := range append([]int{0}, shown...) {
		if k > tableRows {
			rest := make([]string, len(table.head))
			rest[0] = fmt.Sprintf("and %d more", len(shown)-tableRows)
			table.rows = append(table.rows, rest)
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
		table.rows = append(table.rows, row)
	}
	return table
}

// nearestTrials lists the trials over the whole day that are least beyond the bounds.
func nearestTrials(t *judge.Tuning, n int) []int {
	var list []int
	for i := range t.Trials[1:] {
		if trial := &t.Trials[1+i]; trial.Share == 1 && trial.Refused == "" {
			list = append(list, 1+i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(t.Trials[a].Violation, t.Trials[b].Violation) })
	return list[:min(n, len(list))]
}

// proofTable compares the figures of the search.
func proofTable(t *judge.Tuning) *textTable {
	var list []*judge.Difference
	for _, name := range t.Names {
		for i := range t.Proof.Metrics {
			if d := &t.Proof.Metrics[i]; d.Name == name {
				list = append(list, d)
			}
		}
	}
	table := differenceTable(list)
	table.head[1], table.head[2] = "before", "best"
	return table
}
