package sim

import (
	"fmt"
	"slices"
)

// Config holds all inputs of a run except the arrivals and the places. All fields except Queues
// apply to every queue.
type Config struct {
	Seed uint64 // identifies the experiment: (Seed, Run) determines every random draw
	Run  uint64 // number of the replication

	Tick Duration // matching passes run at whole multiples of Tick, which adds Tick/2 to the average wait
	// WarmUp is the period before instant 0, which is not measured. If it is too short, too few
	// players are online when the measured window begins.
	WarmUp   Duration
	Duration Duration // the measured window is [0, Duration)
	Sample   Duration // observers receive a census at whole multiples of Sample

	IdealFor  Duration // time in IDEAL before EXPAND
	ExpandFor Duration // time in EXPAND before WARMBODY
	Then      State    // StateFailed or StateBots, after Queue.WarmBodyFor in WARMBODY
	// IdealRTT and ExpandRTT are inclusive thresholds. Places.Reach must have been computed with
	// the same values. The simulation compares RTTs with the thresholds only for players who have
	// an access delay. For all other players, it uses Places.Reach.
	IdealRTT  RTT
	ExpandRTT RTT

	PlayAgain float64  // chance to return, drawn after the pause; a player plays 1/(1-PlayAgain) matches on average
	Between   Duration // pause after a match
	Patience  Patience // how long players search before they cancel; empty if nobody does; not on servers

	Penalty Duration // pause, after Between, of a ticket that does not appear in its match or leaves it
	Dead    float64  // chance that the client of a search is gone from the beginning and the ticket stays
	// InterruptedAgain is the chance that a ticket whose match was cut short by others searches
	// again, and InterruptedAfter the pause before that.
	InterruptedAgain float64
	InterruptedAfter Duration

	LastMileMedian float64 // median access delay in ms (log-normal), added to all RTT estimates of a player; 0 = off
	LastMileSigma  float64 // standard deviation of the logarithm of the access delay
	JitterSD       float64 // ms; the RTT in a match is the estimate plus normal jitter, at least 0; 0 = off

	Use uint64 // datacenters that take part, as bits of their indexes in Places; 0 for all

	Events []Event // what happens to all queues; at most MaxEvents

	Queues []Queue // 1 to MaxQueues; every arrival names its queue

	// Season has the persons who come back on several days, or is nil. With a season, the arrivals
	// must be its own.
	Season Season
}

// Missing reports whether players can be missing from the matches of any queue, or matches be cut
// short.
func (c *Config) Missing() bool {
	return c.Dead > 0 || slices.ContainsFunc(c.Queues, func(q Queue) bool { return q.Leave != nil }) ||
		slices.ContainsFunc(c.Events, func(e Event) bool { return e.CutsMatches() })
}

// Validate returns an error that names the first field that is out of range.
func (c *Config) Validate() error {
	err := firstFailure([]fieldCheck{
		{c.Tick > 0, "Tick", c.Tick, "above 0"},
		{c.WarmUp >= 0, "WarmUp", c.WarmUp, "0 or more"},
		{c.Duration > 0, "Duration", c.Duration, "above 0"},
		{c.Sample > 0, "Sample", c.Sample, "above 0"},
		{c.IdealFor >= 0, "IdealFor", c.IdealFor, "0 or more"},
		{c.ExpandFor >= 0, "ExpandFor", c.ExpandFor, "0 or more"},
		{c.Then == StateFailed || c.Then == StateBots, "Then", c.Then, "FAILED or BOTS"},
		{c.ExpandRTT >= c.IdealRTT, "ExpandRTT", c.ExpandRTT, "IdealRTT or more"},
		{c.PlayAgain >= 0 && c.PlayAgain < 1, "PlayAgain", c.PlayAgain, "0 or more and below 1"},
		{c.Between >= 0, "Between", c.Between, "0 or more"},
		{c.Penalty >= 0, "Penalty", c.Penalty, "0 or more"},
		{c.Dead >= 0 && c.Dead <= 1, "Dead", c.Dead, "0 to 1"},
		{c.InterruptedAgain >= 0 && c.InterruptedAgain <= 1, "InterruptedAgain", c.InterruptedAgain, "0 to 1"},
		{c.InterruptedAfter >= 0, "InterruptedAfter", c.InterruptedAfter, "0 or more"},
		{finite(c.LastMileMedian), "LastMileMedian", c.LastMileMedian, "0 or more"},
		{finite(c.LastMileSigma), "LastMileSigma", c.LastMileSigma, "0 or more"},
		{finite(c.JitterSD), "JitterSD", c.JitterSD, "0 or more"},
		{len(c.Events) <= MaxEvents, "len(Events)", len(c.Events), fmt.Sprintf("at most %d (MaxEvents)", MaxEvents)},
		{len(c.Queues) >= 1 && len(c.Queues) <= MaxQueues, "len(Queues)", len(c.Queues), fmt.Sprintf("1 to %d (MaxQueues)", MaxQueues)},
	})
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	if err := c.Patience.validate(); err != nil {
		return fmt.Errorf("sim: Patience%w", err)
	}
	for i := range c.Events {
		if err := c.Events[i].validate(); err != nil {
			return fmt.Errorf("sim: Events[%d].%w", i, err)
		}
	}
	for i := range c.Queues {
		if err := c.Queues[i].validate(); err != nil {
			return fmt.Errorf("sim: Queues[%d].%w", i, err)
		}
	}
	return nil
}
