package season

import "math"

// The two parts of ln 2. The first has so few bits that its product with an exponent is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// exp returns e to the power of x with an error below one unit in the last place. It is the
// algorithm of e_exp.c in fdlibm (Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that
// this notice is preserved).
func exp(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > 709.78:
		return x * math.Inf(1)
	case x < -708: // results below would be subnormal
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	high, low := x-float64(k*ln2High), float64(k*ln2Low)
	r := high - low
	t := float64(r * r)
	c := -1.65339022054652515390e-06 + float64(t*4.13813679705723846039e-08)
	c = 6.61375632143793436117e-05 + float64(t*c)
	c = -2.77777777770155933842e-03 + float64(t*c)
	c = 1.66666666666666019037e-01 + float64(t*c)
	c = r - float64(t*c)
	y := 1 - ((low - float64(r*c)/(2-c)) - high)
	return math.Float64frombits(math.Float64bits(y) + uint64(int64(k))<<52) // y times 2^k
}

// log returns the natural logarithm of a normal number x > 0 with an error below one unit in the
// last place. It is the algorithm of e_log.c in fdlibm, see exp.
func log(x float64) float64 {
	bits := math.Float64bits(x)
	k := int64(bits>>52) - 1022
	f := math.Float64frombits(bits&(1<<52-1) | 1022<<52) // in [1/2, 1)
	if f < math.Sqrt2/2 {
		f *= 2
		k--
	}
	f--
	s := f / (2 + f)
	square := float64(s * s)
	r := 1.531383769920937332e-01 + float64(square*1.479819860511658591e-01)
	r = 1.818357216161805012e-01 + float64(square*r)
	r = 2.222219843214978396e-01 + float64(square*r)
	r = 2.857142874366239149e-01 + float64(square*r)
	r = 3.999999999940941908e-01 + float64(square*r)
	r = 6.666666666666735130e-01 + float64(square*r)
	r = float64(square * r)
	half := float64(0.5 * float64(f*f))
	exponent := float64(k)
	return float64(exponent*ln2High) - ((half - (float64(s*(half+r)) + float64(exponent*ln2Low))) - f)
}

// logistic returns 1/(1+e^-x).
func logistic(x float64) float64 {
	if x < 0 {
		e := exp(x) // precise near 0
		return e / (1 + e)
	}
	return 1 / (1 + exp(-x))
}

// chances returns logistic(x) and logistic(-x), because 1 - logistic(x) would lose all digits for a
// large x.
func chances(x float64) (of, against float64) {
	e := exp(-math.Abs(x))
	of, against = 1/(1+e), e/(1+e)
	if x < 0 {
		return against, of
	}
	return of, against
}

// density returns the density of the standard normal distribution.
func density(x float64) float64 { return exp(-float64(x*x)/2) / sqrt2Pi }

const sqrt2Pi = 2.50662827463100050241576528481104525301

// below returns the chance that a standard normal variable is below x. Its relative error is below
// 1e-13.
func below(x float64) float64 {
	switch {
	case x < -tailBegins:
		return float64(density(x) * mills(-x))
	case x > tailBegins:
		return 1 - float64(density(x)*mills(x))
	}
	// The series of Marsaglia (2004): 1/2 + density (x + x³/3 + x⁵/15 + …), all of one sign.
	sum, term, square := x, x, float64(x*x)
	for k := 3.0; k < 200 && sum+term != sum; k += 2 { // at most 40 terms, unless x is not a number
		term = float64(term*square) / k
		sum += term
	}
	return 0.5 + float64(density(x)*sum)
}

// tailBegins is where the continued fraction of mills begins to converge quickly.
const tailBegins = 3

// mills returns the chance that a standard normal variable is above x, divided by the density at x.
// x must be at least tailBegins. It evaluates the continued fraction 1/(x+1/(x+2/(x+3/(x+…)))).
func mills(x float64) float64 {
	const levels = 60 // enough for 15 digits at tailBegins
	tail := x
	for k := float64(levels); k >= 1; k-- {
		tail = x + k/tail
	}
	return 1 / tail
}

// densityOverBelow returns density(x)/below(x), also where both are too small for a float64.
func densityOverBelow(x float64) float64 {
	if x < -tailBegins {
		return 1 / mills(-x)
	}
	return density(x) / below(x)
}

// normalQuantile returns the x with below(x) = p, for p from 1/2 to below 1.
func normalQuantile(p float64) float64 {
	low, high := 0.0, 9.0
	for range 64 {
		if middle := (low + high) / 2; below(middle) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
