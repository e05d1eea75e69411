package engine

import (
	"math"

	"mmsim/sim"
)

// jittered returns the RTT that a match turns out to have: with jitter, where there is any.
func (w *world) jittered(estimate sim.RTT, s sim.Stream, entity, k uint64) sim.RTT {
	if w.cfg.JitterSD == 0 {
		return estimate
	}
	return w.withJitter(estimate, s, entity, k)
}

// withJitter draws an RTT with jitter.
func (w *world) withJitter(estimate sim.RTT, s sim.Stream, entity, k uint64) sim.RTT {
	return toRTT(sim.RTTMillis(estimate) + w.cfg.JitterSD*s.Normal(entity, k))
}

// lastMile draws a player's access delay from the log-normal distribution.
func lastMile(median, sigma float64, s sim.Stream, entity uint64) sim.RTT {
	return toRTT(median * math.Exp(sigma*s.Normal(entity, 0)))
}

// toRTT rounds milliseconds to the nearest RTT, within what an RTT can hold.
func toRTT(ms float64) sim.RTT {
	return sim.RTT(math.Round(max(0, min(ms*sim.RTTUnit, math.MaxUint16))))
}
