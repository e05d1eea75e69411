package matcher

import (
	"errors"
	"fmt"
	"math"
)

// NoColumn is the Column of an attribute that a ruleset does not read.
const NoColumn Column = -1

// PivotRules form groups around a seed ticket, the pivot. Every candidate is compared only with the
// pivot and never with another candidate, so two tickets of a match may be twice as far apart as
// either of them is from the pivot. A pair must satisfy the thresholds of both tickets, and a
// ticket's thresholds depend on its own wait, unless PivotDistance.Basis selects another wait.
//
// The search tries the regions that the pivot reaches, the nearest first, and looks for candidates
// in each. Candidates join in order of their distance from the pivot and fill teams. The number of
// teams may vary. All tickets of a match together must satisfy the Options.
//
// A Ruleset with PivotRules has neither Rules nor Teams. Candidates with equal distances are
// ordered by age, then by the order in which they were added.
type PivotRules struct {
	Sizes     []TeamSizes // sorted by AfterMS, the first at 0 ms; the seed's wait selects one
	Distances []PivotDistance
	Options   []PivotOption
	Region    PivotRegion
	Same      Column // text of a ticket; it must be the same for all tickets of a match, or missing for all, after any wait
	People    Column // text that identifies a player, who may be in a match only once
	Blocked   Column // set of a ticket: the identifiers of the players that it blocks
	Blocking  Blocking
	NewOnly   Column  // tickets with a value in this column never join an open session
	Backfill  bool    // open sessions take tickets before new matches are made
	Balance   bool    // teams are balanced by their sizes, then by their averages
	InTurn    *InTurn // another method of choosing candidates, or nil for the method described above
}

// InTurn is another method of choosing candidates and filling teams. It reproduces a service that
// tests every ticket younger than the seed, in order of age. A candidate that passes all tests is
// admitted. Later candidates are tested against the admitted tickets too, even if these do not end
// up in the match. Under a SharedValue option, they need a value that all admitted tickets have.
// Under KeepApart, they must not block an admitted ticket or be blocked by one.
//
// The search tests options only from the seed's side. The options of the chosen tickets are checked
// at the end. If that check fails, the seed has no match in the region.
//
// Creation times are truncated to whole seconds. Thresholds have no tolerance for rounding. A
// ticket that reaches no region may be matched in any region. After PivotRegion.OneWayAfterMS, a
// candidate need only have measured the region. Teams are filled by first fit, and no other order
// is tried. If the seed's party finds no seat, the match is made without it, and it is the seed
// again. Under OtherTeams, a ticket that blocks one of its own players never finds a seat.
//
// Sessions take tickets even if PivotRules.Backfill is not set. They do so one after another, in
// the order in which they were added, and each tests tickets in the order in which these were
// added. A session that becomes full is removed from the list during the traversal, so the next
// session may be skipped.
type InTurn struct {
	// Equal lists the columns of ticket texts that are compared. A seed with a text in such a
	// column matches only tickets with the same text. A seed with the empty text matches only
	// tickets without a text.
	Equal []Column
	// Others is the column of a set that contains the names and values of a ticket's other
	// attributes. A candidate's set must contain all elements of the seed's set.
	Others Column
	// SmallestFirst changes the order in which teams are filled. If it is set, each team is
	// first filled up to its minimum or the size of the smallest party, whichever is larger,
	// and a session fills its smallest team first. Otherwise each team is first filled up to
	// its minimum, and a session fills its teams in order.
	SmallestFirst bool
}

// TeamSizes limits the number of teams in a match and the number of players in each team.
type TeamSizes struct {
	AfterMS                int64 // wait from which these limits apply, ms
	MinTeams, MaxTeams     int
	MinPlayers, MaxPlayers int // number of players in each team
}

// PivotDistance limits the difference between the mean numbers of two tickets. A player without
// a number counts as 0.
type PivotDistance struct {
	Name     string
	Column   Column
	Max      Steps[float64] // thresholds, the first at 0 ms; +Inf while the rule is not enforced
	Scale    float64        // difference that adds Weight to a candidate's distance; if it is 0, the difference itself is added
	Weight   float64
	Balanced bool // teams are balanced by their averages of number/Scale
	// Basis selects whose wait selects the threshold of a pivot and a candidate: that of the older
	// one, that of the newer one or the mean. If it is nil, the two must satisfy the thresholds of both
	// waits. A rule with a Basis does not narrow the search.
	Basis *ExpansionBasis
}

// Cost returns the amount that a difference between two tickets adds to a candidate's distance.
func (d *PivotDistance) Cost(difference float64) float64 {
	if d.Scale > 0 {
		return float64(difference / d.Scale * d.Weight)
	}
	return difference
}

// OptionKind is a condition on the sets that the tickets of a match have in one column.
type OptionKind uint8

// The kinds of options.
const (
	SameSet     OptionKind = iota // all sets must be equal
	SharedValue                   // at least one value must be in all sets
	NoRepeat                      // no value may be in two sets
)

// PivotOption compares the sets that tickets have in a column. A ticket without a set matches only
// tickets without a set. NoRepeat is different: a seed without a set matches any ticket, and a seed
// with a set matches only tickets that have one too.
type PivotOption struct {
	Name   string
	Column Column
	Kind   OptionKind
	// Own is the column of a set that describes the ticket itself, or NoColumn. Only SharedValue
	// uses it: the set in Column of every other ticket must contain this set. Two tickets that both
	// have an Own set need not share another value.
	Own Column
	// Enforced tells after which waits of the pivot the option is enforced. If it is empty, the
	// option is always enforced. An option that is not always enforced does not narrow the search.
	Enforced Steps[bool]
}

// Blocking determines how a match treats two players if one of them blocks the other.
type Blocking uint8

// The ways to treat blocked players.
const (
	KeepApart    Blocking = iota // they are never in the same match
	OtherTeams                   // they are never in the same team
	IgnoreBlocks                 // they may be in the same team
)

// PivotRegion limits round-trip times (RTTs). A ticket's RTT to a region is the mean over its
// players; players who did not measure any region are left out. If any of the remaining players did
// not measure a region, the ticket cannot reach that region. A ticket without measurements may be
// matched in any region. A ticket with measurements is not matched until it reaches a region.
type PivotRegion struct {
	Name     string
	Ignored  bool     // RTTs are ignored
	ReachMS  Schedule // largest RTT to a region that a ticket reaches
	Relative bool     // ReachMS is added to the ticket's lowest RTT
	MaxMS    float64  // largest RTT that is allowed after any wait; +Inf if there is no limit
	Weight   float64  // factor of (RTT − lowest RTT)/MaxMS in a candidate's distance
	// OneWayAfterMS is the wait of the seed after which a candidate's own wait no longer matters:
	// its RTT to the region need only be within MaxMS. It is Never if there is no such wait.
	OneWayAfterMS int64
}

// SizesAt returns the index of the sizes that apply after a wait. It also returns the wait at which
// the sizes change next, or Never.
func (s *PivotRules) SizesAt(waitMS int64) (at int, untilMS int64) {
	for i := range s.Sizes {
		if s.Sizes[i].AfterMS > waitMS {
			return at, s.Sizes[i].AfterMS
		}
		at = i
	}
	return at, Never
}

// validate returns an error that describes the first invalid value.
func (s *PivotRules) validate() error {
	if len(s.Sizes) == 0 || s.Sizes[0].AfterMS != 0 {
		return errors.New("no Sizes from the start")
	}
	for i, size := range s.Sizes {
		switch {
		case size.MinTeams < 1 || size.MaxTeams < size.MinTeams || size.MinPlayers < 1 || size.MaxPlayers < size.MinPlayers:
			return fmt.Errorf("%d to %d teams of %d to %d players, want 1 <= minimum <= maximum",
				size.MinTeams, size.MaxTeams, size.MinPlayers, size.MaxPlayers)
		case size.MinTeams > MaxGroupPlayers/size.MinPlayers:
			return fmt.Errorf("at least %d teams of %d players, want at most %d players", size.MinTeams, size.MinPlayers, MaxGroupPlayers)
		case i > 0 && size.AfterMS < s.Sizes[i-1].AfterMS:
			return errors.New("the Sizes are not in the order of AfterMS")
		}
	}
	for i := range s.Distances {
		if err := s.Distances[i].validate(s.InTurn != nil); err != nil {
			return fmt.Errorf("distance %q: %w", s.Distances[i].Name, err)
		}
	}
	for i := range s.Options {
		if err := s.Options[i].validate(s.InTurn != nil); err != nil {
			return fmt.Errorf("option %q: %w", s.Options[i].Name, err)
		}
	}
	if math.IsNaN(s.Region.MaxMS) || s.Region.MaxMS < 0 || !(s.Region.Weight >= 0) {
		return fmt.Errorf("a region within %v ms of weight %v, want numbers of 0 or more", s.Region.MaxMS, s.Region.Weight)
	}
	return s.Region.ReachMS.validate()
}

// validate returns an error that describes the first invalid value. inTurn is set if the rules have an
// InTurn.
func (d *PivotDistance) validate(inTurn bool) error {
	switch {
	case len(d.Max) == 0 || d.Max[0].AfterMS != 0:
		return errors.New("no threshold from the start")
	case d.Basis != nil && *d.Basis > MeanWait:
		return fmt.Errorf("the basis is %d, want LongestWait, ShortestWait or MeanWait", *d.Basis)
	case d.Basis != nil && inTurn:
		return errors.New("a basis under InTurn, want none, because InTurn reproduces a service that has no such option")
	}
	if !(d.Scale >= 0 && d.Weight >= 0 && d.Scale <= MaxNumber && d.Weight <= MaxNumber) {
		return fmt.Errorf("scale %v and weight %v, want numbers of 0 or more", d.Scale, d.Weight)
	}
	for i, stage := range d.Max {
		if math.IsNaN(stage.Value) || i > 0 && stage.AfterMS < d.Max[i-1].AfterMS {
			return fmt.Errorf("threshold %v after %d ms, want numbers in the order of AfterMS", stage.Value, stage.AfterMS)
		}
	}
	return nil
}

// validate returns an error that describes the first invalid value. inTurn is set if the rules have an
// InTurn.
func (o *PivotOption) validate(inTurn bool) error {
	if len(o.Enforced) > 0 && inTurn {
		return errors.New("a schedule Enforced under InTurn, want none, because InTurn reproduces a service that has no such option")
	}
	return validateEnforced(o.Enforced)
}
