package section

import (
	"math"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"mmsim/sim"
)

// WarmupMin and WarmupMax limit the result of StationaryAfter. WarmupMin leaves time for delays that the distributions do
// not contain, such as waits.
const (
	WarmupMin = 2 * time.Hour
	WarmupMax = 24 * time.Hour
)

// Older is the share of a stationary population that may have been present for longer than the
// warm-up period.
const Older = 0.01

// Excess returns E[max(0, X-x)] for a random length X in seconds: the mean of the part of X
// above x. This stop-loss transform determines the distribution of X. At 0 it is the mean of
// X.
type Excess func(x float64) float64

// StationaryAfter returns the shortest sufficient warm-up in whole minutes. A warm-up is sufficient if
// less than Older of a stationary population has been present for longer. The result is at
// least WarmupMin and at most WarmupMax. A player's stay is the sum of one or more lengths: after each
// length, the player stays for another one with probability again.
//
// StationaryAfter rounds lengths to a grid of minutes in a way that preserves the mean and the excess at
// every grid point. T(t) is the probability that a stay is longer than t:
//
//	T(t) = P(X > t) + again · Σ P(X = u) T(t-u), u from 0 to t
//
// The share of a stationary population that is older than t is 1 - Σ T(u)/E[stay], for u below
// t. StationaryAfter needs up to 1440² / 2 multiplications, which take about 1 ms. It needs none if again
// is 0.
func StationaryAfter(length Excess, again float64) time.Duration {
	const step = 60.0
	mean := length(0)
	if mean <= 0 {
		return WarmupMin
	}
	most := int(WarmupMax / time.Minute)
	is := make([]float64, 0, most) // is[u] is the probability of a length of u minutes
	longer := make([]float64, 0, most)
	older := 1.0
	for n := range most {
		x := float64(n) * step
		above := (length(x) - length(x+step)) / step
		before := 1.0
		if n > 0 {
			before = (length(x-step) - length(x)) / step
		}
		is = append(is, before-above)
		stays := above
		if again > 0 {
			for u := 1; u <= n; u++ {
				stays += float64(again * is[u] * longer[n-u])
			}
			stays /= 1 - float64(again*is[0])
		}
		longer = append(longer, stays)
		older -= stays * step * (1 - again) / mean
		if after := time.Duration(n+1) * time.Minute; older < Older && after >= WarmupMin {
			return after
		}
	}
	return WarmupMax
}

// SessionExcess returns the Excess of session lengths on servers.
func SessionExcess(l sim.SessionLength) Excess {
	scale := l.Scale.Seconds()
	switch l.Kind {
	case sim.SessionExponential:
		return func(x float64) float64 { return scale * math.Exp(-x/scale) }
	case sim.SessionWeibull:
		return func(x float64) float64 {
			return scale * math.Gamma(1+1/l.Shape) * mathext.GammaIncRegComp(1/l.Shape, math.Pow(x/scale, l.Shape))
		}
	case sim.SessionLogNormal:
		return logNormalExcess(scale, l.SD.Seconds())
	}
	return logNormalExcess(scale, 0)
}

// MatchExcess returns the Excess of the time from the start of a match to the end of the pause after
// it.
func MatchExcess(length sim.Length, pause time.Duration) Excess {
	match, after := logNormalExcess(length.Mean.Seconds(), length.SD.Seconds()), pause.Seconds()
	return func(x float64) float64 {
		if x < after {
			return match(0) + after - x
		}
		return match(x - after)
	}
}

// logNormalExcess returns the Excess of a log-normal length, or of a constant length if sd is
// 0. The formula is the Black-Scholes price of a call option.
func logNormalExcess(mean, sd float64) Excess {
	if sd == 0 {
		return func(x float64) float64 { return max(0, mean-x) }
	}
	sigma := math.Sqrt(math.Log1p(sd * sd / (mean * mean)))
	return func(x float64) float64 {
		if x <= 0 {
			return mean - x
		}
		d := math.Log(mean/x)/sigma + sigma/2
		return float64(mean*distuv.UnitNormal.CDF(d)) - float64(x*distuv.UnitNormal.CDF(d-sigma))
	}
}

// GivenExcess returns the Excess of a length drawn from the list lengths. A NaN in the list is an
// unknown length, and others is its Excess.
func GivenExcess(lengths []float64, others Excess) Excess {
	known := slices.DeleteFunc(slices.Clone(lengths), math.IsNaN)
	slices.Sort(known)
	above := make([]float64, len(known)+1) // above[i] is the sum of known[i:]
	for i := len(known) - 1; i >= 0; i-- {
		above[i] = above[i+1] + known[i]
	}
	all, unknown := float64(len(lengths)), float64(len(lengths)-len(known))
	return func(x float64) float64 {
		i := sort.SearchFloat64s(known, x)
		sum := above[i] - float64(x*float64(len(known)-i))
		if unknown > 0 {
			sum += float64(unknown * others(x))
		}
		return sum / all
	}
}
