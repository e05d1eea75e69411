// Package splitmix draws random numbers by key. A draw is a pure function of a key, an entity and
// the number of the draw.
package splitmix

import (
	"math"
	"math/bits"
)

// Stream provides the random draws for one key. Every draw is for an entity. A draw takes about 2
// ns.
type Stream struct{ key uint64 }

// New returns the stream of a key.
func New(key uint64) Stream { return Stream{key} }

// Bits returns the k-th draw for an entity as 64 uniform bits.
func (s Stream) Bits(entity, k uint64) uint64 {
	return Mix(Mix(s.key+entity*golden) + k*golden)
}

// Uniform returns the k-th draw for an entity, uniform in [0, 1).
func (s Stream) Uniform(entity, k uint64) float64 {
	return float64(s.Bits(entity, k)>>11) * 0x1p-53
}

// Normal returns the k-th draw for an entity from the standard normal distribution.
func (s Stream) Normal(entity, k uint64) float64 {
	u := (float64(s.Bits(entity, k)>>12) + 0.5) * 0x1p-52 // inside (0, 1), never 0 or 1
	return math.Sqrt2 * math.Erfinv(2*u-1)
}

// Source returns a sequential generator for the draws of one pass.
func (s Stream) Source(entity, k uint64) Source { return Source{s.Bits(entity, k)} }

// Source is a SplitMix64 generator: a counter and a finaliser, so that creating one costs nothing.
// Its period of 2^64 is far longer than the draws of one pass.
type Source struct{ state uint64 }

func (s *Source) next() uint64 {
	s.state += golden
	return Mix(s.state)
}

// below returns a uniform draw from 0 to n-1, without modulo bias (Lemire 2019).
func (s *Source) below(n uint32) uint32 {
	hi, lo := bits.Mul64(s.next(), uint64(n))
	for lo < uint64(n) && lo < -uint64(n)%uint64(n) {
		hi, lo = bits.Mul64(s.next(), uint64(n))
	}
	return uint32(hi)
}

// Shuffle permutes a list uniformly (Fisher-Yates).
func (s *Source) Shuffle(list []int32) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.below(uint32(i + 1))
		list[i], list[j] = list[j], list[i]
	}
}

const golden = 0x9e3779b97f4a7c15

// Mix is the finaliser of SplitMix64 (Stafford's variant 13), a bijection of 64 bits in which every
// input bit affects every output bit.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
