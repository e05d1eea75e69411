package sim

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/packing"
)

// Limits. What goes beyond one is an error that names it.
const (
	MaxDatacenters = 64 // a set of datacenters is a uint64
	MaxQueues      = 64
	MaxMatchSize   = packing.MaxMatchSize
	MaxSearches    = 4_000_000_000 // searches in a queue are numbered in a uint32, with a margin
)

// Order is how the queue of a datacenter is walked.
type Order uint8

// Orders.
const (
	OrderShuffle Order = iota // drawn anew each pass, so that the same players do not meet again and again
	OrderOldest               // longest search first
)

// Prefer is whom a datacenter takes first.
type Prefer uint8

// Preferences.
const (
	PreferAny  Prefer = iota // as Order says
	PreferBest               // lower RTT to the datacenter first, then as Order says
)

// Length is the distribution of a span: constant when SD is 0, else log-normal.
type Length struct{ Mean, SD Duration }

// Config is everything that decides a run besides the joins and the places.
// What stands here holds for all queues.
type Config struct {
	Seed uint64 // names the experiment: everything random follows from (Seed, Run)
	Run  uint64 // number of the replication

	Tick     Duration // a matching pass every whole multiple of Tick; waits grow by Tick/2
	WarmUp   Duration // simulated before instant 0 and not measured; too short: the day starts with empty servers
	Duration Duration // the measured window is [0, Duration)
	Sample   Duration // observers see a census every whole multiple of Sample

	IdealFor    Duration // time in IDEAL before EXPAND
	ExpandFor   Duration // time in EXPAND before WARMBODY
	WarmBodyFor Duration // time in WARMBODY before Then
	Then        State    // StateFailed or StateBots
	IdealRTT    RTT      // thresholds, inclusive. Places carry them too, as masks; here they
	ExpandRTT   RTT      // serve players with an access delay of their own

	PlayAgain float64  // chance to return after a match, drawn after the pause; 1/(1-p) matches per session
	Between   Duration // pause after a match

	LastMileMedian float64 // ms of access delay added to every estimate of a player (log-normal); 0 = off
	LastMileSigma  float64 // its sigma, of the logarithm
	JitterSD       float64 // ms; what a match really got = estimate + normal jitter, never below 0; 0 = off

	Queues []Queue // at least one, at most MaxQueues; every arrival names its own
}

// Queue is how the players of one queue are matched. Queues share the clock, the
// datacenters and nothing else: no match has players of two.
type Queue struct {
	Placement       Placement
	Rules           *Rules   // nil: the article's matches, of exactly MatchSize players
	GiveUp          Duration // wait after which a ticket leaves; PlacePool only
	MatchSize       int      // players in a match; without Rules
	MatchLength     Length
	Order           Order
	Prefer          Prefer
	PartnerCooldown Duration // nobody meets a partner of the last match within this time after its end, unless a warm body
	KeepTogether    bool     // a finished match returns as one party

	Acceptance *Acceptance // players are asked before a match starts; nil: they are not; PlacePool only

	Servers *Servers // players are placed on running servers, and nothing above counts; nil: they are matched
}

// InForce returns the ruleset that decides who plays with whom, nil without one: in
// PlaceDatacenters its rule about regions is left to the states.
func (c *Queue) InForce() *matcher.Ruleset {
	switch {
	case c.Rules == nil:
		return nil
	case c.Placement == PlaceDatacenters:
		return c.Rules.Set.WithoutRegion()
	}
	return c.Rules.Set
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

func (c *Queue) validate() error {
	if c.Servers != nil {
		return c.Servers.validate()
	}
	if c.Acceptance != nil {
		if err := c.Acceptance.validate(); err != nil {
			return fmt.Errorf("Acceptance.%w", err)
		}
	}
	return firstMisfit([]fieldCheck{
		{c.Acceptance == nil || c.Placement == PlacePool, "Acceptance", c.Acceptance, "none outside a pool"},
		{c.Rules != nil || c.MatchSize >= 2 && c.MatchSize <= MaxMatchSize, "MatchSize", c.MatchSize, fmt.Sprintf("2 to %d (MaxMatchSize)", MaxMatchSize)},
		{c.Placement == PlaceDatacenters || c.Rules != nil, "Rules", c.Rules, "rules in a pool"},
		{c.Placement == PlaceDatacenters || c.GiveUp > 0, "GiveUp", c.GiveUp, "above 0 in a pool"},
		{c.Rules == nil || !c.KeepTogether, "KeepTogether", c.KeepTogether, "false with Rules: a match has no room for itself as one party"},
		{c.MatchLength.Mean > 0, "MatchLength.Mean", c.MatchLength.Mean, "above 0"},
		{c.MatchLength.SD >= 0, "MatchLength.SD", c.MatchLength.SD, "0 or more"},
		{c.PartnerCooldown >= 0, "PartnerCooldown", c.PartnerCooldown, "0 or more"},
	})
}

// fieldCheck is a condition on one field.
type fieldCheck struct {
	ok    bool
	field string
	value any
	want  string
}

func firstMisfit(checks []fieldCheck) error {
	for _, c := range checks {
		if !c.ok {
			return fmt.Errorf("%s is %v, want %s", c.field, c.value, c.want)
		}
	}
	return nil
}

func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

// draw returns a length from the distribution, at least a millisecond.
func (l Length) draw(s Stream, entity, k uint64) Duration {
	if l.SD == 0 {
		return l.Mean
	}
	mean, sd := float64(l.Mean), float64(l.SD)
	variance := math.Log1p(sd * sd / (mean * mean)) // of the logarithm
	x := mean * math.Exp(math.Sqrt(variance)*s.Normal(entity, k)-variance/2)
	return max(Millisecond, Duration(math.Round(x)))
}
