package histogram

import (
	"math"
	"math/bits"
)

// coarseBits is the number of leading bits that coarse keeps.
const coarseBits = 8

// Coarse maps a whole number to a small key in the same order: itself below 2^8,
// else its highest 8 bits and the number of the others, some 2,000 keys in all.
func Coarse(v uint64) uint64 {
	dropped := max(0, bits.Len64(v)-coarseBits)
	return uint64(dropped)<<(coarseBits-1) + v>>dropped
}

// Fine returns the middle of the numbers that share a coarse key, which differs
// from any of them by 0.4 % at most.
func Fine(key uint64) uint64 {
	if key < 1<<coarseBits {
		return key
	}
	dropped := key>>(coarseBits-1) - 1
	lowest := (key - dropped<<(coarseBits-1)) << dropped
	return lowest + 1<<dropped/2
}

// spreadDigits is the number of bits after the leading one that SpreadKey keeps.
const spreadDigits = 13

// SpreadKey maps a spread to a whole number in the same order: the first bits of
// the float, so that whole spreads below 2^14 keep a key of their own and others
// share theirs with spreads within 0.02 %.
func SpreadKey(spread float64) uint64 { return math.Float64bits(spread) >> (52 - spreadDigits) }

// SpreadOf returns the lowest spread that has the key.
func SpreadOf(key uint64) float64 { return math.Float64frombits(key << (52 - spreadDigits)) }
