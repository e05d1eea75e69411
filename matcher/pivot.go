package matcher

import (
	"errors"
	"fmt"
	"math"
)

// NoColumn means that a ruleset does not read an attribute.
const NoColumn Column = -1

// PivotRules form groups around the seed ticket, the pivot. Every candidate is compared only
// with the pivot, in both directions, each side by its own wait, and not with other
// candidates. Two tickets of a match may therefore be twice as far apart as either is from
// the pivot. Candidates join in the order of their distance, as long as the options hold for
// all tickets, and fill teams, whose number may vary. The region is fixed before candidates
// are searched: the pivot tries the regions that it reaches, the nearest first.
//
// A Ruleset with PivotRules has neither Rules nor Teams. Ties are broken by age, then by the
// order of Add.
type PivotRules struct {
	Sizes     []TeamSizes // by AfterMS, the first with 0; the seed's wait counts
	Distances []PivotDistance
	Options   []PivotOption
	Region    PivotRegion
	Same      Column // text of a ticket; all tickets of a match have the same one, or none
	People    Column // text that identifies a player, who may be in a match only once
	Blocked   Column // set of a ticket: identifiers of players that it blocks
	Blocking  Blocking
	NewOnly   Column // tickets with a value in this column never join an open session
	Backfill  bool   // open sessions take tickets before new matches are made
	Balance   bool   // teams are balanced: sizes first, then averages
	Scan      *Scan  // candidates are admitted one after another; nil: as described above
}

// Scan is another way to choose candidates and to fill teams. It reproduces a service that
// tests every ticket behind the seed in order of age. A candidate that passes all tests is
// admitted, and further candidates are then tested against it too, whether or not it ends up
// in the match: under a SharedValue option they need a value that all admitted tickets have,
// and under KeepApart they must neither block an admitted ticket nor be blocked by one. The
// search tests options only from the seed's side. The options of the chosen tickets are
// checked at the end; if that fails, the seed has no match in the region.
//
// Creation times are truncated to whole seconds. Thresholds are exact. A ticket that reaches
// no region may be matched in any, and after PivotRegion.OneWayAfterMS a candidate need only
// have measured the region. Teams are filled by first fit, and no other order is tried.
//
// Sessions take tickets whatever PivotRules.Backfill is, one session after another in the
// order of Add, and each tests tickets in the order of Add. A session that fills up is
// removed from the list while the list is traversed, so the session behind it may be skipped.
type Scan struct {
	Equal  []Column // texts of a ticket: a seed with a text matches only the same text, a seed with an empty text only tickets without
	Others Column   // set of a ticket: names and values of other attributes; a candidate must have all of the seed's
	// SmallestFirst is set if teams are first filled up to the size of the smallest party,
	// where that exceeds their minimum, and if a session's smallest team is filled first.
	// Otherwise teams are first filled up to the minimum, and those of a session in order.
	SmallestFirst bool
}

// TeamSizes are the numbers of teams and players of a match.
type TeamSizes struct {
	AfterMS                int64 // wait from which they hold
	MinTeams, MaxTeams     int
	MinPlayers, MaxPlayers int // of each team
}

// Stage is a threshold that holds from some wait.
type Stage struct {
	AfterMS int64
	Value   float64
	Absent  bool // the rule is not enforced in this stage
}

// PivotDistance bounds the difference between the mean numbers of two tickets. A player
// without a number counts as 0.
type PivotDistance struct {
	Name     string
	Column   Column
	Max      []Stage // by AfterMS, the first with 0
	Scale    float64 // difference that adds 1 to a candidate's distance; 0: differences are not scaled
	Weight   float64 // factor of this rule in a candidate's distance
	Balanced bool    // the team averages of number/Scale are balanced
}

// Cost returns the term of a difference in a candidate's distance.
func (d *PivotDistance) Cost(difference float64) float64 {
	if d.Scale > 0 {
		return float64(difference / d.Scale * d.Weight)
	}
	return difference
}

// OptionKind is the condition on the values of the tickets of a match.
type OptionKind uint8

// The kinds of options.
const (
	SameSet     OptionKind = iota // all have the same values
	SharedValue                   // at least one value is in the sets of all
	NoRepeat                      // no value is in two sets
)

// PivotOption compares sets of values of tickets. A ticket without the option matches only
// others without it. Under NoRepeat, a seed without it matches any ticket, and a seed with it
// only tickets that have it too.
type PivotOption struct {
	Name   string
	Column Column
	Kind   OptionKind
	// Own is a set that describes the ticket itself: the sets of all other tickets must
	// contain it. It is used only with SharedValue, whose condition it replaces between
	// tickets that have it. NoColumn: none.
	Own Column
}

// Blocking is what a match does with players who block each other.
type Blocking uint8

// The kinds of blocking.
const (
	KeepApart  Blocking = iota // they are never in the same match
	OtherTeams                 // they are never in the same team
	IgnoreBlocks
)

// PivotRegion bounds round-trip times. A ticket's time is the mean over its players, except
// those without any measurement; a region that one of the other players did not measure does
// not count. A ticket without measurements may be matched in any region. A ticket that
// measured regions but does not reach any yet is not matched.
type PivotRegion struct {
	Name     string
	Ignored  bool     // round-trip times are ignored
	ReachMS  Schedule // a ticket reaches regions within this
	Relative bool     // the limit counts from the ticket's lowest time, otherwise from 0
	MaxMS    float64  // upper bound of the reach; +Inf: no limit
	Weight   float64  // in a candidate's distance: factor of (its time − its lowest time)/MaxMS
	// OneWayAfterMS is the seed's wait after which candidates need not reach the region by
	// their own wait, only within MaxMS; Never: they always must.
	OneWayAfterMS int64
}

// stage returns the index of the sizes after a wait.
func (s *PivotRules) stage(waitMS int64) int {
	i := len(s.Sizes) - 1
	for i > 0 && s.Sizes[i].AfterMS > waitMS {
		i--
	}
	return i
}

// stage returns the index of the threshold after a wait.
func (d *PivotDistance) stage(waitMS int64) int {
	i := len(d.Max) - 1
	for i > 0 && d.Max[i].AfterMS > waitMS {
		i--
	}
	return i
}

// validate returns an error that names the first field with which the engine cannot work.
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
		if err := s.Distances[i].validate(); err != nil {
			return fmt.Errorf("distance %q: %w", s.Distances[i].Name, err)
		}
	}
	if math.IsNaN(s.Region.MaxMS) || s.Region.MaxMS < 0 || !(s.Region.Weight >= 0) {
		return fmt.Errorf("a region within %v ms of weight %v, want numbers of 0 or more", s.Region.MaxMS, s.Region.Weight)
	}
	return s.Region.ReachMS.validate()
}

func (d *PivotDistance) validate() error {
	if len(d.Max) == 0 || d.Max[0].AfterMS != 0 {
		return errors.New("no threshold from the start")
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
