package binding

import (
	"mmsim/cmd/mmsim/config"
	"mmsim/latencymap"
	"mmsim/sim"
)

// Config converts the configuration to the simulator's type.
func Config(c *config.Config) sim.Config {
	s, missing := &c.States, &c.Players.Missing
	return sim.Config{
		Seed: c.Seed, Run: uint64(c.Run),
		Tick: config.SimSpan(c.Clock.Tick), WarmUp: config.SimSpan(c.Clock.Warmup), Duration: config.SimSpan(c.Clock.Duration),
		Sample:   sim.Minute,
		IdealFor: config.SimSpan(s.IdealFor), ExpandFor: config.SimSpan(s.ExpandFor),
		Then:     s.WarmbodyThen,
		IdealRTT: config.RTTUnits(s.IdealRTT), ExpandRTT: config.RTTUnits(s.ExpandRTT),
		PlayAgain: c.Players.PlayAgain, Between: config.SimSpan(c.Players.BetweenMatches),
		Penalty: config.SimSpan(missing.Penalty), Dead: missing.Dead,
		InterruptedAgain: missing.Again, InterruptedAfter: config.SimSpan(missing.After),
		LastMileMedian: config.Milliseconds(c.Latency.LastMileMedian), LastMileSigma: c.Latency.LastMileSigma,
		JitterSD: config.Milliseconds(c.Latency.JitterSD),
		Patience: c.Players.Patience,
	}
}

// This compiles only if the simulator and the latency tables use the same unit of RTT.
var _ = [1]struct{}{}[sim.RTTUnit-latencymap.StepsPerMS]
