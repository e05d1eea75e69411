package matcher

import "fmt"

// ExpansionBasis selects the wait that sets the stage of a rule over tickets with different
// waits: the two of a pair, or all of a group.
type ExpansionBasis uint8

// The expansion bases.
const (
	LongestWait  ExpansionBasis = iota // the ticket that waited longest relaxes the rule for all
	ShortestWait                       // the newest ticket keeps the rule strict for all
)

// String returns the basis as settings spell it.
func (b ExpansionBasis) String() string { return [...]string{"longest", "shortest"}[b] }

// OptionalBasis selects how many of the compared tickets must have reached the wait at which
// a rule becomes optional.
type OptionalBasis uint8

// The bases of optional rules.
const (
	AllWaited OptionalBasis = iota // all of them: the rule still protects a new ticket
	AnyWaited                      // one ticket that waited long enough is enough
)

// String returns the basis as settings spell it.
func (b OptionalBasis) String() string { return [...]string{"all", "any"}[b] }

// DefaultBudget is the number of search steps for one seed. Adding a ticket to a group is a
// step, and so is each final validation of a group.
const DefaultBudget = 10_000

// MaxTeamPlayers is the largest match that is divided into teams, and the largest number of
// teams. The exact team search is designed for this size.
const MaxTeamPlayers = 32

// MaxGroupPlayers is the largest match, with or without teams.
const MaxGroupPlayers = 1000

// Team is a named side inside a match.
type Team struct {
	Name     string
	Min, Max int // players
}

// Ruleset defines which tickets may be matched with each other. It is read-only once a Pool
// uses it.
type Ruleset struct {
	Name           string
	MinPlayers     int         // of a match, at least 1; the members of an open session count
	MaxPlayers     int         // of a match, at most MaxGroupPlayers
	MaxTicket      int         // players per ticket; 0: no limit but MaxPlayers
	Teams          []Team      // empty: a match has no sides
	Pivot          *PivotRules // instead of Rules and Teams: candidates are compared only with the seed
	Seats          *SeatRules  // instead of Rules, Teams and Pivot: rules are expressions over named teams
	Rules          []Rule      // in the order of the file, in which distances are added and Explain names obstacles
	ExpansionBasis ExpansionBasis
	OptionalBasis  OptionalBasis
	Budget         int // steps per seed; 0: DefaultBudget
	Batch          int // for Seats, tickets that are matched together; 0: all waiting tickets
	PartitionAbove int // a pool with more waiting tickets is split into parts that are matched separately; 0: never
}

// Validate returns an error that names the first field with which the engine cannot work.
// The dialects check what a vendor forbids beyond that.
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
		if err := r.Seats.validate(); err != nil {
			return fmt.Errorf("seat rules: %w", err)
		}
	}
	for _, team := range r.Teams {
		if team.Min < 0 || team.Max < max(1, team.Min) {
			return fmt.Errorf("team %q has %d to %d players, want 0 <= Min <= Max and Max >= 1", team.Name, team.Min, team.Max)
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
