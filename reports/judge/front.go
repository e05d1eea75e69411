package judge

import (
	"math"

	"mmsim/reports/outcome"
)

// TradeOff returns the first two metrics of a sweep that have a better direction. Without
// one, no value of a metric beats another; so fewer than two of them trade nothing off.
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

// Front lists the points that no other point beats in two metrics: better in one, and not
// worse in the other. Points are better or worse by the interval of their difference over
// the runs, which share their draws; a difference whose interval includes 0 decides nothing.
// Of a single run there is no interval, and the numbers decide.
func (t *SweepTable) Front(x, y int) []int {
	var front []int
	for i := range t.Estimates[x] {
		beaten := math.IsNaN(t.Estimates[x][i].Mean) || math.IsNaN(t.Estimates[y][i].Mean)
		for j := range t.Estimates[x] {
			inX, inY := t.beats(x, j, i), t.beats(y, j, i)
			beaten = beaten || inX+inY > 0 && min(inX, inY) >= 0
		}
		if !beaten {
			front = append(front, i)
		}
	}
	return front
}

// beats returns 1 if a point is better than another one in a metric, -1 if it is worse, and
// 0 if no difference is shown.
func (t *SweepTable) beats(metric, point, other int) int {
	a, b := t.runs[metric][point], t.runs[metric][other]
	differences := make([]float64, min(len(a), len(b)))
	for i := range differences {
		differences[i] = a[i] - b[i]
	}
	d := paired(differences, level)
	low, high := d.low, d.high
	if d.n == 1 {
		low, high = d.difference, d.difference
	}
	sign := 0
	switch {
	case low > 0:
		sign = 1
	case high < 0:
		sign = -1
	}
	if outcome.BetterOf(t.Metrics[metric]) == outcome.BetterLower {
		sign = -sign
	}
	return sign
}
