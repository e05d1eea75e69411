package judge

import (
	"math"

	"mmsim/reports/outcome"
)

// A Best is the point of a sweep that has the best mean of one metric.
type Best struct {
	Metric int
	Point  int
	Rivals []int // other points that are not shown to be worse
	Known  bool  // whether Rivals is known, which requires several runs
}

// Best returns the best point for every metric that has a better direction and a value, or the
// first one if means are equal. Another point is a rival unless chance does not explain its mean
// difference from the best, over pairs of runs. Holm's method corrects for the number of points.
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

// findRivals compares all points with the best one.
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
		if d := paired(differences, precision{}, level); d.n > 1 {
			ps[i], b.Known = d.p, true
		}
	}
	for i, p := range holm(ps) {
		if p >= level {
			b.Rivals = append(b.Rivals, i)
		}
	}
}
