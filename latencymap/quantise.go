package latencymap

import "math"

// StepsPerMS is the resolution of a stored RTT. Thresholds and rules compare
// stored values, so that results do not depend on the last bit of a float.
const StepsPerMS = 16

// Quantise rounds milliseconds to the nearest stored step, half up. Values of
// 4095.9 ms and more, and NaN, become the largest step; negative ones 0. An RTT
// of 0 is legal: it is what fibre gives to a player inside the datacenter.
//
// No RTT of a Set is cut: a sample is at most SampleMaxMS, and the slowest fallback,
// Fibre at FudgeMax, takes 2,002 ms for half the way around the Earth. Access delays and
// jitter that the simulator adds can reach the largest step, which then means that RTT
// or more.
func Quantise(ms float64) uint16 {
	steps := float64(ms*StepsPerMS) + 0.5
	switch {
	case steps < 1:
		return 0
	case steps < math.MaxUint16:
		return uint16(steps) // conversion rounds down
	}
	return math.MaxUint16
}

// Milliseconds is the inverse of Quantise.
func Milliseconds(steps uint16) float64 { return float64(steps) / StepsPerMS }
