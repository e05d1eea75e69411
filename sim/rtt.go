package sim

// RTT is a round-trip time in 1/16 ms, the resolution at which RTTs are stored
// and compared with thresholds.
type RTT = uint16

// RTTUnit is the number of RTT units in a millisecond.
const RTTUnit = 16

// RTTMillis returns r in milliseconds.
func RTTMillis(r RTT) float64 { return float64(r) / RTTUnit }

// AddDelay adds a delay to an RTT. It returns the largest RTT instead of overflowing.
func AddDelay(r, delay RTT) RTT {
	if sum := r + delay; sum >= r {
		return sum
	}
	return ^RTT(0)
}
