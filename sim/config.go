package sim

import "fmt"

// Config holds all inputs of a run except the arrivals and the places. All fields except Queues
// apply to every queue.
type Config struct {
	Seed uint64 // identifies the experiment: all random draws follow from (Seed, Run)
	Run  uint64 // number of the replication

	Tick     Duration // a matching pass every whole multiple of Tick; waits grow by Tick/2 on average
	WarmUp   Duration // not measured, before instant 0; if too short, the day starts with empty servers
	Duration Duration // the measured window is [0, Duration)
	Sample   Duration // observers see a census at every whole multiple of Sample

	IdealFor    Duration // time in IDEAL before EXPAND
	ExpandFor   Duration // time in EXPAND before WARMBODY
	WarmBodyFor Duration // time in WARMBODY before Then
	Then        State    // StateFailed or StateBots
	IdealRTT    RTT      // thresholds, inclusive. Places.Reach uses the same thresholds; these
	ExpandRTT   RTT      // fields are for players who have an access delay

	PlayAgain float64  // chance to return after a match, drawn after the pause; 1/(1-p) matches per session
	Between   Duration // pause after a match

	LastMileMedian float64 // ms of access delay added to every estimate of a player (log-normal); 0 = off
	LastMileSigma  float64 // standard deviation of its logarithm
	JitterSD       float64 // ms; the RTT of a match = estimate + normal jitter, never below 0; 0 = off

	Queues []Queue // at least one, at most MaxQueues; every arrival names its queue
}

// Validate returns an error that names the first field that is out of range.
func (c *Config) Validate() error {
	err := firstMisfit([]fieldCheck{
		{c.Tick > 0, "Tick", c.Tick, "above 0"},
		{c.WarmUp >= 0, "WarmUp", c.WarmUp, "0 or more"},
		{c.Duration > 0, "Duration", c.Duration, "above 0"},
		{c.Sample > 0, "Sample", c.Sample, "above 0"},
		{c.IdealFor >= 0, "IdealFor", c.IdealFor, "0 or more"},
		{c.ExpandFor >= 0, "ExpandFor", c.ExpandFor, "0 or more"},
		{c.WarmBodyFor >= 0, "WarmBodyFor", c.WarmBodyFor, "0 or more"},
		{c.Then == StateFailed || c.Then == StateBots, "Then", c.Then, "FAILED or BOTS"},
		{c.ExpandRTT >= c.IdealRTT, "ExpandRTT", c.ExpandRTT, "IdealRTT or more"},
		{c.PlayAgain >= 0 && c.PlayAgain < 1, "PlayAgain", c.PlayAgain, "0 or more and below 1"},
		{c.Between >= 0, "Between", c.Between, "0 or more"},
		{finite(c.LastMileMedian), "LastMileMedian", c.LastMileMedian, "0 or more"},
		{finite(c.LastMileSigma), "LastMileSigma", c.LastMileSigma, "0 or more"},
		{finite(c.JitterSD), "JitterSD", c.JitterSD, "0 or more"},
		{len(c.Queues) >= 1 && len(c.Queues) <= MaxQueues, "len(Queues)", len(c.Queues), fmt.Sprintf("1 to %d (MaxQueues)", MaxQueues)},
	})
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	for i := range c.Queues {
		if err := c.Queues[i].validate(); err != nil {
			return fmt.Errorf("sim: Queues[%d].%w", i, err)
		}
	}
	return nil
}
