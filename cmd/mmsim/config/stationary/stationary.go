// Package stationary computes how long a population takes to become stationary, from the
// distribution of how long players stay.
package stationary

import (
	"math"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"mmsim/sim"
)

// Limits of After. The lower limit leaves time for delays that the distributions do not
// contain, such as waits.
const (
	Min = 2 * time.Hour
	Max = 24 * time.Hour
)

// Older is the share of a stationary population that may have been present for longer than
// the warm-up.
const Older = 0.01

// Excess is the mean of the part of a length above x seconds, E[max(0, X-x)]: the stop-loss
// transform. It determines the distribution, and at 0 it is the mean.
type Excess func(x float64) float64

// After returns the first whole minute for which less than Older of a stationary population
// has been present for longer, within the limits above. A player stays for one length, and
// after each length for another one with the probability again.
//
// Lengths are put on a grid of minutes such that each keeps its mean and the excess at every
// grid point. A stay then exceeds t with the probability
//
//	T(t) = P(X > t) + again · Σ P(X = u) T(t-u), u from 0 to t,
//
// and of a stationary population the share 1 - Σ T(u)/E[stay], u below t, is older than t.
// Cost: up to 1440² / 2 multiplications, 1 ms; none if again is 0.
func After(length Excess, again float64) time.Duration {
	const step = 60.0
	mean := length(0)
	if mean <= 0 {
		return Min
	}
	most := int(Max / time.Minute)
	is := make([]float64, 0, most) // probability of a length of that many minutes
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
				stays += again * is[u] * longer[n-u]
			}
			stays /= 1 - again*is[0]
		}
		longer = append(longer, stays)
		older -= stays * step * (1 - again) / mean
		if after := time.Duration(n+1) * time.Minute; older < Older && after >= Min {
			return after
		}
	}
	return Max
}

// Session returns the Excess of session lengths on servers.
func Session(l sim.SessionLength) Excess {
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

// Match returns the Excess of a match and the pause after it.
func Match(mean, sd, pause time.Duration) Excess {
	match, after := logNormalExcess(mean.Seconds(), sd.Seconds()), pause.Seconds()
	return func(x float64) float64 {
		if x < after {
			return match(0) + after - x
		}
		return match(x - after)
	}
}

// logNormalExcess returns the Excess of a log-normal length, or of a constant one if sd is 0.
// It is the Black-Scholes formula for a call option.
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
		return mean*distuv.UnitNormal.CDF(d) - x*distuv.UnitNormal.CDF(d-sigma)
	}
}

// Given returns the Excess of lengths from a list, in which NaN is a length with the
// distribution others.
func Given(lengths []float64, others Excess) Excess {
	known := slices.DeleteFunc(slices.Clone(lengths), math.IsNaN)
	slices.Sort(known)
	above := make([]float64, len(known)+1) // sum of the lengths from each index on
	for i := len(known) - 1; i >= 0; i-- {
		above[i] = above[i+1] + known[i]
	}
	all, unknown := float64(len(lengths)), float64(len(lengths)-len(known))
	return func(x float64) float64 {
		i := sort.SearchFloat64s(known, x)
		sum := above[i] - x*float64(len(known)-i)
		if unknown > 0 {
			sum += unknown * others(x)
		}
		return sum / all
	}
}
