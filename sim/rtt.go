package sim

// RTT is a round-trip time in units of 1/16 ms, the resolution at which RTTs are stored and
// compared.
type RTT = uint16

// RTTUnit is the number of RTT units per millisecond.
const RTTUnit = 16

// RTTMillis returns r in milliseconds.
func RTTMillis(r RTT) float64 { return float64(r) / RTTUnit }

// AddDelay returns r+delay, or the largest RTT if the sum overflows.
func AddDelay(r, delay RTT) RTT {
	if sum := r + delay; sum >= r {
		return sum
	}
	return ^RTT(0)
}
