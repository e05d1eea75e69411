package collect

import (
	"math"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Widths of the bins of waits, in ms. Bins are 0.1 s wide in the first minute, where most waits
// are, and wider beyond it, for the long waits of regions with few players.
const (
	narrow = 100
	wide   = 1_000
	widest = 10_000
)

// binsOf returns the distribution of a measure, which h counts in ms or, for RTTs, in 1/16 ms. The first bin
// of waits has only the players who did not wait at all. Those of RTTs are 1 ms wide.
func binsOf(m result.Measure, h *histogram.Histogram) []result.Bin {
	if m.Unit() == outcome.UnitMillis {
		return bins(h, 1.0/sim.RTTUnit, sim.RTTUnit, func(from uint64) uint64 { return from + sim.RTTUnit })
	}
	return bins(h, 1/float64(sim.Second), 0, func(from uint64) uint64 {
		switch {
		case from < 60_000:
			return from + narrow
		case from < 600_000:
			return from + wide
		default:
			return from + widest
		}
	})
}

// bins returns adjacent bins up to the highest counted value. The first bin is from 0 to first.
// next returns the upper edge of the bin that starts at from. These edges are in the units of h;
// multiplying by unit converts them to the unit of the bins.
func bins(h *histogram.Histogram, unit float64, first uint64, next func(from uint64) uint64) []result.Bin {
	var bins []result.Bin
	add := func(from, to uint64) { bins = append(bins, result.Bin{From: edge(from, unit), To: edge(to, unit)}) }
	to := first
	for v, n := range h.All() {
		if bins == nil {
			add(0, to)
		}
		for v > to {
			from := to
			to = next(from)
			add(from, to)
		}
		bins[len(bins)-1].Players += int(n)
	}
	return bins
}

// edge converts a bin edge and rounds it to 3 digits, as in the file.
func edge(units uint64, unit float64) float64 { return math.Round(float64(units)*unit*1e3) / 1e3 }

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
