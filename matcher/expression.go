package matcher

import "strings"

// Function is the function that an expression applies to the values of its argument.
type Function uint8

// The functions. NoFunction: the expression is a path.
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

// Field is the part of players that a path reads.
type Field uint8

// The fields.
const (
	WholePlayer Field = iota // no attribute; players can be counted
	InColumn
	InRules // Expression.Texts
)

// Base is the type of the innermost values of an expression.
type Base uint8

// The bases.
const (
	Numbers Base = iota
	Texts
	Players
)

// Type is the type of an expression: a value, or nested lists. A player's attribute that is a
// list of texts adds one level of nesting.
type Type struct {
	Base  Base
	Depth int // 0: one value
}

func (t Type) String() string {
	singular := [...]string{"a number", "a text", "a player"}[t.Base]
	plural := [...]string{"numbers", "texts", "players"}[t.Base]
	if t.Depth == 0 {
		return singular
	}
	return "a list of " + strings.Repeat("lists of ", t.Depth-1) + plural
}

// Expression reads values of the players of teams: a function of another expression, or a
// path.
type Expression struct {
	Type
	Function Function
	Argument *Expression // of a function

	// Of a path:
	Teams   []int // indices in SeatRules.Teams
	PerTeam bool  // the result has one list for each team
	Field   Field
	Column  Column
	Texts   []Text // with InRules: constants in the rules
}
