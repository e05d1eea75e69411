package estimate

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the level of all intervals of means. Level is the chance of reporting a difference where
// there is none.
const (
	Confidence = 0.95
	Level      = 1 - Confidence
)

// EqualMin is the number of equal differences, other than 0, that have an interval. Two runs often
// differ by the same number by chance: a count of 0 or 1, or a percentile that is one tick higher.
const EqualMin = 3

// Interval is a mean, or a difference between two means, with its uncertainty.
type Interval struct {
	N          int     // pairs, or for unpaired samples the runs of the smaller one, that have the metric
	Of         int     // all pairs or runs; if more than N, there is no interval
	Difference float64 // between the means; NaN if N is 0
	Low, High  float64 // confidence interval; NaN if it is not known
	P          float64 // two-sided p-value of the hypothesis of no difference; NaN if there is no interval
	Constant   bool    // every pair has the same difference, or without pairs, no side varies

	sd            float64 // standard deviation of the difference between two single runs; NaN if N is less than 2
	isPaired      bool
	precision     Precision
	standardError float64 // of the difference between the means
	roundings     float64 // number of rounded values that a difference of two single runs is computed from
}

// Same reports whether there is no difference at all: in no pair, or without pairs, in no run.
func (i *Interval) Same() bool {
	return i.N > 0 && i.N == i.Of && i.Constant && Equal(i.Difference, 0)
}

// Known reports whether the difference has an interval.
func (i *Interval) Known() bool { return !math.IsNaN(i.Low) }

// Precision says how exactly a metric is measured.
type Precision struct {
	Step float64 // the smallest amount by which its values can change
	// Resampled says that the runs drew their players anew from one file (dataset.resample). All
	// of them vary around that file, which itself is one draw from the law of the day. So the
	// variance of their mean is that of one run more: s²/n for the runs, and s² for the file.
	Resampled bool
}

// Variance returns the variance of the mean of n values with the standard deviation sd.
//
// A number that is rounded to a multiple of step is off by a uniform error with the standard
// deviation step/√12, and a difference of two such numbers by √2 times that. Values can be equal by
// chance, so the error of their roundings is the least standard deviation of a value. Without it,
// equal values would have an interval of width 0.
func (p Precision) Variance(sd float64, n int, roundings float64) float64 {
	s := max(sd, p.Step*math.Sqrt(roundings/12))
	if p.Resampled {
		return s * s * (1 + 1/float64(n))
	}
	return s * s / float64(n)
}

// Equal reports whether two numbers differ by no more than the rounding error of a computation.
func Equal(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

// Moments summarises the values of a metric over runs. An aggregate has moments even though the
// values of its runs are unknown.
type Moments struct {
	N, Of    int     // runs that have the metric, and all runs
	Mean, SD float64 // SD is 0 for a single value
}

// MomentsOf returns the moments of the values, ignoring NaNs.
func MomentsOf(values []float64) Moments {
	there := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	m := Moments{N: len(there), Of: len(values), Mean: math.NaN()}
	if m.N > 0 {
		m.Mean = stat.Mean(there, nil)
	}
	if m.N > 1 && slices.Max(there) > slices.Min(there) { // equal values have no rounding error of a mean
		m.SD = stat.StdDev(there, nil)
	}
	return m
}

// Paired estimates the mean of differences by Student's t. The differences must be independent of
// each other and roughly normally distributed. The two sides of a pair may depend on each other,
// because the effect of their shared random numbers cancels out. miss is the chance that the
// interval does not contain the true mean.
func Paired(differences []float64, p Precision, miss float64) Interval {
	return single(MomentsOf(differences), 2, p, miss)
}

// Single estimates the mean of a sample by Student's t.
func Single(m Moments, p Precision, miss float64) Interval { return single(m, 1, p, miss) }

func single(m Moments, roundings float64, p Precision, miss float64) Interval {
	return student(Interval{
		N: m.N, Of: m.Of, Difference: m.Mean, sd: m.SD, isPaired: true, precision: p, roundings: roundings, Constant: Equal(m.SD, 0),
	}, float64(m.N-1), miss)
}

// Unpaired estimates b - factor*a from independent samples by Welch's t. If the samples do use
// the same random numbers, so that they rise and fall together, the interval is too wide, but
// never too narrow.
func Unpaired(a, b Moments, factor float64, p Precision, miss float64) Interval {
	i := Interval{
		N: min(a.N, b.N), Of: min(a.Of, b.Of), Difference: b.Mean - float64(factor*a.Mean), sd: math.Hypot(factor*a.SD, b.SD),
		precision: p, roundings: 2, Constant: Equal(a.SD, 0) && Equal(b.SD, 0),
	}
	if a.N < a.Of || b.N < b.Of {
		i.Of = max(i.Of, i.N+1)
	}
	freedom := float64(i.N - 1)
	if i.N > 1 {
		va, vb := factor*factor*p.Variance(a.SD, a.N, 1), p.Variance(b.SD, b.N, 1)
		i.standardError = math.Sqrt(va + vb)
		if va+vb > 0 {
			freedom = (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
		}
	}
	return student(i, freedom, miss)
}

// Quantile returns the two-sided critical value of Student's t distribution.
func Quantile(freedom, miss float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - miss/2)
}

// student computes the interval and the p-value. There is no interval for a single run, for equal
// differences of fewer than EqualMin runs, nor if only some of the runs have the metric: the
// others lack it for a reason, so that the rest is no sample of all.
func student(i Interval, freedom, miss float64) Interval {
	i.Low, i.High, i.P = math.NaN(), math.NaN(), math.NaN()
	if i.N < 2 {
		i.sd = math.NaN()
		return i
	}
	if i.N < i.Of || i.Constant && !Equal(i.Difference, 0) && i.N < EqualMin {
		return i
	}
	if i.isPaired {
		i.standardError = math.Sqrt(i.precision.Variance(i.sd, i.N, i.roundings))
	}
	i.Low, i.High, i.P = i.Difference, i.Difference, 0
	switch {
	case i.standardError > 0:
		margin := Quantile(freedom, miss) * i.standardError
		i.Low, i.High = i.Difference-margin, i.Difference+margin
		i.P = 2 * distuv.StudentsT{Sigma: 1, Nu: freedom}.Survival(math.Abs(i.Difference)/i.standardError)
	case Equal(i.Difference, 0):
		i.P = 1
	}
	return i
}

// RunsMax is the number of runs up to which RunsNeeded searches.
const RunsMax = 10_000

// RunsNeeded returns how many runs of each side would separate the difference from 0, if the true
// difference is as large as the observed one. It returns RunsMax+1 if that takes more than RunsMax
// runs, and 0 if the number is unknown. miss is the chance that an interval does not contain the
// true value.
func (i *Interval) RunsNeeded(miss float64) int {
	if !i.Known() || i.Difference == 0 {
		return 0
	}
	isNarrow := func(n int) bool {
		freedom := float64(n - 1)
		if !i.isPaired {
			freedom *= 2
		}
		return Quantile(freedom, miss)*math.Sqrt(i.precision.Variance(i.sd, n, i.roundings)) < math.Abs(i.Difference)
	}
	return 2 + sort.Search(RunsMax-1, func(more int) bool { return isNarrow(2 + more) })
}

// Holm corrects the p-values of a family of tests by Holm's method, so that the chance of any
// false finding in the family is at most Level. In a family of n tests it multiplies the smallest
// p-value by n, the next by n-1, and so on. NaNs are not tests and remain unchanged.
func Holm(ps []float64) []float64 {
	order := make([]int, 0, len(ps))
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ps[i], ps[j]) })
	corrected, highest := slices.Clone(ps), 0.0
	for rank, i := range order {
		highest = max(highest, min(1, ps[i]*float64(len(order)-rank)))
		corrected[i] = highest
	}
	return corrected
}
