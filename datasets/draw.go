package datasets

import (
	"math"
	"math/bits"
)

// A Draw returns 64 uniform bits, a pure function of its arguments: the k-th
// draw about an entity. The same arguments always give the same bits, in any
// order and from any goroutine; that is what lets two runs see the same joins.
type Draw func(entity, k uint64) uint64

// Draws holds one Draw for every purpose of this package. The streams must be
// independent of each other. A draw that an option makes needless is never
// called and may be nil.
type Draws struct {
	Thin     Draw // which rows of a file of several days are kept
	Copies   Draw // whether a fractional scale gives a row one copy more
	Jitter   Draw // when and where the copies of a row join
	Spread   Draw // the instant inside the second of a join
	Party    Draw // sizes of generated parties
	Arrivals Draw // the built-in day: its towns and its joins

	Attributes Draw // generated attributes, by Person.Entity
	Friends    Draw // the generated graph of friends, by Person.Entity
}

// below maps a draw to 0..n-1. The bias of at most n/2^64 is far below anything
// that a simulation could show, and keeps a draw one multiplication.
func below(draw, n uint64) uint64 {
	hi, _ := bits.Mul64(draw, n)
	return hi
}

// chance is a probability with 53 bits, ready to be held against draws; 0 never
// happens and 1 always does.
type chance uint64

func newChance(p float64) chance { return chance(math.Ldexp(p, 53)) }

// holds reports whether the event of a draw happens.
func (c chance) holds(draw uint64) bool { return draw>>11 < uint64(c) }

// exponential maps a draw to an exponentially distributed value of mean 1.
func exponential(draw uint64) float64 {
	return -logarithm((float64(draw>>12) + 0.5) * 0x1p-52) // inside (0, 1), never at its ends
}

// logarithm is the natural logarithm for x > 0. The standard library's may
// differ in its last bit between processors, and then a day would, too: every
// product here is rounded before it is added.
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

// bell maps a draw to a value of mean 0 and variance 1 that is close to normal
// and never beyond 3.5: the sum of its four quarters. Exact on all processors.
func bell(draw uint64) float64 {
	const mean, sd = 4 * 65535 / 2.0, 37837.2 // sd² = 4 (65536² - 1) / 12
	sum := draw&0xffff + draw>>16&0xffff + draw>>32&0xffff + draw>>48
	return (float64(sum) - mean) / sd
}
