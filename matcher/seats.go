package matcher

import (
	"errors"
	"fmt"
)

// SeatRules form groups by placing each ticket in one of the named teams, which may differ in
// size. Rules are expressions over the teams. A rule that fails for part of a match may hold
// for the whole, and the reverse, so all rules must hold for the complete match.
//
// A Ruleset with SeatRules has neither Rules nor Teams nor a Pivot.
type SeatRules struct {
	Teams []SeatTeam
	Rules []SeatRule // in the order of the file
	// Oldest is set if the wait of the oldest ticket of a match selects the steps; otherwise
	// the wait of the newest does.
	Oldest    bool
	Backfills bool            // running matches look for players while they have free seats
	Backfill  Steps[Priority] // when those matches are served
	// Large is set for matches that are too large to try all groups; nil: they are small.
	Large *LargeMatches
	// SortBy are the attributes by which tickets are sorted before they are cut into
	// batches of Ruleset.Batch; without them the batches are random.
	SortBy []Column
}

// LargeMatches configure large matches, which are built by adding the candidates of a region
// one by one.
type LargeMatches struct {
	// Balance is the number whose team averages are kept as close as possible.
	Balance Column
	// FastestRegion is set if only tickets with the same fastest region are matched.
	// Otherwise tickets that reach a common region are, the region with most players first.
	FastestRegion bool
}

// SessionPriority returns the priority of a session that has waited for players so long.
func (r *Ruleset) SessionPriority(waitMS int64) Priority {
	if r.Seats == nil {
		return HighPriority
	}
	priority, _ := r.Seats.Backfill.At(waitMS)
	return priority
}

// SeatTeam is one team of a match.
type SeatTeam struct {
	Name     string
	Min, Max Steps[float64] // players
}

// Priority is the order in which sessions and tickets are served.
type Priority uint8

// The priorities.
const (
	NormalPriority Priority = iota // by their age, among the tickets
	LowPriority                    // after all tickets
	HighPriority                   // before all tickets
)

// Step is a value that holds from some wait.
type Step[T any] struct {
	AfterMS int64
	Value   T
}

// Steps are a value that changes with the wait, in the order of AfterMS; empty if there is no
// value.
type Steps[T any] []Step[T]

// At returns the value after a wait, or false if there is none then.
func (s Steps[T]) At(waitMS int64) (value T, ok bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].AfterMS <= waitMS {
			return s[i].Value, true
		}
	}
	return value, false
}

// SeatRule is one of *Comparison, *Distance, *BatchDistance, *Collection, *Latency, *Sort
// and *Compound.
type SeatRule interface {
	// Common returns the fields that all rules have.
	Common() *SeatCommon
}

// SeatCommon holds the fields that all rules have.
type SeatCommon struct {
	Name string
	// Party is how the values of a party's players become one value, which then counts for
	// each of them.
	Party Aggregation
	// Named is set if a compound names the rule, which then acts only through the compound.
	Named bool
}

// Common returns c.
func (c *SeatCommon) Common() *SeatCommon { return c }

// Aggregation is how several values become one.
type Aggregation uint8

// The aggregations. The last two are of sets.
const (
	PartyAvg Aggregation = iota
	PartyMin
	PartyMax
	PartyUnion
	PartyIntersection
)

// Reference is the value that measurements are compared with: an expression or a constant.
type Reference struct {
	Expression *Expression // nil: a constant
	Type       Type
	Number     float64
	Text       Text
}

// Comparison compares every measured value with a reference, or, if there is none, all of
// them with each other.
type Comparison struct {
	SeatCommon
	Measured  []*Expression
	Operation string // < <= = != > >=
	Reference Steps[Reference]
}

// Distance bounds the difference of every measured number from a reference.
type Distance struct {
	SeatCommon
	Measured  []*Expression
	Reference Steps[Reference]
	Min, Max  Steps[float64] // at least one is not empty
}

// BatchDistance bounds the range of the numbers of a match, or requires equal texts.
type BatchDistance struct {
	SeatCommon
	Column Column
	Max    Steps[float64] // of a number; empty: the column is a text
}

// Collection bounds a count over lists of texts.
type Collection struct {
	SeatCommon
	Measured []*Expression
	// Operation is contains (counts the lists that contain the reference), intersection
	// (counts the texts that are in all lists) or reference_intersection_count (counts, for
	// each list, its texts that are in the reference too).
	Operation string
	Reference Steps[Reference]
	Min, Max  Steps[float64] // at least one is not empty
}

// Latency requires a region that every player of the match reaches.
type Latency struct {
	SeatCommon
	Max         Steps[float64] // ms; a player does not reach a region beyond it
	MaxDistance Steps[float64] // ms, between a player's latency and the match's reference in the region
	FromAvg     bool           // the reference is the average of the match, otherwise its lowest
}

// Sort orders the candidates of an anchor. It does not keep tickets apart.
type Sort struct {
	SeatCommon
	Column     Column
	Distance   bool // by the difference from the anchor's value, otherwise by the value itself
	Descending bool
	// KeyColumn returns the column of one key of a map; nil: the attribute is a number.
	KeyColumn func(key Text) Column
	// HighestKey is set if a map is read at the key of the anchor's highest number;
	// otherwise it is read at the key of its lowest.
	HighestKey bool
}

// Compound combines other rules, which then act only through it.
type Compound struct {
	SeatCommon
	Statement *Statement
}

// Statement is an operator applied to statements, or a rule.
type Statement struct {
	Operator string // and, or, xor, not; "": the statement is Rule
	Parts    []*Statement
	Rule     SeatRule
}

// names returns the names of the rules, followed by that of the team sizes.
func (r *SeatRules) names() []string {
	var names []string
	for _, rule := range r.Rules {
		names = append(names, rule.Common().Name)
	}
	return append(names, teamSizes)
}

// withoutRegion returns a copy of a statement in which rules about regions always hold.
func (s *Statement) withoutRegion() *Statement {
	free := &Statement{Operator: s.Operator, Rule: s.Rule}
	switch r := s.Rule.(type) {
	case *Latency:
		return &Statement{Operator: "and"} // without parts: always holds
	case *Compound:
		return r.Statement.withoutRegion()
	}
	for _, part := range s.Parts {
		free.Parts = append(free.Parts, part.withoutRegion())
	}
	return free
}

// isLatency reports whether a rule by itself is about regions. A rule that a compound names is
// part of that compound.
func isLatency(rule SeatRule) bool {
	_, is := rule.(*Latency)
	return is && !rule.Common().Named
}

// relaxation appends how far each rule was relaxed, followed by the team sizes.
func (r *SeatRules) relaxation(dst []Relaxed, longestMS, shortestMS int64) []Relaxed {
	waitMS := shortestMS
	if r.Oldest {
		waitMS = longestMS
	}
	stage := func(steps ...Steps[float64]) (n int) {
		for _, s := range steps {
			for i := range s {
				if i > 0 && s[i].AfterMS <= waitMS {
					n = max(n, i)
				}
			}
		}
		return n
	}
	for _, rule := range r.Rules {
		relaxed := Relaxed{}
		switch rule := rule.(type) {
		case *Distance:
			relaxed.Stage = stage(rule.Min, rule.Max)
		case *BatchDistance:
			relaxed.Stage = stage(rule.Max)
		case *Collection:
			relaxed.Stage = stage(rule.Min, rule.Max)
		case *Latency:
			relaxed.Stage = stage(rule.Max, rule.MaxDistance)
		}
		dst = append(dst, relaxed)
	}
	sizes := Relaxed{}
	for i := range r.Teams {
		sizes.Stage = max(sizes.Stage, stage(r.Teams[i].Min, r.Teams[i].Max))
	}
	return append(dst, sizes)
}

// validate returns an error that names the first field with which the engine cannot work.
func (r *SeatRules) validate() error {
	if len(r.Teams) == 0 {
		return errors.New("no Teams")
	}
	for i := range r.Teams {
		t := &r.Teams[i]
		if len(t.Min) == 0 || len(t.Max) == 0 || t.Min[0].AfterMS != 0 || t.Max[0].AfterMS != 0 {
			return fmt.Errorf("team %q has no sizes from the start", t.Name)
		}
	}
	return nil
}
