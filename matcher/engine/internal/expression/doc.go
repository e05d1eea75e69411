// Package expression evaluates each matcher.Expression over the players of a match.
//
// While more players may join a group, an expression has a range of possible values instead of
// one value. A comparison of two ranges therefore holds, fails or is undecided (package ranges).
//
// Two common forms of expression are compiled: functions of the players' numbers (numbers.go),
// and texts of the players, which are represented by bits (texts.go). All other expressions are
// evaluated as nested lists (generic.go). A Sorting orders candidates by their distance from a seed
// (sort.go).
package expression
