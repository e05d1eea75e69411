package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/words"
)

// TuningText returns the outcome for a terminal.
func TuningText(t *judge.Tuning, colour bool) string {
	out := &text{colour: colour}
	fmt.Fprintf(out, "%s\n\n%s\n%s", out.styled(bold, TuningConclusion(t)), tuningTable(t).text(nil), words.Plural(len(t.Trials)-1, "trial"))
	if refused := t.Refused(); refused > 0 {
		fmt.Fprintf(out, ", in %d of which the settings did not go together", refused)
	}
	out.WriteByte('\n')
	if t.Holdout != nil {
		fmt.Fprintf(out, "\nTrial %d in %s that the search did not see:\n%s", t.Best, words.Plural(t.Holdout.RunsB, "run"), holdoutTable(t).text(out.verdict))
	}
	return out.String()
}

// TuningConclusion says in a sentence what was found.
func TuningConclusion(t *judge.Tuning) string {
	switch {
	case len(wholeTrials(t)) == 0:
		return "No settings have been tried over the whole day yet; the same command goes on, after a spent budget with a larger one."
	case t.Best == 0:
		return "No settings were found that keep all constraints; these are the nearest ones."
	case len(t.Goals) == 1 && slices.Equal(t.Trials[t.Best].Values, t.Trials[0].Values):
		return fmt.Sprintf("%s: nothing better was found than the %s of before.", words.Printable(t.Goals[0].Name), metricText(t, 0, 0))
	case len(t.Goals) == 1:
		return fmt.Sprintf("%s: %s, %s before.", words.Printable(t.Goals[0].Name), metricText(t, t.Best, 0), metricText(t, 0, 0))
	}
	var ranges []string
	for k, goal := range t.Goals {
		along := slices.SortedFunc(slices.Values(t.Front), func(a, b int) int {
			return cmp.Compare(t.Trials[a].Figures[k], t.Trials[b].Figures[k])
		})
		ranges = append(ranges, fmt.Sprintf("%s from %s to %s", words.Printable(goal.Name), metricText(t, along[0], k), metricText(t, along[len(along)-1], k)))
	}
	return fmt.Sprintf("%s that no other beats: %s.", words.Plural(len(t.Front), "choice"), strings.Join(ranges, ", "))
}

// metricText writes a figure of a trial with four digits or so.
func metricText(t *judge.Tuning, trial, k int) string {
	x := t.Trials[trial].Figures[k]
	return words.Quantity(t.Units[k], x, words.Decimals(t.Units[k], math.Abs(x)/1000), false)
}

// tableRows bounds the table on a terminal.
const tableRows = 20

// tuningTable lists the trials that Shown returns.
func tuningTable(t *judge.Tuning) *textTable {
	table := &textTable{head: slices.Concat([]string{"trial"}, t.Settings, t.Names)}
	for i := range t.Settings {
		table.left = append(table.left, 1+i)
	}
	shown := t.Shown()
	for k, i := range shown {
		if k > tableRows {
			rest := make([]string, len(table.head))
			rest[0] = fmt.Sprintf("and %d more", len(shown)-1-tableRows)
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
			row = append(row, metricText(t, i, k))
		}
		table.rows = append(table.rows, row)
	}
	return table
}

// holdoutTable compares the figures of the search.
func holdoutTable(t *judge.Tuning) *textTable {
	var list []*judge.Difference
	metrics := t.HoldoutMetrics()
	for i := range metrics {
		list = append(list, &metrics[i])
	}
	table := differenceTable(list)
	table.head[1], table.head[2] = "before", "best"
	return table
}
