package judge

import (
	"math"

	"mmsim/reports/outcome"
)

// A Best is the combination of a sweep that has the best mean of one metric.
type Best struct {
	Metric int
	Point  int
	Rivals []int // other combinations that are not shown to be worse
	Known  bool  // there are several runs, so that Rivals is known
}

// Best returns the best combination for every metric that has a direction and a value; the first
// one if means are equal. Another combination is a rival unless the mean difference between the
// two over pairs of runs is more than chance, corrected for all others by Holm's method.
func (t *SweepTable) Best() []Best {
	var list []Best
	for m, name := range t.Metrics {
		better := outcome.BetterOf(name)
		if better == outcome.BetterNot {
			continue
		}
		b := Best{Metric: m, Point: -1}
		for i, e := range t.Estimates[m] {
			if !math.IsNaN(e.Mean) && (b.Point < 0 || e.Mean != t.Estimates[m][b.Point].Mean && (e.Mean > t.Estimates[m][b.Point].Mean) == (better == outcome.BetterHigher)) {
				b.Point = i
			}
		}
		if b.Point >= 0 {
			t.findRivals(&b)
			list = append(list, b)
		}
	}
	return list
}

// findRivals compares all combinations with the best one.
func (t *SweepTable) findRivals(b *Best) {
	best := t.runs[b.Metric][b.Point]
	ps := make([]float64, len(t.runs[b.Metric]))
	for i, runs := range t.runs[b.Metric] {
		ps[i] = math.NaN()
		if i == b.Point || runs == nil {
			continue
		}
		differences := make([]float64, len(best))
		for k := range best {
			differences[k] = runs[k] - best[k]
		}
		if d := paired(differences, level); d.n > 1 {
			ps[i], b.Known = d.p, true
		}
	}
	for i, p := range holm(ps) {
		if p >= level {
			b.Rivals = append(b.Rivals, i)
		}
	}
}
