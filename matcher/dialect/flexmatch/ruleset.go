package flexmatch

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Limits of ours, that a rule set people write does not meet.
const (
	bytesMax   = 4 << 20
	entriesMax = 200 // of any list in a rule set
)

// Options are what the vendor's file does not say.
type Options struct {
	// Strict makes unknown members errors instead of warnings.
	Strict bool
}

// Ruleset is a compiled rule set.
type Ruleset struct {
	Name       string
	Attributes []Attribute
	Algorithm  Algorithm
	Teams      []matcher.SeatTeam // a team with a quantity is several
	Schema     *matcher.Schema

	people      matcher.Column // text: the player's id
	readsPeople bool           // something looks at it
	rules       []rule         // in the order of the file
	groups      []teamGroup
	value       jsontree.Value // for lints
	expansions  []expansion
	read        []bool // by attribute: something looks at it
}

// compiler is the state of one Compile.
type compiler struct {
	Options
	problems *jsontree.Problems
	set      *Ruleset
}

// AttributeType is what the values of an attribute are.
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

// Attribute is an attribute of players that the rule set declares. The values of a map
// are a set of its keys in Column, and the number of each key in a column of its own, see
// Ruleset.KeyColumn.
type Attribute struct {
	Name   string
	Type   AttributeType
	Column matcher.Column
	// Default is the JSON value of players who send none; null: they are never matched.
	Default jsontree.Value
	place   string // FILE:LINE:COLUMN
}

// attribute returns the number of a declared attribute; -1: there is none.
func (r *Ruleset) attribute(name string) int {
	return slices.IndexFunc(r.Attributes, func(a Attribute) bool { return a.Name == name })
}

// Algorithm is how the service forms matches.
type Algorithm struct {
	Balanced bool           // strategy balanced; else exhaustiveSearch
	Balance  matcher.Column // that balanced evens out
	// Batching is random or sorted, of balanced largestPopulation or fastestRegion.
	Batching string
	SortBy   []matcher.Column // with Batching sorted
	// Oldest tells that expansions go by the oldest ticket of a match; else the newest.
	Oldest           bool
	BackfillPriority matcher.Steps[matcher.Priority]
}

// Limits of the service.
const (
	smallMatchMost = 40 // players; more are a large match
	matchMost      = 200
)

// teamGroup is an entry of teams: one team, or as many as its quantity says.
type teamGroup struct {
	name        string
	first, many int
	value       jsontree.Value
}

// MaxPlayers returns the largest match that the rule set allows at the start.
func (r *Ruleset) MaxPlayers() int {
	total := 0.0
	for _, t := range r.Teams {
		most, _ := t.Max.At(0)
		total += most
	}
	return int(total)
}

// Large tells whether matches are made as large ones are.
func (r *Ruleset) Large() bool { return r.MaxPlayers() > smallMatchMost }

// teamsNamed returns the teams of a name: one, or all of an entry with a quantity.
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

// expansion is one entry of expansions, for lints.
type expansion struct {
	target string
	value  jsontree.Value
	steps  []step
}

type step struct {
	afterMS int64
	value   jsontree.Value
}

// rule is a rule as the dialect sees it.
type rule interface {
	// Common returns what all rules have.
	Common() *matcher.SeatCommon
	// language returns the rule in the terms of package matcher.
	language() matcher.SeatRule
	// property returns how an expansion replaces a property; nil: it cannot.
	property(name string) *property
	// place returns where the rule stands, FILE:LINE:COLUMN.
	place() string
}

// source is where a rule stands in its file.
type source struct{ value jsontree.Value }

func (s source) place() string { return s.value.Place() }

// fixed is a rule without properties that can be expanded.
type fixed struct{}

func (fixed) property(string) *property { return nil }

// property is how an expansion replaces a property of a rule or a team from some wait on.
type property struct {
	read func(c *compiler, v jsontree.Value, what string, afterMS int64)
}

// rule returns the rule of a name; nil: there is none.
func (r *Ruleset) rule(name string) rule {
	at := slices.IndexFunc(r.rules, func(x rule) bool { return x.Common().Name == name })
	if at < 0 {
		return nil
	}
	return r.rules[at]
}
