package flexmatch

import (
	"mmsim/matcher"
	"mmsim/matcher/internal/ranges"
)

// Rules returns the rule set as a matcher.Ruleset for the engine. budget is the number of search
// steps per ticket, or 0 for the engine's default. batch is the number of tickets that a pass
// considers together, or 0 for all waiting tickets.
func (r *Ruleset) Rules(budget, batch int) *matcher.Ruleset {
	seats := &matcher.SeatRules{
		Teams: r.Teams, Oldest: r.Algorithm.Oldest,
		Priority: r.Algorithm.BackfillPriority, SortBy: r.Algorithm.SortBy,
	}
	if r.Large() {
		seats.Large = &matcher.LargeMatches{Balance: r.Algorithm.Balance, FastestRegion: r.Algorithm.Batching == balancedBatching[1]}
	}
	for _, rule := range r.rules {
		seats.Rules = append(seats.Rules, rule.SeatRule)
	}
	least, most := 0.0, 0.0
	for _, t := range r.Teams {
		least, most = least+ranges.Of(t.Min).Low, most+ranges.Of(t.Max).High
	}
	return &matcher.Ruleset{Name: r.Name, MinPlayers: max(1, int(least)), MaxPlayers: max(1, int(most)), Seats: seats, Budget: budget, Batch: batch}
}
