package matcher

import (
	"errors"
	"fmt"
)

// SeatRules are a third way to form groups: each ticket is seated in one of the named
// teams, which may differ in size, and rules are expressions over the teams. What a rule
// says of a part of a match tells little about the whole, so all of them must hold for the
// complete match.
//
// A Ruleset with SeatRules has neither Rules nor Teams nor a Pivot.
type SeatRules struct {
	Teams []SeatTeam
	Rules []SeatRule // in the order of the file
	// Oldest tells that steps go by the oldest ticket of a match; else by the newest.
	Oldest    bool
	Backfills bool            // running matches look for players while they have free seats
	Backfill  Steps[Priority] // when they are served
	// Large tells how matches are made that are too large to go through all groups; nil:
	// they are small.
	Large *LargeMatches
	// SortBy are the attributes by which tickets are sorted before they are cut into
	// batches of Ruleset.Batch; without them the batches are random.
	SortBy []Column
}

// LargeMatches tell how a match is made by adding one candidate of a region after the other.
type LargeMatches struct {
	// Balance is the number whose averages the teams have as nearly alike as they can.
	Balance Column
	// FastestRegion tells that only tickets with the same fastest region are matched; else
	// those that reach a region do, that with most players first.
	FastestRegion bool
}

// SessionPriority returns when a session that has looked for players so long is served.
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

// Priority is when sessions that look for players are served.
type Priority uint8

// The priorities.
const (
	NormalPriority Priority = iota // by their age, among the tickets
	LowPriority                    // after all tickets
	HighPriority                   // before all tickets
)

// Step is a value from some wait on.
type Step[T any] struct {
	AfterMS int64
	Value   T
}

// Steps are a value that changes with the wait, the first from the start; none where it is
// absent.
type Steps[T any] []Step[T]

// At returns the value after a wait; false where it is absent then.
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
	// Common returns what all rules have.
	Common() *SeatCommon
}

// SeatCommon is what all rules have.
type SeatCommon struct {
	Name string
	// Party is how the values of a party's players become one. Each of them counts with it.
	Party Aggregation
	// Named tells that a compound names the rule: it acts only through it.
	Named bool
}

// Common returns what all rules have.
func (c *SeatCommon) Common() *SeatCommon { return c }

// Aggregation is how values become one.
type Aggregation uint8

// The aggregations. The last two are of sets.
const (
	PartyAvg Aggregation = iota
	PartyMin
	PartyMax
	PartyUnion
	PartyIntersection
)

// Reference is what measurements are compared with: an expression, or a constant.
type Reference struct {
	Expression *Expression // nil: a constant
	Type       Type
	Number     float64
	Text       Text
}

// Comparison compares every measured value with a reference, or, where there is none, all
// of them with each other.
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
	Min, Max  Steps[float64] // one of them at least is there
}

// BatchDistance bounds how far apart the numbers of a match are, or wants equal texts.
type BatchDistance struct {
	SeatCommon
	Column Column
	Max    Steps[float64] // of a number; none: of a text
}

// Collection counts in lists of texts.
type Collection struct {
	SeatCommon
	Measured []*Expression
	// Operation is contains (lists that hold the reference), intersection (texts that all
	// lists hold) or reference_intersection_count (for each list, its texts that the
	// reference holds too).
	Operation string
	Reference Steps[Reference]
	Min, Max  Steps[float64] // one of them at least is there
}

// Latency wants a region that every player of the match reaches.
type Latency struct {
	SeatCommon
	Max         Steps[float64] // ms; a region beyond it does not count for a player
	MaxDistance Steps[float64] // ms, of a player from the match's reference in the region
	FromAvg     bool           // the reference is the average of the match; else its lowest
}

// Sort orders the candidates of an anchor. It keeps nobody apart.
type Sort struct {
	SeatCommon
	Column     Column
	Distance   bool // by the difference from the anchor's value; else by the value itself
	Descending bool
	// KeyColumn returns the column of one key of a map; nil: the attribute is a number.
	KeyColumn func(key Text) Column
	// HighestKey tells that a map goes by the key of the anchor's highest number; else of
	// its lowest.
	HighestKey bool
}

// Compound combines other rules, which then act only through it.
type Compound struct {
	SeatCommon
	Statement *Statement
}

// Statement is an operator over statements, or a rule.
type Statement struct {
	Operator string // and, or, xor, not; "": Rule
	Parts    []*Statement
	Rule     SeatRule
}

// names returns the names of the rules, and at last that of the sizes of teams.
func (r *SeatRules) names() []string {
	var names []string
	for _, rule := range r.Rules {
		names = append(names, rule.Common().Name)
	}
	return append(names, teamSizes)
}

// withoutRegion returns a copy of a statement in which rules about regions hold.
func (s *Statement) withoutRegion() *Statement {
	free := &Statement{Operator: s.Operator, Rule: s.Rule}
	switch r := s.Rule.(type) {
	case *Latency:
		return &Statement{Operator: "and"} // of nothing
	case *Compound:
		return r.Statement.withoutRegion()
	}
	for _, part := range s.Parts {
		free.Parts = append(free.Parts, part.withoutRegion())
	}
	return free
}

// isLatency tells whether a rule by itself is about regions. One that a compound names is
// part of another rule.
func isLatency(rule SeatRule) bool {
	_, is := rule.(*Latency)
	return is && !rule.Common().Named
}

// relaxation appends how far each rule had given way, and the sizes of teams.
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

// validate returns an error that names the member which no match loop could work with.
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
