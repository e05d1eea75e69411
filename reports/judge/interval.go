package judge

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is the level of all intervals. level is the chance of reporting a difference where
// there is none.
const (
	confidence = 0.95
	level      = 1 - confidence
)

// interval is a difference between two means, with its uncertainty.
type interval struct {
	n          int     // pairs, or for unpaired samples the runs of the smaller one
	difference float64 // between the means; NaN if n is 0
	low, high  float64 // confidence interval; NaN if n is less than 2
	p          float64 // two-sided p-value of the hypothesis of no difference; NaN if n is less than 2
	sd         float64 // standard deviation of the difference between two single runs; NaN if n is less than 2
	paired     bool
}

// momentsOf returns the moments of the values, ignoring NaNs.
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

// paired estimates the mean of differences by Student's t. The differences must be independent of
// each other and roughly normally distributed. The two sides of a pair may depend on each other,
// because the effect of their shared random numbers cancels out. miss is the chance that the
// interval does not contain the true mean.
func paired(differences []float64, miss float64) interval {
	m := momentsOf(differences)
	return student(interval{n: m.n, difference: m.mean, sd: m.sd, paired: true},
		m.sd/math.Sqrt(float64(m.n)), float64(m.n-1), miss)
}

// unpaired estimates b - factor*a from independent samples by Welch's t. If the samples do use
// the same random numbers, so that they rise and fall together, the interval is too wide, but
// never too narrow.
func unpaired(a, b moments, factor, miss float64) interval {
	va, vb := factor*factor*a.sd*a.sd/float64(a.n), b.sd*b.sd/float64(b.n)
	freedom := (va + vb) * (va + vb) / (va*va/float64(a.n-1) + vb*vb/float64(b.n-1))
	if va+vb == 0 {
		freedom = 1 // any number would do: neither side varies
	}
	return student(interval{
		n: min(a.n, b.n), difference: b.mean - factor*a.mean,
		sd: math.Hypot(factor*a.sd, b.sd),
	}, math.Sqrt(va+vb), freedom, miss)
}

// student computes the interval and the p-value. If the standard error is 0, the difference is
// exact.
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

// RunsMax is the number of runs up to which runsNeeded searches.
const RunsMax = 10_000

// runsNeeded returns how many runs of each side would show the difference, if the true difference
// is as large as the observed one. It returns RunsMax+1 if that takes more than RunsMax runs,
// and 0 if the number is unknown.
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
	// Start at the lower bound that the normal distribution gives. Student's t needs a few more
	// runs.
	normal := 1.95 * i.sd / i.difference
	n := 2 + int(min(RunsMax, normal*normal))
	for n <= RunsMax && !narrow(n) {
		n++
	}
	return min(n, RunsMax+1)
}

// holm corrects the p-values of a family of tests by Holm's method, so that the chance of any
// false finding in the family is at most level. In a family of n tests it multiplies the smallest
// p-value by n, the next by n-1, and so on. NaNs are not tests and remain unchanged.
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
