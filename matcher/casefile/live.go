package casefile

import (
	"mmsim/matcher"
	"mmsim/matcher/accelbyte"
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
	// Unread are attributes that the rules look at in a scene and not here, because
	// they name other players.
	Unread []string
	// CheckSize returns why the service would not take a ticket of so many players.
	CheckSize func(players int) error
	// Statistics is what the service tells of the queue while it runs; nil where the
	// vendor has no such thing.
	Statistics *Statistics
}

// Statistics is what a service tells of a queue while it runs: how many players wait,
// and how long the tickets matched in the last while had waited. Servers see all of it.
type Statistics struct {
	WindowMS                     int64 // how far the waits look back
	ShowPlayers, ShowTimeToMatch bool  // to players
}

// Live implements Rules.
func (p *playfabRules) Live() *Live {
	return &Live{
		Rules: p.set, Schema: p.schema, Regions: p.queue.HasRegionRule(), Reads: p.queue.Reads(),
		CheckSize: p.queue.CheckSize,
		Statistics: &Statistics{
			WindowMS:    playfab.StatisticsWindowMS,
			ShowPlayers: p.queue.ShowPlayers, ShowTimeToMatch: p.queue.ShowTimeToMatch,
		},
	}
}

// Live implements Rules.
func (a *accelbyteRules) Live() *Live {
	return &Live{
		Rules: a.set, Schema: a.schema, Regions: a.rules.HasRegionRule(), Reads: a.rules.Reads(),
		Unread:    accelbyte.PlayerNaming(),
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
