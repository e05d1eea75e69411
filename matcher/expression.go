package matcher

import "strings"

// Function is what an expression does with the values of its argument.
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

// Field is what a path reads of players.
type Field uint8

// The fields.
const (
	WholePlayer Field = iota // there is nothing to read; players can be counted
	InColumn
	InRules // Expression.Texts
)

// Base is what the innermost values of an expression are.
type Base uint8

// The bases.
const (
	Numbers Base = iota
	Texts
	Players
)

// Type is what an expression gives: a value, or lists in lists. A list of texts that a
// player has is one more list.
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
	Teams   []int // of SeatRules.Teams
	PerTeam bool  // gives a list for each team
	Field   Field
	Column  Column
	Texts   []Text // that the rules list
}
