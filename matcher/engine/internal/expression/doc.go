// Package expression evaluates matcher.Expressions over the players of a match.
//
// What an expression gives for a group that others may still join is a range of values, and
// a comparison of ranges holds, fails or is open (ranges.go). Expressions are compiled into
// the few forms that people write: functions over numbers of players (numbers.go), and texts
// that players have, as bits (texts.go). Any other is evaluated as lists in lists
// (generic.go).
package expression
