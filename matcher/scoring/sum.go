package scoring

import (
	"fmt"
	"math"
	"math/bits"
)

// sum is the exact sum of numbers: a whole number of 2^-64, 128 bits wide. A float
// would keep a residue of everybody who ever came and left, and two equal servers
// would no longer tie. Numbers are at most MaxNumber and a server has at most
// MaxSeats of them, so that it cannot overflow.
type sum struct {
	high int64
	low  uint64
}

const two64 = 1 << 64

// exactly returns the number in steps of 2^-64, which loses nothing of numbers
// above 0.0003 and at most 6e-20 of smaller ones.
func exactly(number float64) sum {
	if !(math.Abs(number) <= MaxNumber) {
		panic(fmt.Sprintf("scoring: the number %v in a score, expected at most %v", number, MaxNumber))
	}
	whole, fraction := math.Modf(math.Abs(number))
	s := sum{int64(whole), uint64(fraction * two64)}
	if number < 0 {
		return s.negated()
	}
	return s
}

func (s sum) plus(t sum) sum {
	low, carry := bits.Add64(s.low, t.low, 0)
	return sum{s.high + t.high + int64(carry), low}
}

func (s sum) negated() sum {
	low, borrow := bits.Sub64(0, s.low, 0)
	return sum{-s.high - int64(borrow), low}
}

// float returns the sum as the nearest double, give or take one unit in the last
// place. It depends on nothing but the sum.
func (s sum) float() float64 {
	if s.high < 0 {
		return -s.negated().float()
	}
	return float64(s.high) + float64(s.low)/two64
}
