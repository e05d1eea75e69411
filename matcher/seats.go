package matcher

import (
	"errors"
	"fmt"
	"slices"
)

// SeatRules form groups by seating each ticket in one of the named teams. The teams may differ in
// size. Rules are expressions over the teams. A rule may fail for a partial match and hold for the
// complete match, or the other way around. Therefore only complete matches must satisfy all rules.
//
// A Ruleset with SeatRules has no Rules, no Teams and no Pivot.
type SeatRules struct {
	Teams []SeatTeam
	Rules []SeatRule // in the order of the configuration file
	// Oldest is set if the wait of a match's oldest ticket selects the values of all Steps.
	// Otherwise the wait of its newest ticket does. A rule may have another Basis of its own.
	Oldest bool
	// Backfill is set if the running matches of a simulated day look for players while they have free
	// seats. A session of a case always does.
	Backfill bool
	Priority Steps[Priority] // of the running matches that look for players, against that of tickets
	// Large is set if matches are too large to try all groups. Otherwise it is nil.
	Large *LargeMatches
	// SortBy lists the attributes by which tickets are sorted before they are cut into batches of
	// Ruleset.Batch tickets. If it is empty, the batches are random (see Pool.Draw in package
	// engine).
	SortBy []Column
}

// LargeMatches configures large matches. The search builds such a match by adding the candidates in
// a region one by one.
type LargeMatches struct {
	// Balance is the column of a number. The search keeps the team averages of this number as close
	// together as possible.
	Balance Column
	// FastestRegion is set if only tickets with the same fastest region are matched. Otherwise
	// tickets that reach a common region are matched, and the region with the most players is tried
	// first.
	FastestRegion bool
}

// SessionPriority returns the priority of a session that has looked for players for waitMS
// milliseconds. Without SeatRules, it is always HighPriority.
func (r *Ruleset) SessionPriority(waitMS int64) Priority {
	if r.Seats == nil {
		return HighPriority
	}
	priority, _ := r.Seats.Priority.At(waitMS)
	return priority
}

// SeatTeam is one team of a match.
type SeatTeam struct {
	Name     string
	Min, Max Steps[float64] // number of players
}

// Priority is the order in which sessions and tickets are served.
type Priority uint8

// The priorities.
const (
	NormalPriority Priority = iota // sessions and tickets are served together, the oldest first
	LowPriority                    // sessions are served after all tickets
	HighPriority                   // sessions are served before all tickets
)

// Step is a value that applies after a wait of AfterMS.
type Step[T any] struct {
	AfterMS int64
	Value   T
}

// Steps is a value that changes with the wait, as a list in order of AfterMS. The list is empty if
// there is no value.
type Steps[T any] []Step[T]

// At returns the value after a wait, or false if there is none yet.
func (s Steps[T]) At(waitMS int64) (value T, ok bool) {
	at, _ := s.Stage(waitMS)
	if at < 0 {
		return value, false
	}
	return s[at].Value, true
}

// Stage returns the index of the value after a wait, or -1 if there is none yet. It also returns
// the wait at which the value changes next, or Never.
func (s Steps[T]) Stage(waitMS int64) (at int, untilMS int64) {
	for i := range s {
		if s[i].AfterMS > waitMS {
			return i - 1, s[i].AfterMS
		}
	}
	return len(s) - 1, Never
}

// SeatRule is implemented by *Comparison, *Distance, *BatchDistance, *Collection, *Latency, *Sort
// and *Compound.
type SeatRule interface {
	// Common returns the fields that all rules have.
	Common() *SeatCommon
}

// SeatCommon holds the fields that all rules have.
type SeatCommon struct {
	Name string
	// Party determines how a party's value is computed from its players' values. Every player of
	// the party then has that value. The first three aggregations are for numbers: if each player
	// must reach the region of a Latency, it is PartyMax. The other two are for lists of texts.
	Party Aggregation
	// Named is set if a Compound refers to the rule. The rule then applies only as part of that
	// Compound.
	Named bool
	// Basis selects whose wait selects the values of the rule's Steps. If it is nil,
	// SeatRules.Oldest does. A rule with another basis is decided only for complete matches, so it
	// does not narrow the search.
	Basis *ExpansionBasis
	// Enforced tells after which waits the rule is enforced. While it is not, the rule holds. If
	// the list is empty, the rule is always enforced. Like a rule with a Basis, a rule that is not
	// always enforced does not narrow the search.
	Enforced Steps[bool]
}

// Common returns c.
func (c *SeatCommon) Common() *SeatCommon { return c }

// Aggregation combines several values into one.
type Aggregation uint8

// The aggregations. PartyUnion and PartyIntersection combine sets.
const (
	PartyAvg Aggregation = iota
	PartyMin
	PartyMax
	PartyUnion
	PartyIntersection
)

// Reference is the value with which measured values are compared. It is an expression or a
// constant.
type Reference struct {
	Expression *Expression // the expression, or nil for a constant
	Type       Type
	Number     float64
	Text       Text
}

// Comparison compares every measured value with a reference. If there is no reference, it compares
// the measured values with each other.
type Comparison struct {
	SeatCommon
	Measured  []*Expression
	Operation string // <, <=, =, !=, > or >=
	Reference Steps[Reference]
}

// Distance limits the difference between every measured number and a reference.
type Distance struct {
	SeatCommon
	Measured  []*Expression
	Reference Steps[Reference]
	Min, Max  Steps[float64] // at least one of the two is not empty
}

// BatchDistance limits the difference between the highest and the lowest number in a match, or
// requires equal texts. A party has one number, see SeatCommon.Party.
type BatchDistance struct {
	SeatCommon
	Column Column
	Max    Steps[float64] // largest difference; empty if the column contains texts
}

// Collection limits a count over lists of texts. Every measured expression must be within the limits by
// itself.
type Collection struct {
	SeatCommon
	Measured []*Expression
	// Operation determines what is counted:
	//   - "contains" counts the lists that contain the reference.
	//   - "intersection" counts the texts that are in all lists.
	//   - "reference_intersection_count" counts the texts of each list that are in the reference
	//     too.
	Operation string
	Reference Steps[Reference]
	Min, Max  Steps[float64] // at least one of the two is not empty
}

// Latency requires a region that every player of the match reaches. If there are several, the match is
// played in the region with the lowest round-trip time of its slowest player.
type Latency struct {
	SeatCommon
	Max         Steps[float64] // largest latency to a region that a player reaches, ms
	MaxDistance Steps[float64] // largest difference from the match's lowest latency, or from its average if FromAvg is set, ms
	FromAvg     bool           // MaxDistance applies to the match's average latency instead of its lowest
}

// Sort orders the candidates of an anchor, which is the first ticket of a match. It never prevents
// two tickets from being matched.
type Sort struct {
	SeatCommon
	Column     Column
	Distance   bool // candidates are ordered by their difference from the anchor's value, otherwise by their value
	Descending bool
	// KeyColumn is set if the attribute is a map. It returns the column with the map's numbers for
	// one key. It is nil if the attribute is a number.
	KeyColumn func(key Text) Column
	// HighestKey is set if maps are compared at the key for which the anchor has its highest
	// number. Otherwise they are compared at the key for which it has its lowest number.
	HighestKey bool
}

// Compound combines other rules, which then apply only as part of it.
type Compound struct {
	SeatCommon
	Statement *Statement
}

// Statement is either an operator with its operands or a rule.
type Statement struct {
	Operator string       // and, or, xor or not; empty if the statement is a rule
	Parts    []*Statement // operands of Operator
	Rule     SeatRule     // the rule, or nil if there is an Operator
}

// names returns the names of the rules, followed by the name of the condition on team sizes.
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
		return &Statement{Operator: "and"} // always true, because it has no operands
	case *Compound:
		return r.Statement.withoutRegion()
	}
	for _, part := range s.Parts {
		free.Parts = append(free.Parts, part.withoutRegion())
	}
	return free
}

// isLatency reports whether a rule is about regions and is not part of a compound.
func isLatency(rule SeatRule) bool {
	_, is := rule.(*Latency)
	return is && !rule.Common().Named
}

// BasisOf returns the basis that selects whose wait counts for a rule.
func (r *SeatRules) BasisOf(rule SeatRule) ExpansionBasis {
	if basis := rule.Common().Basis; basis != nil {
		return *basis
	}
	return r.basis()
}

// basis returns the basis for the team sizes and for rules without a Basis.
func (r *SeatRules) basis() ExpansionBasis {
	if r.Oldest {
		return LongestWait
	}
	return ShortestWait
}

// relaxation appends how far each rule was relaxed, and then how far the team sizes were.
func (r *SeatRules) relaxation(dst []Relaxed, waitsMS []int64) []Relaxed {
	var waitMS int64
	stage := func(steps ...Steps[float64]) (n int) {
		for _, s := range steps {
			at, _ := s.Stage(waitMS)
			n = max(n, at)
		}
		return n
	}
	for _, rule := range r.Rules {
		waitMS = r.BasisOf(rule).WaitMS(waitsMS)
		enforced, timed := rule.Common().Enforced.At(waitMS)
		relaxed := Relaxed{Inactive: timed && !enforced}
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
	waitMS = r.basis().WaitMS(waitsMS)
	sizes := Relaxed{}
	for i := range r.Teams {
		sizes.Stage = max(sizes.Stage, stage(r.Teams[i].Min, r.Teams[i].Max))
	}
	return append(dst, sizes)
}

// validate returns an error that describes the first invalid value. minTeams is Ruleset.MinTeams.
func (r *SeatRules) validate(minTeams int) error {
	switch {
	case len(r.Teams) == 0:
		return errors.New("no Teams")
	case minTeams > 0 && minTeams < len(r.Teams) && r.Large != nil:
		return errors.New("a number of teams that varies with Large, want all teams, because large matches are balanced over all of them")
	}
	for i := range r.Teams {
		t := &r.Teams[i]
		if len(t.Min) == 0 || len(t.Max) == 0 || t.Min[0].AfterMS != 0 || t.Max[0].AfterMS != 0 {
			return fmt.Errorf("team %q has no sizes from the start", t.Name)
		}
	}
	for _, rule := range r.Rules {
		if err := validateWait(rule); err != nil {
			return fmt.Errorf("rule %q: %w", rule.Common().Name, err)
		}
		for _, x := range expressions(rule) {
			if err := r.checkTeams(x); err != nil {
				return fmt.Errorf("rule %q: %w", rule.Common().Name, err)
			}
		}
		if minTeams > 0 && !r.IgnoresTeams(rule) && slices.ContainsFunc(expressions(rule), func(x *Expression) bool { return readsTeamFrom(x, minTeams) }) {
			return fmt.Errorf("rule %q: it distinguishes teams that may be absent, want one over all players or over the first %d teams", rule.Common().Name, minTeams)
		}
	}
	return nil
}

// validateWait returns an error if a rule has an invalid Basis or Enforced.
func validateWait(rule SeatRule) error {
	c := rule.Common()
	_, latency := rule.(*Latency)
	_, compound := rule.(*Compound)
	switch {
	case c.Basis != nil && *c.Basis > MeanWait:
		return fmt.Errorf("the basis is %d, want LongestWait, ShortestWait or MeanWait", *c.Basis)
	case c.Basis != nil && compound:
		return errors.New("a compound with a basis, want one for each of its rules instead")
	case latency && (c.Basis != nil || len(c.Enforced) > 0):
		return errors.New("a latency rule with Basis or Enforced, want neither, because all latency rules together select regions")
	}
	return validateEnforced(c.Enforced)
}

// validateEnforced returns an error if a schedule of a rule is invalid. An empty schedule is valid.
func validateEnforced(steps Steps[bool]) error {
	for i, step := range steps {
		switch {
		case i == 0 && step.AfterMS != 0:
			return fmt.Errorf("the schedule Enforced begins at %d ms, want 0", step.AfterMS)
		case i > 0 && step.AfterMS <= steps[i-1].AfterMS:
			return fmt.Errorf("the schedule Enforced changes at %d ms after a change at %d ms, want increasing waits", step.AfterMS, steps[i-1].AfterMS)
		}
	}
	return nil
}

// expressions lists the expressions of a rule.
func expressions(rule SeatRule) (list []*Expression) {
	var references Steps[Reference]
	switch rule := rule.(type) {
	case *Comparison:
		list, references = rule.Measured, rule.Reference
	case *Distance:
		list, references = rule.Measured, rule.Reference
	case *Collection:
		list, references = rule.Measured, rule.Reference
	}
	list = slices.Clone(list)
	for i := range references {
		if x := references[i].Value.Expression; x != nil {
			list = append(list, x)
		}
	}
	return list
}

// checkTeams returns an error if the path inside an expression does not say what it reads.
func (r *SeatRules) checkTeams(x *Expression) error {
	for x.Function != NoFunction {
		x = x.Argument
	}
	switch {
	case x.Field == InRules:
		return nil
	case len(x.Teams) == 0:
		return errors.New("an expression over no team, want one or more")
	case len(x.Teams) > 1 && !x.PerTeam:
		return fmt.Errorf("an expression over %d teams without PerTeam, want one team or PerTeam", len(x.Teams))
	case slices.Min(x.Teams) < 0 || slices.Max(x.Teams) >= len(r.Teams):
		return fmt.Errorf("an expression over the teams %v, want indexes of the %d teams", x.Teams, len(r.Teams))
	}
	return nil
}

// readsTeamFrom reports whether an expression reads one of the teams from index first on.
func readsTeamFrom(x *Expression, first int) bool {
	for x.Function != NoFunction {
		x = x.Argument
	}
	return x.Field != InRules && slices.Max(x.Teams) >= first
}

// IgnoresTeams reports whether a rule has the same result however a match's players are divided
// into teams.
func (r *SeatRules) IgnoresTeams(of SeatRule) bool {
	switch of := of.(type) {
	case *Comparison:
		return r.ignores(of.Measured, of.Reference, true)
	case *Distance:
		return r.ignores(of.Measured, of.Reference, true)
	case *Collection:
		return r.ignores(of.Measured, of.Reference, false)
	case *Compound:
		return r.statementIgnores(of.Statement)
	}
	return true // the remaining rules read all players of the match
}

// statementIgnores does the same as IgnoresTeams for a statement.
func (r *SeatRules) statementIgnores(s *Statement) bool {
	if s.Rule != nil {
		return r.IgnoresTeams(s.Rule)
	}
	return !slices.ContainsFunc(s.Parts, func(part *Statement) bool { return !r.statementIgnores(part) })
}

// ignores does the same as IgnoresTeams for measured expressions and their reference. flat is set
// if the rule treats a list of lists as one list.
func (r *SeatRules) ignores(measured []*Expression, reference Steps[Reference], flat bool) bool {
	return !slices.ContainsFunc(measured, func(x *Expression) bool { return !r.expressionIgnores(x, flat) }) &&
		!slices.ContainsFunc(reference, func(step Step[Reference]) bool {
			return step.Value.Expression != nil && !r.expressionIgnores(step.Value.Expression, false)
		})
}

// expressionIgnores does the same as IgnoresTeams for an expression. flat is set if one list per
// team counts as one list for all.
func (r *SeatRules) expressionIgnores(x *Expression, flat bool) bool {
	if x.Function != NoFunction {
		return r.expressionIgnores(x.Argument, x.Function == Flatten)
	}
	return len(x.Teams) == len(r.Teams) && (flat || !x.PerTeam)
}
