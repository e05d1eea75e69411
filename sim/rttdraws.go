package sim

import "math"

// jittered returns the RTT that a match turns out to have: with jitter, where there is any.
func (w *world) jittered(estimate RTT, s Stream, entity, k uint64) RTT {
	if w.cfg.JitterSD == 0 {
		return estimate
	}
	return w.withJitter(estimate, s, entity, k)
}

// withJitter draws an RTT with jitter.
func (w *world) withJitter(estimate RTT, s Stream, entity, k uint64) RTT {
	return toRTT(RTTMillis(estimate) + w.cfg.JitterSD*s.Normal(entity, k))
}

// lastMile draws a player's access delay from the log-normal distribution.
func lastMile(median, sigma float64, s Stream, entity uint64) RTT {
	return toRTT(median * math.Exp(sigma*s.Normal(entity, 0)))
}

// toRTT rounds milliseconds to the nearest RTT, within what an RTT can hold.
func toRTT(ms float64) RTT {
	return RTT(math.Round(max(0, min(ms*RTTUnit, math.MaxUint16))))
}
