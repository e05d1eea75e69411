package world

import (
	"math"

	"mmsim/sim"
)

// Jittered returns the RTT in a match: the estimate, plus jitter if JitterSD is set.
func (w *World) Jittered(estimate sim.RTT, s sim.Stream, entity, k uint64) sim.RTT {
	if w.Config.JitterSD == 0 {
		return estimate
	}
	return w.withJitter(estimate, s, entity, k)
}

// withJitter is a separate function so that the compiler can inline Jittered.
func (w *World) withJitter(estimate sim.RTT, s sim.Stream, entity, k uint64) sim.RTT {
	return toRTT(sim.RTTMillis(estimate) + float64(w.Config.JitterSD*s.Normal(entity, k)))
}

// LastMile draws a player's access delay from the configured log-normal distribution. It returns 0
// if none is configured.
func LastMile(cfg *sim.Config, s sim.Stream, entity uint64) sim.RTT {
	if cfg.LastMileMedian == 0 {
		return 0
	}
	return toRTT(cfg.LastMileMedian * math.Exp(cfg.LastMileSigma*s.Normal(entity, 0)))
}

// toRTT rounds milliseconds to the nearest RTT, limited to the range of RTT.
func toRTT(ms float64) sim.RTT {
	return sim.RTT(math.Round(max(0, min(ms*sim.RTTUnit, math.MaxUint16))))
}
