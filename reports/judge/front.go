package judge

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"mmsim/reports/outcome"
)

// TradeOff returns the first two metrics of a sweep that have a better direction. A metric
// without one cannot be traded off, because none of its values is better than another.
func (t *SweepTable) TradeOff() (x, y int, ok bool) {
	var list []int
	for i, name := range t.Metrics {
		if outcome.BetterOf(name) != outcome.BetterNot {
			list = append(list, i)
		}
	}
	if len(list) < 2 {
		return 0, 0, false
	}
	return list[0], list[1], true
}

// Front lists the points that no other point beats in two metrics. A point beats another if it
// is better in one metric and not worse in the other. Points are compared by the interval of
// their difference over the runs, which use the same random numbers; if the interval includes
// 0, neither point is better. A single run has no interval: then the numbers themselves decide.
func (t *SweepTable) Front(x, y int) []int {
	var front []int
	directions := [2]int{direction(t.Metrics[x]), direction(t.Metrics[y])}
	for i := range t.Estimates[x] {
		beaten := math.IsNaN(t.Estimates[x][i].Mean) || math.IsNaN(t.Estimates[y][i].Mean)
		for j := 0; j < len(t.Estimates[x]) && !beaten; j++ {
			inX, inY := directions[0]*t.above(x, j, i), directions[1]*t.above(y, j, i)
			beaten = inX+inY > 0 && min(inX, inY) >= 0
		}
		if !beaten {
			front = append(front, i)
		}
	}
	return front
}

// direction returns 1 for a metric that is better when it is higher, -1 for one that is better
// when it is lower.
func direction(metric string) int {
	if outcome.BetterOf(metric) == outcome.BetterLower {
		return -1
	}
	return 1
}

// above returns 1 if a metric of a point is higher than that of another one, -1 if it is lower,
// and 0 if no difference is shown.
func (t *SweepTable) above(metric, point, other int) int {
	a, b := t.runs[metric][point], t.runs[metric][other]
	n, mean, squares := 0, 0.0, 0.0 // Welford's sums: this runs for every pair of points
	for i := range min(len(a), len(b)) {
		if d := a[i] - b[i]; !math.IsNaN(d) {
			n++
			step := d - mean
			mean += step / float64(n)
			squares += step * (d - mean)
		}
	}
	margin := 0.0
	if n > 1 && squares > 0 {
		margin = t.quantile(n-1) * math.Sqrt(squares/float64(n-1)/float64(n))
	}
	switch {
	case mean-margin > 0:
		return 1
	case mean+margin < 0:
		return -1
	}
	return 0
}

// quantile returns the factor of a 95 % interval of Student's t. It is kept by the degrees of
// freedom, because it takes longer than all else that a pair of points needs.
func (t *SweepTable) quantile(freedom int) float64 {
	q, known := t.quantiles[freedom]
	if !known {
		q = distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(1 - level/2)
		if t.quantiles == nil {
			t.quantiles = map[int]float64{}
		}
		t.quantiles[freedom] = q
	}
	return q
}
