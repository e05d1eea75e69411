package collect

import (
	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// stepRows returns the steps of a queue with the first searches that each brings. waits has the waits
// of first searches with a match, and inState their number by the state in which they were matched.
func stepRows(queue string, steps []setup.Step, waits *histogram.Histogram, inState []int) (rows []result.Step) {
	before := func(wait sim.Duration) int {
		if wait == 0 {
			return 0
		}
		return int(waits.AtMost(uint64(wait) - 1))
	}
	for i, step := range steps {
		row := result.Step{Queue: queue, Of: result.OfStates, At: outcome.RoundSeconds(step.After.Seconds()), Opens: step.Opens, Players: inState[step.State]}
		if step.State == sim.StateNew {
			row.Of, row.Players = result.OfRules, int(waits.Count())-before(step.After)
			if i+1 < len(steps) {
				row.Players = before(steps[i+1].After) - before(step.After)
			}
		}
		rows = append(rows, row)
	}
	return rows
}
