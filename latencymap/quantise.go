package latencymap

import "math"

// StepsPerMS is the resolution of stored RTTs. Thresholds and rules compare stored values, so that
// results do not depend on the last bit of a float.
const StepsPerMS = 16

// Quantise rounds milliseconds to the nearest stored step, with halves rounded up. NaN and values
// of at least 4095.9 ms become the largest step. Negative values become 0. An RTT of 0 is valid:
// the fallback Fibre gives it to a player at the position of the datacenter.
//
// The largest step also stands for all slower RTTs. Samples are at most SampleMaxMS, and estimates
// at most 650 ms times Options.Fudge. So only RTTs with a Fudge above 6, or with the access delays and
// jitter that the simulator adds, can reach it.
func Quantise(ms float64) uint16 {
	steps := float64(ms*StepsPerMS) + 0.5
	switch {
	case steps < 1:
		return 0
	case steps < math.MaxUint16:
		return uint16(steps) // the conversion rounds down
	}
	return math.MaxUint16
}

// Milliseconds converts steps to milliseconds. It is the inverse of Quantise.
func Milliseconds(steps uint16) float64 { return float64(steps) / StepsPerMS }
