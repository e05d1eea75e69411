package flexmatch

import (
	"slices"
	"strings"

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
	Schema     *matcher.Schema
	// SeatRules has the teams and how the service forms matches. A team with a quantity is repeated that
	// many times. The method Rules adds the rules.
	matcher.SeatRules

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
	vendor.CompileOptions
	problems   *jsontree.Problems
	set        *Ruleset
	properties map[string]property // the properties that expansions can replace, by target
	statements []statement         // of compound rules, in file order
}

// property reads a value of a property, which applies from the wait afterMS on. label is the name of
// the value in messages.
type property func(v jsontree.Value, label string, afterMS int64)

// expands adds a property that expansions can replace.
func (c *compiler) expands(target string, p property) { c.properties[target] = p }

// replacing returns a numeric property that stores its steps in s.
func (c *compiler) replacing(s *matcher.Steps[float64], l jsontree.Limits) property {
	return func(v jsontree.Value, label string, afterMS int64) {
		*s = append(*s, matcher.Step[float64]{AfterMS: afterMS, Value: c.problems.Number(v, label, l)})
	}
}

// name reads the required name of an entry. The name must not be in seen.
func (c *compiler) name(o *jsontree.Object, seen map[string]bool) string {
	name := o.Unique("name", seen)
	if strings.ContainsAny(name, "[](),*\t\r\n") || strings.TrimSpace(name) != name {
		v, _ := o.Get("name")
		o.Misfit(v, "name", "a name without commas, asterisks, brackets, line breaks, and spaces at its ends")
	}
	return name
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
	Default jsontree.Value
	value   jsontree.Value // whole declaration, for positions of warnings
}

// attribute returns the index of an attribute by name, or -1 if there is none.
func (r *Ruleset) attribute(name string) int {
	return slices.IndexFunc(r.Attributes, func(a Attribute) bool { return a.Name == name })
}

// Limits of numbers.
var (
	anyNumber    = jsontree.Limits{Least: -matcher.MaxNumber, Most: matcher.MaxNumber}
	distances    = jsontree.Limits{Least: 0, Most: matcher.MaxNumber}
	counts       = jsontree.Limits{Least: 0, Most: 1_000_000, Whole: true}
	matchPlayers = jsontree.Limits{Least: 1, Most: matchMax, Whole: true}
)

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

// rule is a compiled rule with its place in the file.
type rule struct {
	matcher.SeatRule
	value jsontree.Value
}

// rule returns the index of the rule with the given name, or -1 if there is none.
func (r *Ruleset) rule(name string) int {
	return slices.IndexFunc(r.rules, func(x rule) bool { return x.Common().Name == name })
}
