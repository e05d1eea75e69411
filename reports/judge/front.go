package judge

import (
	"math"
	"slices"

	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
)

// TradeOff returns the first two metrics of the sweep that have a better direction. Metrics that
// only guard the others do not count. ok is false if there are fewer.
func (t *SweepTable) TradeOff() (x, y int, ok bool) {
	var list []int
	for i, name := range t.Metrics[:t.goals] {
		if outcome.BetterOf(name) != outcome.BetterNot {
			list = append(list, i)
		}
	}
	if len(list) < 2 {
		return 0, 0, false
	}
	return list[0], list[1], true
}

// Front returns the Pareto front of two metrics: the admitted points (see Admits) that no other
// admitted point beats. A point beats another if it is better in one metric and not worse in the
// other. The runs of all points use the same random numbers, so Front compares two points by the
// interval of their difference over the runs: neither point is better if the interval includes 0,
// or if the difference is too small to matter. With a single run, which has no interval, the
// numbers themselves decide.
func (t *SweepTable) Front(x, y int) []int {
	return front(t.Admitted(x, y), t.better(x), t.better(y))
}

// better returns a function that compares two points in a metric: it returns 1 if the first is better,
// -1 if it is worse, and 0 if neither is shown.
func (t *SweepTable) better(metric int) func(point, other int) int {
	sign := direction(t.Metrics[metric])
	return func(point, other int) int { return sign * t.above(metric, point, other) }
}

// front returns the admitted points that no other admitted point beats: none is better in one goal and not
// worse in the others. goals compares two points in each goal.
func front(admitted []int, goals ...func(point, other int) int) []int {
	beats := func(point, other int) bool {
		better := false
		for _, compare := range goals {
			switch compare(point, other) {
			case 1:
				better = true
			case -1:
				return false
			}
		}
		return better
	}
	return slices.DeleteFunc(slices.Clone(admitted), func(i int) bool {
		return slices.ContainsFunc(admitted, func(j int) bool { return j != i && beats(j, i) })
	})
}

// direction returns 1 if higher values of the metric are better, and -1 if lower values are.
func direction(metric string) int {
	if outcome.BetterOf(metric) == outcome.BetterLower {
		return -1
	}
	return 1
}

// above returns 1 if the metric is higher at point than at other, -1 if it is lower, and 0 if
// chance may explain the difference or if it is too small to matter. It is the verdict of
// Difference without the rest, because Front needs it for every pair of points.
func (t *SweepTable) above(metric, point, other int) int {
	a, b := t.samples[metric][point], t.samples[metric][other]
	if math.Abs(a.moments.Mean-b.moments.Mean) < t.least[metric][other] {
		return 0
	}
	n, mean, squares := 0.0, 0.0, 0.0 // one pass by Welford's method
	for i := range a.runs {
		d := a.runs[i] - b.runs[i]
		n++
		step := d - mean
		mean += step / n
		squares += float64(step * (d - mean))
	}
	margin := 0.0
	if n > 1 {
		sd, both := math.Sqrt(squares/(n-1)), precisionOf(a, b)
		if estimate.Equal(sd, 0) {
			if sd = 0; n < estimate.EqualMin {
				return 0
			}
		}
		margin = t.quantile(int(n)-1) * math.Sqrt(both.Variance(sd, int(n), 2))
	}
	switch {
	case mean-margin > 0:
		return 1
	case mean+margin < 0:
		return -1
	}
	return 0
}

// quantile returns the two-sided 95 % critical value of Student's t distribution with the given
// degrees of freedom. It caches the values, because computing one takes longer than the rest of the
// comparison of two points.
func (t *SweepTable) quantile(freedom int) float64 {
	q, known := t.quantiles[freedom]
	if !known {
		q = estimate.Quantile(float64(freedom), estimate.Level)
		if t.quantiles == nil {
			t.quantiles = map[int]float64{}
		}
		t.quantiles[freedom] = q
	}
	return q
}
