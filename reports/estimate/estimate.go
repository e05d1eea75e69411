// Package estimate says how certain numbers are: shares, means, medians and differences between means,
// with their intervals, and the waits after which players cancel. It knows numbers only; package judge
// draws conclusions about metrics from them.
package estimate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// z is the number of standard deviations on each side of a 95 % interval.
var z = distuv.UnitNormal.Quantile(0.975)

// Estimate is an estimated value with its 95 % interval. N is the number of values behind it.
type Estimate struct {
	Value, Low, High float64
	N                int
}

// Share estimates a probability from k of n, with Wilson's interval. n must be above 0.
func Share(k, n int) Estimate {
	p, m := float64(k)/float64(n), float64(n)
	z2 := float64(z * z)
	middle := (p + z2/(2*m)) / (1 + z2/m)
	half := z / (1 + z2/m) * math.Sqrt(float64(p*(1-p))/m+z2/(4*m*m))
	return Estimate{p, max(0, middle-half), min(1, middle+half), n}
}

// Mean estimates the mean of values, with a normal interval. Of a single value, the interval is that
// value only. There must be a value.
func Mean(values []float64) Estimate {
	mean, sd := meanSD(values)
	half := z * sd / math.Sqrt(float64(len(values)))
	return Estimate{mean, mean - half, mean + half, len(values)}
}

// SD estimates the standard deviation of values, with the interval that it has if they are normal.
// There must be a value; the standard deviation of a single one is 0.
func SD(values []float64) Estimate {
	_, sd := meanSD(values)
	half := 0.0
	if n := len(values); n > 1 {
		half = z * sd / math.Sqrt(float64(2*(n-1)))
	}
	return Estimate{sd, max(0, sd-half), sd + half, len(values)}
}

func meanSD(values []float64) (mean, sd float64) {
	if len(values) == 1 {
		return values[0], 0
	}
	return stat.MeanStdDev(values, nil)
}

// Median estimates the median of values, which it sorts. Its interval is between the values whose
// ranks a median has in 95 % of samples. There must be a value.
func Median(values []float64) Estimate {
	slices.Sort(values)
	n := len(values)
	half := z * math.Sqrt(float64(n)) / 2
	low, high := int(math.Floor(float64(n)/2-half)), int(math.Ceil(float64(n)/2+half))
	return Estimate{stat.Quantile(0.5, stat.Empirical, values, nil), values[max(0, low-1)], values[min(n-1, high)], n}
}
