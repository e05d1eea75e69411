package histogram

import (
	"math"
	"math/bits"
)

// coarseBits is the number of leading bits that Coarse keeps.
const coarseBits = 8

// Coarse maps a whole number to a small key and preserves the order. A number below 2^8 is its own
// key; any other key combines the highest 8 bits and the number of the remaining bits. There are
// about 2,000 keys.
func Coarse(v uint64) uint64 {
	dropped := max(0, bits.Len64(v)-coarseBits)
	return uint64(dropped)<<(coarseBits-1) + v>>dropped
}

// Fine returns the middle of the numbers that share a coarse key, which differs from each of them
// by at most 0.4 %.
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

// SpreadKey maps a spread to a whole number and preserves the order. The key is the first bits of
// the float: every whole spread below 2^14 has a key of its own, and spreads that share a key
// differ by at most 0.02 %.
func SpreadKey(spread float64) uint64 { return math.Float64bits(spread) >> (52 - spreadDigits) }

// SpreadOf returns the lowest spread that has the key.
func SpreadOf(key uint64) float64 { return math.Float64frombits(key << (52 - spreadDigits)) }
