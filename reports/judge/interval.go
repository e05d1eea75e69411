package judge

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is the level of all intervals; level is the share of false findings.
const (
	confidence = 0.95
	level      = 1 - confidence
)

// interval is a difference of two means and how far to trust it.
type interval struct {
	n          int     // pairs; of samples that are not paired, the runs of the smaller one
	difference float64 // of the means; NaN if n is 0
	low, high  float64 // confidence interval; NaN if n is below 2
	p          float64 // two-sided, of no difference; NaN if n is below 2
	sd         float64 // of the difference of one run of each; NaN if n is below 2
	paired     bool
}

// momentsOf describes the values that are there.
func momentsOf(values []float64) moments {
	there := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	m := moments{n: len(there), mean: math.NaN()}
	if m.n > 0 {
		m.mean = stat.Mean(there, nil)
	}
	if m.n > 1 {
		m.sd = stat.StdDev(there, nil)
	}
	return m
}

// paired estimates a mean of differences by Student's t. It holds for differences
// that are independent of each other and about normal, however strongly the two sides
// of a pair depend on each other: the draws that they share cancel out. miss is the
// share of intervals that may miss the truth.
func paired(differences []float64, miss float64) interval {
	m := momentsOf(differences)
	return student(interval{n: m.n, difference: m.mean, sd: m.sd, paired: true},
		m.sd/math.Sqrt(float64(m.n)), float64(m.n-1), miss)
}

// unpaired estimates b - factor*a from independent samples by Welch's t. If the
// samples share draws, and so rise and fall together, the interval is too wide, never
// too narrow.
func unpaired(a, b moments, factor, miss float64) interval {
	va, vb := factor*factor*a.sd*a.sd/float64(a.n), b.sd*b.sd/float64(b.n)
	freedom := (va + vb) * (va + vb) / (va*va/float64(a.n-1) + vb*vb/float64(b.n-1))
	if va+vb == 0 {
		freedom = 1 // any: the values of either side are all alike
	}
	return student(interval{
		n: min(a.n, b.n), difference: b.mean - factor*a.mean,
		sd: math.Hypot(factor*a.sd, b.sd),
	}, math.Sqrt(va+vb), freedom, miss)
}

// student completes an interval. Differences without any spread are exact.
func student(i interval, standardError, freedom, miss float64) interval {
	if i.n < 2 {
		i.low, i.high, i.p, i.sd = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return i
	}
	i.low, i.high, i.p = i.difference, i.difference, 0
	switch {
	case standardError > 0:
		t := distuv.StudentsT{Sigma: 1, Nu: freedom}
		margin := t.Quantile(1-miss/2) * standardError
		i.low, i.high = i.difference-margin, i.difference+margin
		i.p = 2 * t.Survival(math.Abs(i.difference)/standardError)
	case i.difference == 0:
		i.p = 1
	}
	return i
}

// RunsMost bounds the answer of runsNeeded.
const RunsMost = 10_000

// runsNeeded is how many runs of each side would show the difference at its level, if
// it is as large as it seems; runsMost+1 if more than that, 0 if it is not known.
func (i interval) runsNeeded() int {
	if i.n < 2 || i.difference == 0 {
		return 0
	}
	narrow := func(n int) bool {
		freedom := float64(n - 1)
		if !i.paired {
			freedom *= 2
		}
		t := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - level/2)
		return t*i.sd/math.Sqrt(float64(n)) < math.Abs(i.difference)
	}
	// The quantile of a normal distribution would do with the fewest; Student's needs
	// a handful more.
	normal := 1.95 * i.sd / i.difference
	n := 2 + int(min(RunsMost, normal*normal))
	for n <= RunsMost && !narrow(n) {
		n++
	}
	return min(n, RunsMost+1)
}

// holm corrects the p of a family of tests, so that the chance of any false finding
// among them is their level: the smallest p is multiplied by the number of tests, the
// next by one less, and so on. NaNs are no tests and stay.
func holm(ps []float64) []float64 {
	order := make([]int, 0, len(ps))
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case ps[i] < ps[j]:
			return -1
		case ps[i] > ps[j]:
			return 1
		}
		return 0
	})
	corrected, highest := slices.Clone(ps), 0.0
	for rank, i := range order {
		highest = max(highest, min(1, ps[i]*float64(len(order)-rank)))
		corrected[i] = highest
	}
	return corrected
}
