package sim

import (
	"fmt"

	"mmsim/matcher"
)

// Placement is where the tickets of a queue wait.
type Placement uint8

// Placements.
const (
	// PlaceDatacenters: tickets wait in the queue of every datacenter that the state of the ticket
	// admits, as in the article.
	PlaceDatacenters Placement = iota
	// PlacePool: tickets wait in one pool, and the rules choose the region of a match.
	PlacePool
)

// Order is the order in which a datacenter walks its queue.
type Order uint8

// Orders.
const (
	OrderShuffle Order = iota // drawn for each pass: the same players do not meet repeatedly
	OrderOldest               // longest search first
)

// Prefer decides which tickets a datacenter takes first.
type Prefer uint8

// Preferences.
const (
	PreferAny  Prefer = iota // as Order says
	PreferBest               // lower RTT to the datacenter first, then as Order says
)

// Queue describes how the players of one queue are matched. Queues share the clock, the
// datacenters and nothing else: no match has players of two queues.
type Queue struct {
	Placement       Placement
	Rules           *Rules   // nil: the article's matches, of exactly MatchSize players
	GiveUp          Duration // wait after which a ticket leaves; PlacePool only
	MatchSize       int      // players in a match; without Rules
	MatchLength     Length
	Order           Order
	Prefer          Prefer
	PartnerCooldown Duration // time after their last match in which partners do not meet again, except warm bodies
	KeepTogether    bool     // set if the players of a finished match return as one party

	Acceptance *Acceptance // players are asked before a match starts; nil: they are not; PlacePool only

	Servers *Servers // players are placed on running servers, and all fields above are ignored; nil: they are matched
}

// InForce returns the ruleset that decides which tickets play together, nil without one. In
// PlaceDatacenters, it is the ruleset without its rule about regions, which the states replace.
func (c *Queue) InForce() *matcher.Ruleset {
	switch {
	case c.Rules == nil:
		return nil
	case c.Placement == PlaceDatacenters:
		return c.Rules.Set.WithoutRegion()
	}
	return c.Rules.Set
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
