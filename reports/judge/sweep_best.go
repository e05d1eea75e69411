package judge

import (
	"cmp"
	"math"
	"slices"

	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// A Best is the point of a sweep that has the best mean of one metric.
type Best struct {
	Metric int
	Point  int   // -1 if no point is admitted; see SweepTable.Admits
	Rivals []int // other points that are not shown to be worse by what matters
	Others int   // number of other points that are admitted
	Known  bool  // whether Rivals is known, which requires several runs
}

// Best returns the best point for every metric of the sweep that has a better direction and a
// value, or the first one if means are equal. Another point is a rival unless chance does not
// explain its mean difference from the best, over pairs of runs, and the difference matters.
// Holm's method corrects for the number of points.
func (t *SweepTable) Best() []Best {
	var list []Best
	for m, name := range t.Metrics[:t.goals] {
		better := outcome.BetterOf(name)
		if better == outcome.BetterNot || !t.Measured(m) {
			continue
		}
		lowest, highest := t.ends(m)
		b := Best{Metric: m, Point: lowest}
		if better == outcome.BetterHigher {
			b.Point = highest
		}
		if b.Point >= 0 {
			t.findRivals(&b)
		}
		list = append(list, b)
	}
	return list
}

// findRivals compares all points with the best one.
func (t *SweepTable) findRivals(b *Best) {
	others := slices.DeleteFunc(t.Admitted(b.Metric), func(i int) bool { return i == b.Point })
	differences := words.Each(others, func(i int) Difference { return t.Difference(b.Metric, b.Point, i) })
	b.Others = len(others)
	for k, p := range estimate.Holm(words.Each(differences, func(d Difference) float64 { return float64(d.P) })) {
		b.Known = b.Known || differences[k].Verdict != VerdictUnknown
		if !differences[k].verdict(p).Shown() {
			b.Rivals = append(b.Rivals, others[k])
		}
	}
}

// Difference compares a metric at two points of the sweep, over pairs of runs.
func (t *SweepTable) Difference(metric, from, to int) Difference {
	name, unit, nan := t.Metrics[metric], t.Units[metric], math.NaN()
	d := Difference{Name: name, Unit: unit.Sign(), Better: outcome.BetterOf(name), In: unit, Matters: Optional(t.least[metric][from])}
	a, b := t.samples[metric][from], t.samples[metric][to]
	if a == nil || b == nil {
		d.set(&estimate.Interval{Difference: nan, Low: nan, High: nan, P: nan}, nan, nan)
		return d
	}
	i := difference(a, b, t.pairs, 1, estimate.Level)
	d.set(&i, a.moments.Mean, b.moments.Mean)
	return d
}

// Extremes returns the points at which a metric is lowest and highest, among those that are
// admitted, and how they differ. The verdict is corrected for the number of pairs among which the
// two are chosen (Bonferroni): of many points that do not differ, the extremes do by chance. Both
// points are -1 if none is admitted.
func (t *SweepTable) Extremes(metric int) (lowest, highest int, d Difference) {
	if lowest, highest = t.ends(metric); lowest < 0 {
		return lowest, highest, Difference{Verdict: VerdictUnknown}
	}
	d = t.Difference(metric, lowest, highest)
	n := float64(len(t.Admitted(metric)))
	d.Verdict = d.verdict(min(1, float64(d.P)*max(1, n*(n-1)/2)))
	return lowest, highest, d
}

// ends returns the points of Extremes, of equal ones the first.
func (t *SweepTable) ends(metric int) (lowest, highest int) {
	admitted := t.Admitted(metric)
	if len(admitted) == 0 {
		return -1, -1
	}
	byMean := func(a, b int) int { return cmp.Compare(t.Estimates[metric][a].Mean, t.Estimates[metric][b].Mean) }
	return slices.MinFunc(admitted, byMean), slices.MaxFunc(admitted, byMean)
}

// Range returns the lowest and the highest value of a metric in the runs of a point, or NaN if no run has
// it.
func (t *SweepTable) Range(metric, point int) (low, high float64) {
	if f := t.samples[metric][point]; f != nil {
		if values := slices.DeleteFunc(slices.Clone(f.runs), math.IsNaN); len(values) > 0 {
			return slices.Min(values), slices.Max(values)
		}
	}
	return math.NaN(), math.NaN()
}
