package binding

import (
	"mmsim/cmd/mmsim/config"
	"mmsim/datasets"
	"mmsim/datasets/population"
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

// sampleMax is the maximum number of rows that are sampled to compute the deciles of a generated
// numeric attribute. More rows would move a decile by less than the width of a histogram bin.
const sampleMax = 1 << 18

// Sample returns the values of a generated numeric attribute for players of the first measured day.
// It takes every row, or rows at regular steps if there are more than sampleMax.
func Sample(day *datasets.Day, a *population.Attribute, s *Season) []float64 {
	if s != nil && a == s.rating {
		return ratingSample(s.config.Season.Rating.First())
	}
	step := (day.Rows() + sampleMax - 1) / sampleMax
	values := make([]float64, 0, day.Rows()/step+1)
	i := 0
	var one population.Person
	for join := range day.Joins() {
		if i%step == 0 {
			entity := sim.Entity(join.Row, 0, 0, 0)
			one = population.Person{Entity: entity, Row: join.Row, Place: join.Place, Party: entity, PartyPlace: join.Place}
			values = append(values, a.Number(&one))
		}
		i++
	}
	return values
}

// DrawsOf returns the simulator's random streams for the dataset. The dataset has no random
// numbers of its own, so that all draws depend on seed and run.
func DrawsOf(seed, run uint64) datasets.Draws {
	draw := func(p sim.Purpose) datasets.Draw { return sim.NewStream(seed, run, p).Bits }
	return datasets.Draws{
		Resample: draw(sim.PurposeResample),
		Thin:     draw(sim.PurposeThin),
		Copies:   draw(sim.PurposeCopies),
		Jitter:   draw(sim.PurposeJoinJitter),
		Spread:   draw(sim.PurposeSpread),
		Party:    draw(sim.PurposeParty),
		Burst:    draw(sim.PurposeBurst),
		Arrivals: draw(sim.PurposeArrivals),

		Attributes: draw(sim.PurposeAttributes),
		Friends:    draw(sim.PurposeFriends),
	}
}
