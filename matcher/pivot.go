package matcher

import (
	"errors"
	"fmt"
	"math"
)

// NoColumn stands where a ruleset does not look at an attribute.
const NoColumn Column = -1

// PivotRules are another way to form groups: the seed ticket is the pivot, and every
// candidate is compared with it alone, both ways and each by its own wait, never with other candidates;
// two of a match may be twice as far apart as either is from the seed. Candidates
// join in the order of their distance while what they all share holds, and fill
// teams of which there may be a varying number. A region is settled before
// candidates are looked for: the seed tries those that it reaches, the nearest
// first.
//
// A Ruleset with PivotRules has neither Rules nor Teams. Ties are broken by age, then
// by the order of Add.
type PivotRules struct {
	Sizes     []TeamSizes // by AfterMS, the first from the start; as the seed has waited
	Distances []PivotDistance
	Options   []PivotOption
	Region    PivotRegion
	Same      Column // text of a ticket that all of a match have alike, or lack alike
	People    Column // text of a player that names him: nobody is twice in a match
	Blocked   Column // set of a ticket: the names of those it does not want to meet
	Blocking  Blocking
	NewOnly   Column // tickets with any value here never join an open session
	Backfill  bool   // open sessions take tickets, before new matches are made
	Balance   bool   // teams are evened out: sizes first, then averages
	Scan      *Scan  // candidates are admitted one after another; nil: see above
}

// Scan is another way to choose candidates and to fill teams, that of a service which
// looks at every ticket behind the seed in order of age. A candidate that passes all tests
// is admitted, and later ones are tested with it too, whether it is chosen or not: of
// SharedValue options they need a value that all admitted have, and under KeepApart they
// and the admitted do not block each other. Options are tested from the seed's side alone;
// what the chosen have in common is looked at in the end, and where that fails the seed has
// no match in the region.
//
// Times of creation are cut down to the second. Thresholds are exact. A ticket that reaches
// no region goes anywhere, and after PivotRegion.OneWayAfterMS a candidate need only have
// measured the region. Teams are filled by first fit, and nothing else is tried. Sessions
// take tickets whatever PivotRules.Backfill says, in the order of their Add; the list of
// sessions shrinks while it is walked, so that one behind a session that fills up may be
// passed over.
type Scan struct {
	Equal  []Column // texts of a ticket: a seed that has one meets only those with the same, one with an empty text those without
	Others Column   // set of a ticket: names and values of other attributes; those of a seed are among those of its candidates
	// SmallestFirst tells that teams are filled up to the smallest party first, where
	// that is larger than their minimum, and that a session's smallest team is served
	// first. Otherwise: up to the minimum, and in order.
	SmallestFirst bool
}

// TeamSizes are how many teams of how many players make a match.
type TeamSizes struct {
	AfterMS                int64 // wait from which on they hold
	MinTeams, MaxTeams     int
	MinPlayers, MaxPlayers int // of each team
}

// Stage is a threshold from some wait on.
type Stage struct {
	AfterMS int64
	Value   float64
	Absent  bool // the rule does not look at anything in this stage
}

// PivotDistance bounds the difference of the mean numbers of two tickets. A player
// without number counts 0.
type PivotDistance struct {
	Name     string
	Column   Column
	Max      []Stage // by AfterMS, the first from the start
	Scale    float64 // difference that counts 1 in a candidate's distance; 0: differences count as they are
	Weight   float64 // of this rule in a candidate's distance
	Balanced bool    // team averages of number/Scale are evened out
}

// OptionKind tells what tickets of a match must have in common.
type OptionKind uint8

// The kinds of options.
const (
	SameSet     OptionKind = iota // all have the same values
	SharedValue                   // one value at least is in the sets of all
	NoRepeat                      // no value is in two sets
)

// PivotOption compares sets of values of tickets. A ticket without the option meets
// only others without it; under NoRepeat a seed without it meets anybody, one with
// it only those who have it too.
type PivotOption struct {
	Name   string
	Column Column
	Kind   OptionKind
	// Own is a set of what the ticket itself is, of which everybody else's set must
	// hold all; only with SharedValue, which it replaces between those who have it.
	// NoColumn: none.
	Own Column
}

// Blocking tells what becomes of people who do not want to meet.
type Blocking uint8

// The kinds of blocking.
const (
	KeepApart  Blocking = iota // they are in no match together
	OtherTeams                 // they are in no team together
	IgnoreBlocks
)

// PivotRegion bounds round-trip times. A ticket's time is the mean over its
// players, without those who measured nothing at all; a region that one of the
// others did not measure does not count. A ticket that measured nothing goes
// anywhere; one that measured and reaches nothing yet meets nobody.
type PivotRegion struct {
	Name     string
	Ignored  bool     // nobody's times are looked at
	ReachMS  Schedule // a ticket reaches regions within this
	Relative bool     // beyond its own nearest region, else from 0
	MaxMS    float64  // never further than this; +Inf: no limit
	Weight   float64  // in a candidate's distance, of what it is off its nearest region as a share of MaxMS
	// OneWayAfterMS is the wait of a seed after which candidates need not reach the
	// region by their own wait, only within MaxMS; Never.
	OneWayAfterMS int64
}

// stage returns the place of the sizes after a wait.
func (s *PivotRules) stage(waitMS int64) int {
	i := len(s.Sizes) - 1
	for i > 0 && s.Sizes[i].AfterMS > waitMS {
		i--
	}
	return i
}

// stage returns the place of the threshold after a wait.
func (d *PivotDistance) stage(waitMS int64) int {
	i := len(d.Max) - 1
	for i > 0 && d.Max[i].AfterMS > waitMS {
		i--
	}
	return i
}

// validate returns an error that names the member which no match loop could work
// with.
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
