package histogram

import (
	"math"
	"math/bits"
)

// coarseBits is the number of leading bits that Coarse keeps.
const coarseBits = 8

// Coarse maps a whole number to one of 7,424 keys. Higher numbers have higher or equal keys. A number below 2^8 is its own key. The key of a larger number consists of its highest 8
// bits and the number of its remaining bits.
func Coarse(v uint64) uint64 {
	dropped := max(0, bits.Len64(v)-coarseBits)
	return uint64(dropped)<<(coarseBits-1) + v>>dropped
}

// Fine returns the middle of the numbers that share a coarse key. It differs from each of them by
// at most 0.4 %.
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

// SpreadKey maps a spread to a whole number. Larger spreads have larger or equal keys. The key is
// the leading bits of the float64. Every whole spread below 2^14 has its own key, and spreads
// that share a key differ by at most 0.02 %.
func SpreadKey(spread float64) uint64 { return math.Float64bits(spread) >> (52 - spreadDigits) }

// SpreadOf returns the lowest spread with this key.
func SpreadOf(key uint64) float64 { return math.Float64frombits(key << (52 - spreadDigits)) }
