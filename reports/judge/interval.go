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

// equalMin is the number of equal differences, other than 0, that have an interval. Two runs often
// differ by the same number by chance: a count of 0 or 1, or a percentile that is one tick higher.
const equalMin = 3

// interval is a difference between two means, with its uncertainty.
type interval struct {
	n          int     // pairs, or for unpaired samples the runs of the smaller one, that have the metric
	of         int     // all pairs or runs; if more than n, there is no interval
	difference float64 // between the means; NaN if n is 0
	low, high  float64 // confidence interval; NaN if it is not known
	p          float64 // two-sided p-value of the hypothesis of no difference; NaN if there is no interval
	sd         float64 // standard deviation of the difference between two single runs; NaN if n is less than 2
	paired     bool
	precision

	standardError float64 // of the difference between the means
	roundings     float64 // number of rounded values that a difference of two single runs is computed from
	constant      bool    // every pair has the same difference, or without pairs, no side varies
}

// same reports whether there is no difference at all: in no pair, or without pairs, in no run.
func (i *interval) same() bool {
	return i.n > 0 && i.n == i.of && i.constant && equal(i.difference, 0)
}

// known reports whether the difference has an interval.
func (i *interval) known() bool { return !math.IsNaN(i.low) }

// precision says how exactly a metric is measured.
type precision struct {
	step float64 // the smallest amount by which its values can change
	// resampled says that the runs drew their players anew from one file (dataset.resample). All
	// of them vary around that file, which itself is one draw from the law of the day. So the
	// variance of their mean is that of one run more: s²/n for the runs, and s² for the file.
	resampled bool
}

// variance returns the variance of the mean of n values with the standard deviation sd.
//
// A number that is rounded to a multiple of step is off by a uniform error with the standard
// deviation step/√12, and a difference of two such numbers by √2 times that. Values can be equal by
// chance, so the error of their roundings is the least standard deviation of a value. Without it,
// equal values would have an interval of width 0.
func (p precision) variance(sd float64, n int, roundings float64) float64 {
	s := max(sd, p.step*math.Sqrt(roundings/12))
	if p.resampled {
		return s * s * (1 + 1/float64(n))
	}
	return s * s / float64(n)
}

// equal reports whether two numbers differ by no more than the rounding error of a computation.
func equal(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

// momentsOf returns the moments of the values, ignoring NaNs.
func momentsOf(values []float64) moments {
	there := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	m := moments{n: len(there), of: len(values), mean: math.NaN()}
	if m.n > 0 {
		m.mean = stat.Mean(there, nil)
	}
	if m.n > 1 && slices.Max(there) > slices.Min(there) { // equal values have no rounding error of a mean
		m.sd = stat.StdDev(there, nil)
	}
	return m
}

// paired estimates the mean of differences by Student's t. The differences must be independent of
// each other and roughly normally distributed. The two sides of a pair may depend on each other,
// because the effect of their shared random numbers cancels out. miss is the chance that the
// interval does not contain the true mean.
func paired(differences []float64, p precision, miss float64) interval {
	m := momentsOf(differences)
	return student(interval{
		n: m.n, of: m.of, difference: m.mean, sd: m.sd, paired: true, precision: p, roundings: 2,
		constant: equal(m.sd, 0),
	}, float64(m.n-1), miss)
}

// single estimates the mean of a sample by Student's t.
func single(m moments, p precision, miss float64) interval {
	return student(interval{
		n: m.n, of: m.of, difference: m.mean, sd: m.sd, paired: true, precision: p, roundings: 1,
		constant: equal(m.sd, 0),
	}, float64(m.n-1), miss)
}

// unpaired estimates b - factor*a from independent samples by Welch's t. If the samples do use
// the same random numbers, so that they rise and fall together, the interval is too wide, but
// never too narrow.
func unpaired(a, b moments, factor float64, p precision, miss float64) interval {
	i := interval{
		n: min(a.n, b.n), of: min(a.of, b.of), difference: b.mean - float64(factor*a.mean), sd: math.Hypot(factor*a.sd, b.sd),
		precision: p, roundings: 2, constant: equal(a.sd, 0) && equal(b.sd, 0),
	}
	if a.n < a.of || b.n < b.of {
		i.of = max(i.of, i.n+1)
	}
	freedom := float64(i.n - 1)
	if i.n > 1 {
		va, vb := factor*factor*p.variance(a.sd, a.n, 1), p.variance(b.sd, b.n, 1)
		i.standardError = math.Sqrt(va + vb)
		if va+vb > 0 {
			freedom = (va + vb) * (va + vb) / (va*va/float64(a.n-1) + vb*vb/float64(b.n-1))
		}
	}
	return student(i, freedom, miss)
}

// student computes the interval and the p-value. There is no interval for a single run, for equal
// differences of fewer than equalMin runs, nor if only some of the runs have the metric: the
// others lack it for a reason, so that the rest is no sample of all.
func student(i interval, freedom, miss float64) interval {
	i.low, i.high, i.p = math.NaN(), math.NaN(), math.NaN()
	if i.n < 2 {
		i.sd = math.NaN()
		return i
	}
	if i.n < i.of || i.constant && !equal(i.difference, 0) && i.n < equalMin {
		return i
	}
	if i.paired {
		i.standardError = math.Sqrt(i.variance(i.sd, i.n, i.roundings))
	}
	i.low, i.high, i.p = i.difference, i.difference, 0
	switch {
	case i.standardError > 0:
		t := distuv.StudentsT{Sigma: 1, Nu: freedom}
		margin := t.Quantile(1-miss/2) * i.standardError
		i.low, i.high = i.difference-margin, i.difference+margin
		i.p = 2 * t.Survival(math.Abs(i.difference)/i.standardError)
	case equal(i.difference, 0):
		i.p = 1
	}
	return i
}

// RunsMax is the number of runs up to which runsNeeded searches.
const RunsMax = 10_000

// runsNeeded returns how many runs of each side would separate the difference from 0, if the true
// difference is as large as the observed one. It returns RunsMax+1 if that takes more than RunsMax
// runs, and 0 if the number is unknown. miss is the chance that an interval does not contain the
// true value.
func (i *interval) runsNeeded(miss float64) int {
	if !i.known() || i.difference == 0 {
		return 0
	}
	narrow := func(n int) bool {
		freedom := float64(n - 1)
		if !i.paired {
			freedom *= 2
		}
		t := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - miss/2)
		return t*math.Sqrt(i.variance(i.sd, n, i.roundings)) < math.Abs(i.difference)
	}
	if !narrow(RunsMax) {
		return RunsMax + 1
	}
	low, high := 1, RunsMax // the interval is too wide for low runs, and narrow enough for high runs
	for high-low > 1 {
		if middle := (low + high) / 2; narrow(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
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
