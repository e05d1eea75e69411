package matcher

import (
	"fmt"
	"math"
)

// Rule is one of the rules of this package: *EqualText, *NumberDistance,
// *SetOverlap, *MatchTotal, *ReachRegion, *TeamGap, *TeamBalance or *LargeParties.
//
// An enforced rule keeps tickets apart. Enforced or not, a rule also defines a distance from
// 0 to 1 between a seed and a candidate; the candidate with the smallest sum of weight times
// distance is tried first. Rules about teams have no distance.
type Rule interface {
	// Settings returns the fields that all rules have.
	Settings() *Common
	// Schedules returns the thresholds that change with the wait: none, one, or two for
	// MatchTotal.
	Schedules() []*Schedule
}

// Common holds the fields that all rules have.
type Common struct {
	Name            string
	Weight          float64 // of the distance, above 0; rules about teams ignore it
	OptionalAfterMS int64   // wait, ms, from which the rule is not enforced; 0: never enforced; Never: always
}

// Settings returns c.
func (c *Common) Settings() *Common { return c }

// EqualText keeps tickets with different texts apart: all tickets of a match have the same
// text, letter case included. A party with two different values matches no other ticket
// while the rule is enforced; players without a value do not count in their party.
// Distance: 0 equal, 1 different.
type EqualText struct {
	Common
	Column     Column
	Enabled    Schedule // only active or inactive matters; the threshold is ignored
	MissingAny bool     // a ticket without a value matches any other, but does not connect two different values
	Default    Text     // unless MissingAny: the value of a player without one
}

// Schedules implements Rule.
func (r *EqualText) Schedules() []*Schedule { return []*Schedule{&r.Enabled} }

// NumberDistance keeps two tickets apart if their numbers differ by more than a threshold;
// it holds for every pair of a match. Distance: difference / threshold, at most 1.
type NumberDistance struct {
	Common
	Column     Column
	Max        Schedule
	Merge      Merge   // how the numbers of a party become one
	MissingAny bool    // players without a value do not count, and a ticket without any value matches any other
	Default    float64 // unless MissingAny: the value of a player without one
}

// Schedules implements Rule.
func (r *NumberDistance) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// Merge is how the numbers of a party become one.
type Merge uint8

// The ways to merge.
const (
	Average Merge = iota
	Lowest
	Highest
)

// SetOverlap requires that all tickets of a match have some number of elements in common. A
// party's set is the intersection of its players' sets. The rule holds among the tickets
// that have a set, if there are at least two. Distance: 1/(1+shared).
type SetOverlap struct {
	Common
	Column     Column
	MinShared  Schedule
	MissingAny bool   // players without a set do not count, and a ticket without any set matches any other
	Default    []Text // unless MissingAny: the set of a player without one; sorted, without duplicates
}

// Schedules implements Rule.
func (r *SetOverlap) Schedules() []*Schedule { return []*Schedule{&r.MinShared} }

// MatchTotal bounds the sum over all players of a match; a missing value adds 0.
// The maximum is checked at every step of a search, except while a ticket in the pool has a
// negative sum: then both bounds are checked only for complete groups. If one bound is
// inactive, so is the rule. Distance: the share of the maximum that the seed and the
// candidate leave.
type MatchTotal struct {
	Common
	Column   Column
	Min, Max Schedule
}

// Schedules implements Rule.
func (r *MatchTotal) Schedules() []*Schedule { return []*Schedule{&r.Min, &r.Max} }

// ReachRegion requires a region that every player of a match reaches within a round-trip
// time in ms; for tickets that join a session, it is the session's region. Distance:
// 1/(1+q), where q is the sum of (max − worst)/max over the common regions.
type ReachRegion struct {
	Common
	MaxRTTMS Schedule
}

// Schedules implements Rule.
func (r *ReachRegion) Schedules() []*Schedule { return []*Schedule{&r.MaxRTTMS} }

// TeamGap bounds the difference between the highest and the lowest team average,
// taken over players.
type TeamGap struct {
	Common
	ofTeams
	Column  Column
	Max     Schedule
	Default float64 // the value of a player without one
}

// Schedules implements Rule.
func (r *TeamGap) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// TeamBalance bounds the difference between the largest and the smallest team, in
// players.
type TeamBalance struct {
	Common
	ofTeams
	Max Schedule
}

// Schedules implements Rule.
func (r *TeamBalance) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// LargeParties requires a large party in every team or in none. A party is large if it has
// at least half of the maximum of the largest team. The rule does not apply to sessions,
// because the parties of their players are not known.
type LargeParties struct {
	Common
	ofTeams
}

// Schedules implements Rule.
func (*LargeParties) Schedules() []*Schedule { return nil }

// ofTeams is embedded in every rule about teams.
type ofTeams struct{}

func (ofTeams) isTeamRule() {}

// IsTeamRule reports whether a rule is about teams rather than tickets.
func IsTeamRule(rule Rule) bool {
	_, is := rule.(interface{ isTeamRule() })
	return is
}

func validateRule(rule Rule, set *Ruleset) error {
	c := rule.Settings()
	if IsTeamRule(rule) {
		if len(set.Teams) == 0 {
			return fmt.Errorf("a rule about teams, but there are no Teams")
		}
	} else if !(c.Weight > 0 && c.Weight <= math.MaxFloat32) {
		return fmt.Errorf("weight is %v, want a number above 0", c.Weight)
	}
	if c.OptionalAfterMS < 0 {
		return fmt.Errorf("OptionalAfterMS is %d, want 0 or more", c.OptionalAfterMS)
	}
	for _, s := range rule.Schedules() {
		if err := s.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Schedule) validate() error {
	switch {
	case s.EveryMS < 0:
		return fmt.Errorf("EveryMS is %d, want 0 or more", s.EveryMS)
	case s.EveryMS == 0 && (s.Step != 0 || len(s.List) > 1):
		return fmt.Errorf("EveryMS is 0, want the period of the expansion")
	case math.IsNaN(s.Base) || math.IsInf(s.Base, 0) || math.IsNaN(s.Step) || math.IsInf(s.Step, 0) || math.IsNaN(s.Limit):
		return fmt.Errorf("threshold %v with step %v and limit %v, want finite numbers", s.Base, s.Step, s.Limit)
	}
	for i, o := range s.List {
		if math.IsNaN(o.Value) || math.IsInf(o.Value, 0) {
			return fmt.Errorf("override %d is %v, want a finite number", i, o.Value)
		}
	}
	return nil
}
