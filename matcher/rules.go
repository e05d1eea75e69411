package matcher

import (
	"fmt"
	"math"
)

// Rule is implemented by *EqualText, *NumberDistance, *SetOverlap, *MatchTotal, *ReachRegion,
// *TeamGap, *TeamBalance and *LargeParties.
//
// While a rule is enforced, no match contains tickets that break it. Every rule except those about
// teams also defines a distance from 0 to 1 between a seed and a candidate, even while it is not
// enforced. The candidate with the smallest sum of weight times distance is tried first.
type Rule interface {
	// Settings returns the fields that all rules have.
	Settings() *Common
	// Schedules returns the thresholds that change with the wait. MatchTotal has two of them, the
	// minimum first. LargeParties has none.
	Schedules() []*Schedule
}

// Common holds the fields that all rules have.
type Common struct {
	Name            string
	Weight          float64 // factor of the distance, above 0; rules about teams ignore it
	OptionalAfterMS int64   // wait from which the rule is no longer enforced, ms, or Never
	// Basis selects whose wait selects the stage of the rule's schedules. If it is nil,
	// Ruleset.ExpansionBasis does. For a rule about pairs, it is the wait of one of the two tickets.
	Basis *ExpansionBasis
}

// Settings returns c.
func (c *Common) Settings() *Common { return c }

// EqualText keeps tickets with different texts apart. The comparison is case-sensitive. While the
// rule is enforced, a party whose players have different texts matches no other ticket. The
// distance is 0 between equal texts and 1 between different ones.
type EqualText struct {
	Common
	Column     Column
	Enabled    Schedule // determines when the rule is active; its threshold is ignored
	MissingAny bool     // players without a text are ignored, and a ticket without a text matches any other
	Default    Text     // text that counts for a player without a text, unless MissingAny is set
}

func (r *EqualText) Schedules() []*Schedule { return []*Schedule{&r.Enabled} }

// NumberDistance keeps two tickets apart if their numbers differ by more than a threshold. It
// applies to every pair of tickets in a match. The distance is difference/threshold, at most 1.
type NumberDistance struct {
	Common
	Column     Column
	Max        Schedule
	Merge      Merge
	MissingAny bool    // players without a number are ignored, and a ticket without a number matches any other
	Default    float64 // number that counts for a player without a number, unless MissingAny is set
}

func (r *NumberDistance) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// Merge determines how a party's number is computed from its players' numbers.
type Merge uint8

// The ways to merge numbers.
const (
	Average Merge = iota
	Lowest
	Highest
)

// SetOverlap requires that all tickets of a match have at least MinShared elements in common. A
// party's set is the intersection of its players' sets. The distance is 1/(1+shared), where shared
// is the number of common elements.
type SetOverlap struct {
	Common
	Column     Column
	MinShared  Schedule
	MissingAny bool   // players without a set are ignored, and a ticket without a set matches any other
	Default    []Text // set that counts for a player without a set, unless MissingAny is set; sorted, without duplicates
}

func (r *SetOverlap) Schedules() []*Schedule { return []*Schedule{&r.MinShared} }

// MatchTotal limits the sum of a number over all players of a match. A missing number adds 0. The
// maximum is checked at every step of a search. While a ticket in the pool has a negative sum,
// both bounds are checked only for complete groups. The rule is inactive if either bound is
// inactive. The distance is the share of the maximum that the seed and the candidate leave
// unused.
type MatchTotal struct {
	Common
	Column   Column
	Min, Max Schedule
}

func (r *MatchTotal) Schedules() []*Schedule { return []*Schedule{&r.Min, &r.Max} }

// ReachRegion requires a region that every player of a match reaches within MaxRTTMS. Tickets that
// join a session must reach the session's region. The distance is 1/(1+q), where q is the sum of
// (max − worst)/max over the common regions: max is the threshold, and worst is the larger RTT
// of the two tickets.
type ReachRegion struct {
	Common
	MaxRTTMS Schedule
}

func (r *ReachRegion) Schedules() []*Schedule { return []*Schedule{&r.MaxRTTMS} }

// TeamGap limits the difference between the highest and the lowest team average of a number. An
// average is taken over the team's players.
type TeamGap struct {
	Common
	ofTeams
	Column  Column
	Max     Schedule
	Default float64 // number that counts for a player without a number
}

func (r *TeamGap) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// TeamBalance limits the difference in players between the largest and the smallest team.
type TeamBalance struct {
	Common
	ofTeams
	Max Schedule
}

func (r *TeamBalance) Schedules() []*Schedule { return []*Schedule{&r.Max} }

// LargeParties forbids matches in which some teams have a large party and others have none. A party
// is large if it has at least half as many players as the largest team may have. The rule does not
// apply to sessions, because it is not known which of their players are parties.
type LargeParties struct {
	Common
	ofTeams
}

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
	switch {
	case c.Basis == nil:
	case *c.Basis > ShortestWait:
		return fmt.Errorf("the basis is %d, want LongestWait or ShortestWait, because a mean would change with every ticket that joins", *c.Basis)
	case len(rule.Schedules()) == 0:
		return fmt.Errorf("a basis, but no schedule that changes with a wait")
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
