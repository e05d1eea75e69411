package matcher

import "strings"

// Function is the function that an expression applies to the values of its argument.
type Function uint8

// The functions. NoFunction marks an expression that is a path (see Expression).
const (
	NoFunction Function = iota
	Min
	Max
	Avg
	Median
	Sum
	Count
	Stddev
	Flatten
	SetIntersection
)

// Field selects what a path reads from each player. See Expression for paths.
type Field uint8

// The fields.
const (
	WholePlayer Field = iota // the player itself, so that players can be counted
	InColumn                 // the attribute in Expression.Column
	InRules                  // the constants in Expression.Texts
)

// Base is the type of an expression's value. If the value is a nested list, Base is the type of its
// innermost elements.
type Base uint8

// The base types.
const (
	Numbers Base = iota
	Texts
	Players
)

// Type is the type of an expression, which is a value or a nested list.
//
// A path is a list with the value of each player, so its Depth is 1. PerTeam adds a level, and so does an
// attribute that is a list of texts. Every function removes a level: it applies to each innermost list,
// and Flatten and SetIntersection to the lists of lists.
//
//	function            argument                        result
//	Count               a list of anything, Depth >= 1  Numbers
//	Flatten             a list of lists, Depth >= 2     the argument's Base
//	SetIntersection     lists of lists of Texts         Texts
//	Min, Max, Avg ...   a list of Numbers, Depth >= 1   Numbers
//
// A dialect sets the Type of every expression that it makes; the engine does not infer it.
type Type struct {
	Base  Base
	Depth int // levels of nesting; a single value has depth 0
}

// String returns the type in words, such as "a list of numbers".
func (t Type) String() string {
	singular := [...]string{"a number", "a text", "a player"}[t.Base]
	plural := [...]string{"numbers", "texts", "players"}[t.Base]
	if t.Depth == 0 {
		return singular
	}
	return "a list of " + strings.Repeat("lists of ", t.Depth-1) + plural
}

// Expression computes a value from the players of some teams. It either applies a function to
// another expression, or it is a path, which reads a field of every player.
type Expression struct {
	Type
	Function Function
	Argument *Expression // argument of Function, or nil for a path

	// Only a path uses the fields below.
	Teams   []int  // indexes in SeatRules.Teams
	PerTeam bool   // the result has one list for each team
	Field   Field  // what the path reads from each player
	Column  Column // the attribute, if Field is InColumn
	Texts   []Text // constants from the rules, if Field is InRules
}
