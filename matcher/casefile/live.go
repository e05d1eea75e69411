package casefile

import (
	"mmsim/matcher"
	"mmsim/matcher/playfab"
	"mmsim/matcher/roblox"
)

// Live is compiled rules for whoever keeps tickets of his own waiting under them,
// in one pool for hours instead of a scene.
type Live struct {
	Rules  *matcher.Ruleset
	Schema *matcher.Schema
	// Regions tells that the rules say which regions a ticket may be matched in.
	Regions bool
	Reads   []matcher.Read
	// CheckSize returns why the service would not take a ticket of so many players.
	CheckSize func(players int) error
	// Statistics returns what the queue tells of itself; nil where the vendor has
	// no such thing.
	Statistics func(nowMS int64, waiting int, matched []playfab.MatchedTicket) playfab.Statistics
}

// Live implements Rules.
func (p *playfabRules) Live() *Live {
	return &Live{
		Rules: p.set, Schema: p.schema, Regions: p.queue.HasRegionRule(), Reads: p.queue.Reads(),
		CheckSize: p.queue.CheckSize, Statistics: p.queue.Statistics,
	}
}

// Live implements Rules.
func (a *accelbyteRules) Live() *Live {
	return &Live{
		Rules: a.set, Schema: a.schema, Regions: a.rules.HasRegionRule(), Reads: a.rules.Reads(),
		CheckSize: a.rules.CheckSize,
	}
}

// Live implements Rules.
func (*robloxRules) Live() *Live { return nil }

// Placing returns the configuration by which rules place players one by one; false
// for rules that match them.
func Placing(rules Rules) (*roblox.Config, bool) {
	r, ok := rules.(*robloxRules)
	if !ok {
		return nil, false
	}
	return r.Config, true
}
