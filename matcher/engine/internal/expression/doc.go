// Package expression evaluates matcher.Expressions over the players of a match.
//
// For a group that others may still join, an expression gives a range of values, and a
// comparison of ranges holds, fails or is open (ranges.go). Expressions are compiled into the
// few forms that are common in practice: functions over numbers of players (numbers.go), and
// texts of players, as bits (texts.go). All others are evaluated as nested lists (generic.go).
package expression
