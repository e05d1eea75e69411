package flexmatch

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Limits of this package, far above the needs of real rule sets.
const (
	bytesMax   = 4 << 20
	entriesMax = 200 // elements of any list in a rule set
)

// Ruleset is a compiled rule set.
type Ruleset struct {
	Name       string
	Attributes []Attribute
	Algorithm  Algorithm
	Teams      []matcher.SeatTeam // an entry with a quantity is repeated that many times
	Schema     *matcher.Schema

	playerIDs  matcher.Column // player ids, as texts
	readsIDs   bool           // whether an expression uses player ids
	rules      []rule         // in file order
	groups     []teamGroup
	value      jsontree.Value // whole rule set object, for positions of warnings
	expansions []expansion
	read       []bool // by attribute index: whether a rule or the algorithm uses it
}

// compiler holds the state of one call of compile.
type compiler struct {
	vendor.Options
	problems *jsontree.Problems
	set      *Ruleset
}

// AttributeType is the type of an attribute.
type AttributeType uint8

// Types of attributes.
const (
	IsNumber AttributeType = iota
	IsText
	IsTextList
	IsNumberMap
)

var typeNames = []string{"number", "string", "string_list", "string_number_map"}

func (t AttributeType) String() string { return typeNames[t] }

// Attribute is a player attribute that the rule set declares. For a map, Column has the set of its
// keys, and every key has a column for its numbers, see Ruleset.KeyColumn.
type Attribute struct {
	Name   string
	Type   AttributeType
	Column matcher.Column
	// Default is the JSON value for players without the attribute. If it is null, the service
	// refuses their tickets.
	Default  jsontree.Value
	position string // FILE:LINE:COLUMN
}

// attribute returns the index of an attribute by name, or -1 if there is none.
func (r *Ruleset) attribute(name string) int {
	return slices.IndexFunc(r.Attributes, func(a Attribute) bool { return a.Name == name })
}

// Algorithm describes how the service forms matches.
type Algorithm struct {
	Balanced bool           // true for strategy balanced, false for exhaustiveSearch
	Balance  matcher.Column // column of balancedAttribute, whose team averages are made nearly equal
	// Batching is largestPopulation or fastestRegion if Balanced is set, otherwise random or
	// sorted.
	Batching string
	SortBy   []matcher.Column // if Batching is sorted
	// Oldest is set if the wait of the oldest ticket in a match selects the steps of expansions.
	// Otherwise the wait of the newest ticket does.
	Oldest           bool
	BackfillPriority matcher.Steps[matcher.Priority]
}

// Limits of the service.
const (
	smallMatchMax = 40 // a match with more players is a large match
	matchMax      = 200
)

// teamGroup is an element of the list "teams" in the rule set. An element with a quantity is
// expanded to that many teams, which have the indices from first to first+many-1.
type teamGroup struct {
	name        string
	first, many int
	value       jsontree.Value
}

// MaxPlayers returns the number of players in the largest match, without expansions.
func (r *Ruleset) MaxPlayers() int {
	total := 0.0
	for _, t := range r.Teams {
		most, _ := t.Max.At(0)
		total += most
	}
	return int(total)
}

// Large reports whether the algorithm for large matches forms the matches.
func (r *Ruleset) Large() bool { return r.MaxPlayers() > smallMatchMax }

// teamsNamed returns the indices of the teams with the given name. It may be the name of a single
// team, or of an entry with a quantity.
func (r *Ruleset) teamsNamed(name string) []int {
	for _, g := range r.groups {
		if g.name == name {
			list := make([]int, g.many)
			for i := range list {
				list[i] = g.first + i
			}
			return list
		}
	}
	for i := range r.Teams {
		if r.Teams[i].Name == name {
			return []int{i}
		}
	}
	return nil
}

// expansion is an element of the list "expansions" in the rule set. Lint checks it.
type expansion struct {
	target string
	value  jsontree.Value
	steps  []step
}

type step struct {
	afterMS int64
	value   jsontree.Value
}

// rule is a compiled rule that knows its position in the file and its expandable properties.
type rule interface {
	// Common returns the fields that all rules have.
	Common() *matcher.SeatCommon
	// language returns the rule as a type of package matcher.
	language() matcher.SeatRule
	// property returns the property with this name that expansions can replace, or nil if there is
	// none.
	property(name string) *property
	// position returns the position of the rule as FILE:LINE:COLUMN.
	position() string
}

// source is the JSON value of a rule, which provides its position.
type source struct{ value jsontree.Value }

func (s source) position() string { return s.value.Position() }

// fixed is embedded in rules that have no expandable properties.
type fixed struct{}

func (fixed) property(string) *property { return nil }

// property is a property of a rule, a team or the algorithm that expansions can replace. The
// function read reads a value of the property, which applies from the wait afterMS on.
type property struct {
	read func(c *compiler, v jsontree.Value, label string, afterMS int64)
}

// rule returns the rule with the given name, or nil if there is none.
func (r *Ruleset) rule(name string) rule {
	at := slices.IndexFunc(r.rules, func(x rule) bool { return x.Common().Name == name })
	if at < 0 {
		return nil
	}
	return r.rules[at]
}
