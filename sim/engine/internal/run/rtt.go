package run

import (
	"math"

	"mmsim/sim"
)

// Jittered returns the RTT that a match turns out to have: its estimate, with jitter if the
// configuration asks for it.
func (r *Run) Jittered(estimate sim.RTT, s sim.Stream, entity, k uint64) sim.RTT {
	if r.Config.JitterSD == 0 {
		return estimate
	}
	return r.withJitter(estimate, s, entity, k)
}

// withJitter is a function of its own, so that the compiler inlines Jittered.
func (r *Run) withJitter(estimate sim.RTT, s sim.Stream, entity, k uint64) sim.RTT {
	return toRTT(sim.RTTMillis(estimate) + r.Config.JitterSD*s.Normal(entity, k))
}

// LastMile draws a player's access delay from the log-normal distribution of the
// configuration; 0 if it has none.
func LastMile(cfg *sim.Config, s sim.Stream, entity uint64) sim.RTT {
	if cfg.LastMileMedian == 0 {
		return 0
	}
	return toRTT(cfg.LastMileMedian * math.Exp(cfg.LastMileSigma*s.Normal(entity, 0)))
}

// toRTT rounds milliseconds to the nearest RTT, within what an RTT can hold.
func toRTT(ms float64) sim.RTT {
	return sim.RTT(math.Round(max(0, min(ms*sim.RTTUnit, math.MaxUint16))))
}
