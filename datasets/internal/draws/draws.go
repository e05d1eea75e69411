// Package draws maps uniform bits to choices and numbers, the same on every
// processor.
package draws

import (
	"math"
	"math/bits"
)

// Below maps a draw to 0..n-1 with one multiplication. Its bias of at most n/2^64 is far
// below anything that a simulation could show.
func Below(draw, n uint64) uint64 {
	hi, _ := bits.Mul64(draw, n)
	return hi
}

// Chance is a probability with 53 bits, to compare with draws; 0 never happens and 1 always
// does.
type Chance uint64

// NewChance returns the chance of a probability from 0 to 1.
func NewChance(p float64) Chance { return Chance(math.Ldexp(p, 53)) }

// Holds reports whether the event of a draw happens.
func (c Chance) Holds(draw uint64) bool { return draw>>11 < uint64(c) }

// Exponential maps a draw to an exponentially distributed value of mean 1.
func Exponential(draw uint64) float64 {
	return -logarithm((float64(draw>>12) + 0.5) * 0x1p-52) // inside (0, 1), never at its ends
}

// logarithm is the natural logarithm for x > 0. The last bit of the standard library's
// function may differ between processors, and results with it. Here every product is rounded
// before it is added.
func logarithm(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	s := (fraction - 1) / (fraction + 1) // at most 0.1716 either way
	square := float64(s * s)
	sum := 0.0
	for k := 23; k >= 1; k -= 2 { // ln((1+s)/(1-s)) = 2 (s + s³/3 + s⁵/5 + …)
		sum = float64(sum*square) + 1/float64(k)
	}
	return float64(2*s*sum) + float64(float64(exponent)*math.Ln2)
}

// Bell maps a draw to a value of mean 0 and variance 1 that is close to normal
// and never beyond 3.5: the sum of its four quarters. Exact on all processors.
func Bell(draw uint64) float64 {
	const mean, sd = 4 * 65535 / 2.0, 37837.2 // sd² = 4 (65536² - 1) / 12
	sum := draw&0xffff + draw>>16&0xffff + draw>>32&0xffff + draw>>48
	return (float64(sum) - mean) / sd
}
