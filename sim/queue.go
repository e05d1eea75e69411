package sim

import (
	"fmt"

	"mmsim/matcher"
)

// Placement determines where the tickets of a queue wait.
type Placement uint8

// Placements.
const (
	// PlaceDatacenters makes a ticket wait in the queues of all datacenters that its state admits,
	// as in the article.
	PlaceDatacenters Placement = iota
	// PlacePool makes all tickets wait in one pool. The rules choose the region of a match.
	PlacePool
)

// Order is the order in which a datacenter walks its queue.
type Order uint8

// Orders.
const (
	OrderShuffle Order = iota // random in each pass, so that the same players do not keep meeting
	OrderOldest               // longest search first
)

// Prefer decides which tickets a datacenter takes first.
type Prefer uint8

// Preferences.
const (
	PreferAny  Prefer = iota // in the order of Queue.Order
	PreferBest               // lowest RTT to the datacenter first, ties in the order of Queue.Order
)

// Queue describes how the players of one queue are matched. Queues share only the clock and the
// datacenters. Players of different queues never play together.
type Queue struct {
	Placement   Placement
	Rules       *Rules   // nil for the article's matches of exactly MatchSize players
	GiveUp      Duration // wait after which a ticket leaves; only with PlacePool
	WarmBodyFor Duration // time in WARMBODY before Config.Then; only with PlaceDatacenters
	MatchSize   int      // players in a match; only without Rules
	MatchLength Length
	Order       Order
	Prefer      Prefer
	// PartnerCooldown is the time after a match in which its players do not meet again. It does not
	// apply to warm bodies.
	PartnerCooldown Duration
	KeepTogether    bool // set if the players of a finished match return as one party

	Leave      *Leave      // who is missing from matches; nil if everybody stays
	Acceptance *Acceptance // asks players before a match starts, or nil

	// Servers describes how players are placed on running servers. If it is set, the queue makes no
	// matches and all other fields are ignored.
	Servers *Servers
}

// InForce returns the ruleset that decides which tickets play together, or nil if there is none.
// With PlaceDatacenters, it is the ruleset without its region rule, which the states replace.
func (c *Queue) InForce() *matcher.Ruleset {
	switch {
	case c.Rules == nil:
		return nil
	case c.Placement == PlaceDatacenters:
		return c.Rules.Set.WithoutRegion()
	}
	return c.Rules.Set
}

// Backfills reports whether running matches take more tickets.
func (c *Queue) Backfills() bool {
	switch {
	case c.Rules == nil || c.Placement != PlacePool:
		return false
	case c.Rules.Outside != nil:
		return c.Rules.Backfills
	}
	return c.Rules.Set.Backfills()
}

// Refills reports whether seats that become empty in running matches are free for other players.
func (c *Queue) Refills() bool { return c.Leave != nil && c.Leave.Then == MatchRefills }

func (c *Queue) validate() error {
	if c.Servers != nil {
		return c.Servers.validate()
	}
	if c.Leave != nil {
		if err := c.Leave.validate(); err != nil {
			return fmt.Errorf("Leave.%w", err)
		}
	}
	if c.Acceptance != nil {
		if err := c.Acceptance.validate(); err != nil {
			return fmt.Errorf("Acceptance.%w", err)
		}
	}
	return firstFailure([]fieldCheck{
		{c.Leave == nil || c.Leave.Then != MatchEnds || !c.Backfills(), "Leave.Then", c.Leave, "no MatchEnds if running matches take more tickets"},
		{!c.Refills() || c.Backfills(), "Leave.Then", c.Leave, "MatchRefills only if running matches take more tickets"},
		{c.Rules != nil || c.MatchSize >= 2 && c.MatchSize <= MaxMatchSize, "MatchSize", c.MatchSize, fmt.Sprintf("2 to %d (MaxMatchSize)", MaxMatchSize)},
		{c.Placement == PlaceDatacenters || c.Rules != nil, "Rules", c.Rules, "rules in a pool"},
		{c.Placement == PlaceDatacenters || c.GiveUp > 0, "GiveUp", c.GiveUp, "above 0 in a pool"},
		{c.WarmBodyFor >= 0, "WarmBodyFor", c.WarmBodyFor, "0 or more"},
		{c.Rules == nil || !c.KeepTogether, "KeepTogether", c.KeepTogether, "false with Rules: a match has no room for itself as one party"},
		{c.MatchLength.Mean > 0, "MatchLength.Mean", c.MatchLength.Mean, "above 0"},
		{c.MatchLength.SD >= 0, "MatchLength.SD", c.MatchLength.SD, "0 or more"},
		{c.PartnerCooldown >= 0, "PartnerCooldown", c.PartnerCooldown, "0 or more"},
	})
}
