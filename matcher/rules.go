package matcher

import (
	"fmt"
	"math"
)

// Rule is one of the rules of this package: *EqualText, *NumberDistance,
// *SetOverlap, *MatchTotal, *ReachRegion, *TeamGap, *TeamBalance or *LargeParties.
//
// While a rule is enforced it keeps tickets apart. Besides, it gives a distance
// from 0 to 1 between seed and candidate, whether it is enforced or not; the
// candidate with the smallest sum of weight times distance is tried first. Rules
// about teams have no distance.
type Rule interface {
	// Settings returns what all rules have.
	Settings() *Common
	// Schedules returns the thresholds that change with the wait: none, one, or the two
	// of MatchTotal.
	Schedules() []*Schedule
}

// Common is what all rules have.
type Common struct {
	Name            string
	Weight          float64 // of the distance, above 0; ignored by rules about teams
	OptionalAfterMS int64   // wait from which on the rule is not enforced, ms; Never for a rule that always is, 0: from the start
}

// Settings returns what all rules have.
func (c *Common) Settings() *Common { return c }

// EqualText keeps tickets with different texts apart: every pair of a match has
// the same one, letter case included. A party with two different values meets
// nobody while the rule is enforced; players without a value do not count in
// their party. Distance: 0 equal, 1 different.
type EqualText struct {
	Common
	Column     Column
	Enabled    Schedule // only whether it is active matters
	MissingAny bool     // a ticket without value may meet anybody; it does not join two different values
	Default    Text     // else: the value of a player who has none
}

// Schedules implements Rule.
func (r *EqualText) Schedules() []*Schedule { return []*Schedule{&r.Enabled} }

// NumberDistance keeps tickets apart whose numbers differ by more than a
// threshold: every pair of a match. Distance: difference / threshold, at most 1.
type NumberDistance struct {
	Common
	Column     Column
	Max        Schedule
	Merge      Merge   // how a party's number is made
	MissingAny bool    // players without value do not count, a ticket without any may meet anybody
	Default    float64 // else: the value of a player who has none
}

// Schedules implements Rule.
func (r *NumberDistance) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// Merge makes one number of those of a party.
type Merge uint8

// The ways to merge.
const (
	Average Merge = iota
	Lowest
	Highest
)

// SetOverlap wants a number of elements that all tickets of a match have in
// common. A party's set is what all of its players have. It binds among tickets
// that have a set, of which there must be two. Distance: 1/(1+shared).
type SetOverlap struct {
	Common
	Column     Column
	MinShared  Schedule
	MissingAny bool   // players without a set do not count, a ticket without any may meet anybody
	Default    []Text // else: the set of a player who has none; sorted, each once
}

// Schedules implements Rule.
func (r *SetOverlap) Schedules() []*Schedule { return []*Schedule{&r.MinShared} }

// MatchTotal bounds the sum over all players of a match; a missing value adds 0.
// The maximum holds at every step, unless some ticket of the pool has a negative sum:
// then both bounds hold at the end only. If one bound is inactive, so is the rule.
// Distance: the share of the maximum that seed and candidate leave open.
type MatchTotal struct {
	Common
	Column   Column
	Min, Max Schedule
}

// Schedules implements Rule.
func (r *MatchTotal) Schedules() []*Schedule { return []*Schedule{&r.Min, &r.Max} }

// ReachRegion wants a region that every player of a match reaches within a
// round-trip time in ms, and that of the session for those who join one.
// Distance: 1/(1+q), where q adds up (max − worst)/max over the common regions.
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
	Column  Column
	Max     Schedule
	Default float64 // the value of a player who has none
}

// Schedules implements Rule.
func (r *TeamGap) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// TeamBalance bounds the difference between the largest and the smallest team, in
// players.
type TeamBalance struct {
	Common
	Max Schedule
}

// Schedules implements Rule.
func (r *TeamBalance) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// LargeParties wants a large party in every team or in none. Large is a party of
// at least half of the largest team's maximum. Sessions do not look at it: who of
// their players came together is not known.
type LargeParties struct {
	Common
}

// Schedules implements Rule.
func (*LargeParties) Schedules() []*Schedule { return nil }

// IsTeamRule tells whether a rule looks at teams rather than at tickets.
func IsTeamRule(rule Rule) bool {
	switch rule.(type) {
	case *TeamGap, *TeamBalance, *LargeParties:
		return true
	}
	return false
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
