package flexmatch

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Limits of this package, far above those of real rule sets.
const (
	bytesMax   = 4 << 20
	entriesMax = 200 // of any list in a rule set
)

// Options are settings that are not in the vendor's file.
type Options struct {
	// Strict makes unknown members errors instead of warnings.
	Strict bool
}

// Ruleset is a compiled rule set.
type Ruleset struct {
	Name       string
	Attributes []Attribute
	Algorithm  Algorithm
	Teams      []matcher.SeatTeam // a team with a quantity is listed that many times
	Schema     *matcher.Schema

	playerIDs  matcher.Column // text: the player's id
	readsIDs   bool           // an expression uses the ids of players
	rules      []rule         // in the order of the file
	groups     []teamGroup
	value      jsontree.Value // the whole object, for warnings
	expansions []expansion
	read       []bool // by index of the attribute: a rule or the algorithm uses it
}

// compiler is the state of one Compile.
type compiler struct {
	Options
	problems *jsontree.Problems
	set      *Ruleset
}

// AttributeType is the type of an attribute's values.
type AttributeType uint8

// The types of attributes.
const (
	IsNumber AttributeType = iota
	IsText
	IsTextList
	IsNumberMap
)

var typeNames = []string{"number", "string", "string_list", "string_number_map"}

func (t AttributeType) String() string { return typeNames[t] }

// Attribute is an attribute of players that the rule set declares. For a map, Column holds the
// set of its keys, and each key has a column for its number, see Ruleset.KeyColumn.
type Attribute struct {
	Name   string
	Type   AttributeType
	Column matcher.Column
	// Default is the JSON value for players without the attribute; null: the service refuses
	// tickets with such players.
	Default jsontree.Value
	place   string // FILE:LINE:COLUMN
}

// attribute returns the index of the attribute with a name, -1 if there is none.
func (r *Ruleset) attribute(name string) int {
	return slices.IndexFunc(r.Attributes, func(a Attribute) bool { return a.Name == name })
}

// Algorithm is how the service forms matches.
type Algorithm struct {
	Balanced bool           // strategy balanced; else exhaustiveSearch
	Balance  matcher.Column // balancedAttribute: its averages in the teams are made nearly equal
	// Batching is random or sorted; with Balanced, largestPopulation or fastestRegion.
	Batching string
	SortBy   []matcher.Column // with Batching sorted
	// Oldest is set if expansions count from the creation of the oldest ticket of a match,
	// otherwise of the newest.
	Oldest           bool
	BackfillPriority matcher.Steps[matcher.Priority]
}

// Limits of the service.
const (
	smallMatchMost = 40 // a match with more players is large
	matchMost      = 200
)

// teamGroup is an entry of teams: as many teams as its quantity.
type teamGroup struct {
	name        string
	first, many int
	value       jsontree.Value
}

// MaxPlayers returns the number of players in the largest match without expansions.
func (r *Ruleset) MaxPlayers() int {
	total := 0.0
	for _, t := range r.Teams {
		most, _ := t.Max.At(0)
		total += most
	}
	return int(total)
}

// Large reports whether matches are formed by the algorithm for large matches.
func (r *Ruleset) Large() bool { return r.MaxPlayers() > smallMatchMost }

// teamsNamed returns the indices of the teams with a name: one team, or all teams of an entry with
// a quantity.
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

// expansion is one entry of expansions, for Lint.
type expansion struct {
	target string
	value  jsontree.Value
	steps  []step
}

type step struct {
	afterMS int64
	value   jsontree.Value
}

// rule is a rule with its position in the file and its expandable properties.
type rule interface {
	// Common returns the members that all rules have.
	Common() *matcher.SeatCommon
	// language returns the rule as a type of package matcher.
	language() matcher.SeatRule
	// property returns a property that expansions can replace; nil if there is none with this
	// name.
	property(name string) *property
	// place returns the rule's position in the file, FILE:LINE:COLUMN.
	place() string
}

// source is the JSON value of a rule, for its position.
type source struct{ value jsontree.Value }

func (s source) place() string { return s.value.Place() }

// fixed is embedded in rules that expansions cannot change.
type fixed struct{}

func (fixed) property(string) *property { return nil }

// property is a property of a rule, a team or the algorithm that expansions can replace. read reads
// its value after a wait.
type property struct {
	read func(c *compiler, v jsontree.Value, what string, afterMS int64)
}

// rule returns the rule with a name, nil if there is none.
func (r *Ruleset) rule(name string) rule {
	at := slices.IndexFunc(r.rules, func(x rule) bool { return x.Common().Name == name })
	if at < 0 {
		return nil
	}
	return r.rules[at]
}
