// Package draws converts uniform random bits to choices and numbers, with equal results on every
// processor.
package draws

import (
	"math"
	"math/bits"
)

// Below converts a draw to a number from 0 to n-1 with a single multiplication. Its bias, at most
// n/2^64, is far too small to affect a simulation.
func Below(draw, n uint64) uint64 {
	hi, _ := bits.Mul64(draw, n)
	return hi
}

// Chance is a probability with 53 bits. An event with chance 0 never happens, and one with chance 1
// always does.
type Chance uint64

// NewChance returns the Chance for a probability from 0 to 1.
func NewChance(p float64) Chance { return Chance(math.Ldexp(p, 53)) }

// Holds reports whether the event happens for a draw.
func (c Chance) Holds(draw uint64) bool { return draw>>11 < uint64(c) }

// PoissonMax is the maximum result of Poisson. Larger values have a total chance below 1e-17.
const PoissonMax = 18

// upTo has the chances that a Poisson variable with mean 1 is at most its index.
var upTo = func() (chances [PoissonMax]Chance) {
	exactly, sum := 1/math.E, 0.0
	for k := range chances {
		sum += exactly
		chances[k] = NewChance(sum)
		exactly /= float64(k + 1)
	}
	return chances
}()

// Poisson converts a draw to a number with the Poisson distribution of mean 1.
func Poisson(draw uint64) int {
	k := 0
	for k < PoissonMax && !upTo[k].Holds(draw) {
		k++
	}
	return k
}

// Exponential converts a draw to an exponentially distributed value with mean 1.
func Exponential(draw uint64) float64 {
	return -logarithm((float64(draw>>12) + 0.5) * 0x1p-52) // inside (0, 1), never 0 or 1
}

// logarithm returns the natural logarithm of x > 0. The standard library's function may differ in
// the last bit between processors, which would change results. Here every product is rounded before
// it is added.
func logarithm(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	s := (fraction - 1) / (fraction + 1) // at most 0.1716 in absolute value
	square := float64(s * s)
	sum := 0.0
	for k := 23; k >= 1; k -= 2 { // ln((1+s)/(1-s)) = 2 (s + s³/3 + s⁵/5 + …)
		sum = float64(sum*square) + 1/float64(k)
	}
	return float64(2*s*sum) + float64(float64(exponent)*math.Ln2)
}

// Bell converts a draw to a nearly normal value with mean 0, variance 1 and absolute value at most
// 3.5. The value is the sum of the draw's four 16-bit quarters, which is exact on all processors.
func Bell(draw uint64) float64 {
	const mean, sd = 4 * 65535 / 2.0, 37837.2 // sd² = 4 (65536² - 1) / 12
	sum := draw&0xffff + draw>>16&0xffff + draw>>32&0xffff + draw>>48
	return (float64(sum) - mean) / sd
}
