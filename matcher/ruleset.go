package matcher

import (
	"fmt"
	"slices"
)

// ExpansionBasis selects whose wait determines a rule's stage if the tickets of a match have waited
// for different times.
type ExpansionBasis uint8

// The expansion bases.
const (
	LongestWait  ExpansionBasis = iota // the wait of the oldest ticket, which relaxes the rule for all
	ShortestWait                       // the wait of the newest ticket, which keeps the rule strict for all
	MeanWait                           // the mean of the waits of all tickets; only for a single rule, see SeatCommon.Basis and PivotDistance.Basis
)

// String returns the basis as it is written in settings.
func (b ExpansionBasis) String() string { return [...]string{"longest", "shortest", "mean"}[b] }

// WaitMS returns the wait that counts under a basis, in ms, for tickets with the given waits. A mean
// is rounded down.
func (b ExpansionBasis) WaitMS(waitsMS []int64) int64 {
	switch b {
	case LongestWait:
		return slices.Max(waitsMS)
	case ShortestWait:
		return slices.Min(waitsMS)
	}
	sum := int64(0)
	for _, waitMS := range waitsMS {
		sum += waitMS
	}
	return sum / int64(len(waitsMS))
}

// OptionalBasis determines when a rule becomes optional for a match if only some of its tickets
// have waited for Common.OptionalAfterMS.
type OptionalBasis uint8

// The bases of optional rules.
const (
	AllWaited OptionalBasis = iota // the rule becomes optional when all tickets have waited long enough
	AnyWaited                      // the rule becomes optional when any ticket has waited long enough
)

// String returns the basis as it is written in settings.
func (b OptionalBasis) String() string { return [...]string{"all", "any"}[b] }

// DefaultBudget is the limit on search steps for one seed if Ruleset.Budget is 0. Under
// Ruleset.Rules and SeatRules, a step adds a ticket to a group or validates a complete group. Under
// Ruleset.Rules, the search has two parts, and the budget limits each of them. Under SeatRules, a
// search may also try five times as often whether a ticket may join. Under PivotRules, a step tries a
// candidate. A search in turn (see InTurn) has no budget.
const DefaultBudget = 10_000

// MaxTeamPlayers is the largest number of players in a match with Teams, and the largest number of
// Teams. The exact team search is designed for this size.
const MaxTeamPlayers = 32

// MaxGroupPlayers is the largest number of players in any match.
const MaxGroupPlayers = 1000

// Team is a named side inside a match.
type Team struct {
	Name     string
	Min, Max int // number of players
}

// Ruleset defines which tickets may be matched with each other. It is read-only once a Pool
// uses it.
type Ruleset struct {
	Name       string
	MinPlayers int    // number of players in a match, at least 1; includes the members of an open session
	MaxPlayers int    // number of players in a match, at most MaxGroupPlayers
	MaxTicket  int    // largest number of players in a ticket; 0 if only MaxPlayers limits it
	Teams      []Team // empty if a match has no teams
	// MinTeams is set if the number of teams may vary, for Teams and for SeatRules.Teams: a match has the
	// first MinTeams teams or more of them, in their order. The other teams are absent: they have no
	// players, and rules about teams ignore them. If it is 0, a match has all teams. PivotRules have
	// Sizes instead.
	MinTeams       int
	Pivot          *PivotRules // rules that replace Rules and Teams, or nil
	Seats          *SeatRules  // rules that replace Rules, Teams and Pivot, or nil
	Rules          []Rule      // in the order of the configuration file; distances are added and broken rules are reported in this order
	ExpansionBasis ExpansionBasis
	OptionalBasis  OptionalBasis
	Budget         int // number of search steps for each seed; 0 means DefaultBudget
	Batch          int // for Seats, the number of tickets that are matched together; 0 means all waiting tickets
	// Regions lists regions in order of preference. A match is played in the first of them that it
	// can be played in, otherwise in the nearest of the others. Under PivotRules, the regions of the
	// seed are tried in this order. A ticket may have a list of its own, see Ticket.Regions.
	Regions        []Region
	PartitionAbove int // number of waiting tickets above which a pool is split into parts that are matched separately; 0 means never
}

// Validate returns an error that describes the first invalid value. It checks only what the engine
// requires. The dialects check the vendors' own limits.
func (r *Ruleset) Validate() error {
	switch {
	case r.MinPlayers < 1:
		return fmt.Errorf("a minimum of %d players, want at least 1", r.MinPlayers)
	case r.MaxPlayers < r.MinPlayers:
		return fmt.Errorf("a maximum of %d players, want at least the minimum, %d", r.MaxPlayers, r.MinPlayers)
	case r.MaxPlayers > MaxGroupPlayers:
		return fmt.Errorf("a maximum of %d players, want at most %d", r.MaxPlayers, MaxGroupPlayers)
	case len(r.Teams) > 0 && r.MaxPlayers > MaxTeamPlayers:
		return fmt.Errorf("a maximum of %d players, want at most %d with teams", r.MaxPlayers, MaxTeamPlayers)
	case len(r.Teams) > MaxTeamPlayers:
		return fmt.Errorf("%d teams, want at most %d", len(r.Teams), MaxTeamPlayers)
	case len(r.Teams) == 1:
		return fmt.Errorf("one team, want none or at least two")
	case r.MinTeams < 0 || r.MinTeams > max(len(r.Teams), r.seatTeams()):
		return fmt.Errorf("at least %d of %d teams, want at most as many as there are", r.MinTeams, max(len(r.Teams), r.seatTeams()))
	case r.ExpansionBasis > ShortestWait:
		return fmt.Errorf("the expansion basis is %d, want LongestWait or ShortestWait", r.ExpansionBasis)
	case r.Budget < 0:
		return fmt.Errorf("a budget of %d, want 0 or more steps", r.Budget)
	case r.Batch < 0:
		return fmt.Errorf("batches of %d tickets, want 0 or more", r.Batch)
	case r.PartitionAbove < 0:
		return fmt.Errorf("partitions above %d, want 0 or more tickets", r.PartitionAbove)
	}
	if r.Pivot != nil {
		if len(r.Rules) > 0 || len(r.Teams) > 0 {
			return fmt.Errorf("pivot rules beside %d rules and %d teams, want none", len(r.Rules), len(r.Teams))
		}
		if err := r.Pivot.validate(); err != nil {
			return fmt.Errorf("pivot rules: %w", err)
		}
	}
	if r.Seats != nil {
		if len(r.Rules) > 0 || len(r.Teams) > 0 || r.Pivot != nil {
			return fmt.Errorf("seat rules beside other rules or teams, want none")
		}
		if err := r.Seats.validate(r.MinTeams); err != nil {
			return fmt.Errorf("seat rules: %w", err)
		}
	}
	for _, team := range r.Teams {
		if team.Min < 0 || team.Max < max(1, team.Min) {
			return fmt.Errorf("team %q has %d to %d players, want 0 <= Min <= Max and Max >= 1", team.Name, team.Min, team.Max)
		}
	}
	for i, region := range r.Regions {
		if region < 0 || slices.Contains(r.Regions[:i], region) {
			return fmt.Errorf("region %d in the order of preference, want different regions of the schema", region)
		}
	}
	regions := 0
	for _, rule := range r.Rules {
		if err := validateRule(rule, r); err != nil {
			return fmt.Errorf("rule %q: %w", rule.Settings().Name, err)
		}
		if isRegionRule(rule) {
			regions++
		}
	}
	if regions > 1 {
		return fmt.Errorf("%d region rules, want at most one", regions)
	}
	return nil
}

// BasisOf returns the basis that selects whose wait counts for a rule.
func (r *Ruleset) BasisOf(rule Rule) ExpansionBasis {
	if basis := rule.Settings().Basis; basis != nil {
		return *basis
	}
	return r.ExpansionBasis
}

// OldestDecides reports whether the wait of a match's oldest ticket selects the stage of all Rules.
func (r *Ruleset) OldestDecides() bool {
	return r.ExpansionBasis == LongestWait && !slices.ContainsFunc(r.Rules, func(rule Rule) bool { return r.BasisOf(rule) != LongestWait })
}

// CountsMeans reports whether the MeanWait counts for any rule. Such a rule may change although no
// ticket's own wait reaches a new stage.
func (r *Ruleset) CountsMeans() bool {
	mean := func(basis *ExpansionBasis) bool { return basis != nil && *basis == MeanWait }
	return r.Pivot != nil && slices.ContainsFunc(r.Pivot.Distances, func(d PivotDistance) bool { return mean(d.Basis) }) ||
		r.Seats != nil && slices.ContainsFunc(r.Seats.Rules, func(rule SeatRule) bool { return mean(rule.Common().Basis) })
}

// seatTeams returns the number of teams under SeatRules.
func (r *Ruleset) seatTeams() int {
	if r.Seats == nil {
		return 0
	}
	return len(r.Seats.Teams)
}

// TeamBounds returns the smallest and the largest number of teams in a match, 0 without teams.
func (r *Ruleset) TeamBounds() (low, high int) {
	if r.Pivot != nil {
		low, high = r.Pivot.Sizes[0].MinTeams, r.Pivot.Sizes[0].MaxTeams
		for _, size := range r.Pivot.Sizes[1:] {
			low, high = min(low, size.MinTeams), max(high, size.MaxTeams)
		}
		return low, high
	}
	high = max(len(r.Teams), r.seatTeams())
	if r.MinTeams > 0 {
		return r.MinTeams, high
	}
	return high, high
}

// Varies reports whether a team may be absent from a match. See MinTeams.
func (r *Ruleset) Varies(team int) bool { return r.MinTeams > 0 && team >= r.MinTeams }
