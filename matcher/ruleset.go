package matcher

import "fmt"

// ExpansionBasis tells whose waiting time sets the stage of a rule that looks at
// tickets who have waited for different times: the two of a pair, or all of a
// group.
type ExpansionBasis uint8

// The expansion bases.
const (
	LongestWait  ExpansionBasis = iota // the longest-waiting ticket widens the rule for all
	ShortestWait                       // the newest ticket holds it back for all
)

// String returns the basis as settings spell it.
func (b ExpansionBasis) String() string { return [...]string{"longest", "shortest"}[b] }

// OptionalBasis tells how many of the tickets looked at must have waited until a
// rule is optional for it to be so.
type OptionalBasis uint8

// The bases of optional rules.
const (
	AllWaited OptionalBasis = iota // a newcomer is still protected
	AnyWaited                      // one who waited long enough frees all
)

// String returns the basis as settings spell it.
func (b OptionalBasis) String() string { return [...]string{"all", "any"}[b] }

// DefaultBudget is the number of search steps that one seed may take: one for
// each ticket added to a group and one for each final validation.
const DefaultBudget = 10_000

// MaxTeamPlayers is the largest match that is divided into teams: the exact team
// search is designed for it. There are at most as many teams.
const MaxTeamPlayers = 32

// MaxGroupPlayers is the largest match of all.
const MaxGroupPlayers = 1000

// Team is a named side inside a match.
type Team struct {
	Name     string
	Min, Max int // players
}

// Ruleset is everything that decides who may be matched with whom. It is
// read-only once a Pool was made with it.
type Ruleset struct {
	Name           string
	MinPlayers     int         // of a match, at least 1; an open session counts with its members
	MaxPlayers     int         // of a match, at most MaxGroupPlayers
	MaxTicket      int         // players per ticket; 0: only below MaxPlayers
	Teams          []Team      // empty: a match has no sides
	Pivot          *PivotRules // instead of Rules and Teams: candidates are compared with the seed alone
	Seats          *SeatRules  // instead of Rules, Teams and Pivot: rules are expressions over named teams
	Rules          []Rule      // in the order of the file: it is the order of float sums, and what Explain names first
	ExpansionBasis ExpansionBasis
	OptionalBasis  OptionalBasis
	Budget         int // steps per seed; 0: DefaultBudget
	Batch          int // tickets that a pass looks at together, by Seats; 0: all that wait
	PartitionAbove int // tickets; more waiting are split into parts that never meet in a pass; 0: never
}

// Validate returns an error that names the member which no match loop could work
// with. What a vendor forbids beyond that is the dialect's part.
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
