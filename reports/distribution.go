package reports

import "mmsim/sim"

// Widths of the bins of waits, in ms: 0.1 s for the first minute, where most waits
// are, and coarser for the long tail of an empty region.
const (
	narrow = 100
	wide   = 1_000
	widest = 10_000
)

// waitBins returns the distribution of waits counted in ms. The first bin holds
// those who did not wait at all.
func waitBins(h *histogram) []Bin {
	return bins(h, 1/float64(sim.Second), func(from uint64) uint64 {
		switch {
		case from == 0:
			return 1
		case from < 60_000:
			return from/narrow*narrow + narrow
		case from < 600_000:
			return from/wide*wide + wide
		default:
			return from/widest*widest + widest
		}
	})
}

// rttBins returns the distribution of RTTs counted in 1/16 ms, by whole ms.
func rttBins(h *histogram) []Bin {
	return bins(h, 1.0/sim.RTTUnit, func(from uint64) uint64 { return from + sim.RTTUnit })
}

// bins returns adjoining bins from 0 to the highest counted value. next returns
// the upper edge of the bin whose lower edge it is given; edges are counted in
// units of the histogram, and unit is the unit of the bins.
func bins(h *histogram, unit float64, next func(from uint64) uint64) []Bin {
	var bins []Bin
	var to uint64
	for v, n := range h.all() {
		for v >= to {
			from := to
			to = next(from)
			bins = append(bins, Bin{From: edge(from, unit), To: edge(to, unit)})
		}
		bins[len(bins)-1].Players += int(n)
	}
	return bins
}

// edge returns a bin edge with 3 digits, as it stands in the file.
func edge(units uint64, unit float64) float64 { return round(float64(units)*unit, 1e3) }
