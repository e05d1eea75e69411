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

import (
	"mmsim/matcher"
	"mmsim/matcher/internal/ranges"
)

// These aliases are used throughout the package.
type (
	Span   = ranges.Span
	Number = ranges.Number
	Truth  = ranges.Truth
)

// Expression is a compiled expression. It reads parties' values that are aggregated in one
// particular way.
type Expression struct {
	of      *matcher.Expression
	party   matcher.Aggregation
	numbers *numbers // nil if the expression reads texts
	texts   *texts   // nil unless texts.go can evaluate the expression
}

// Compile compiles an expression. Call it before any row is loaded.
func (c *Columns) Compile(x *matcher.Expression, party matcher.Aggregation) *Expression {
	if path, _ := chain(x); path.Field == matcher.InColumn {
		c.Column(path.Column, party) // the column is needed by generic.go
	}
	return &Expression{x, party, numbersOf(x, c, party), textsOf(x, c, party)}
}

// Names reports whether an expression reads only some of the teams. teams is the number of teams
// in a match.
func (x *Expression) Names(teams int) bool {
	path, _ := chain(x.of)
	return path.Field != matcher.InRules && len(path.Teams) < teams
}

// Group describes the players of a match. More players may join unless Complete is set.
type Group struct {
	Columns  *Columns
	Sides    [][]Entry // entries of the tickets and session players in each team
	Counts   []int32   // number of players in each team
	Complete bool
	Room     []int32 // number of players who may still join each team
	Needs    []bool  // whether each team must have players, whatever the wait
	Domains  []Span  // for each column: range of the numbers that may still be added
	arena    []value
}

// seats returns the number of players who may still join a team.
func (g *Group) seats(team int) int32 {
	if g.Complete {
		return 0
	}
	return g.Room[team]
}

// Numbers appends the values of an expression that yields numbers. more reports whether players
// who join may add more numbers.
func (g *Group) Numbers(dst []Number, x *Expression) (all []Number, more bool) {
	if x.numbers != nil {
		return g.values(dst, x.numbers)
	}
	var few [32]value
	list, more := g.leaves(few[:0], x)
	for i := range list {
		dst = append(dst, list[i].Number)
	}
	return dst, more
}

// Number returns the value of an expression that yields one number. ok is false if it has no
// value.
func (g *Group) Number(x *Expression) (n Number, ok bool) {
	var few [8]Number
	if list, _ := g.Numbers(few[:0], x); len(list) > 0 {
		return list[0], true
	}
	return Number{}, false
}

// Texts appends the values of an expression that yields texts. more reports whether players who
// join may add more texts.
func (g *Group) Texts(dst []matcher.Text, x *Expression) (all []matcher.Text, more bool) {
	var few [32]value
	list, more := g.leaves(few[:0], x)
	for i := range list {
		dst = append(dst, list[i].text)
	}
	return dst, more
}

// InCommon returns the number of texts that all lists of an expression have in common. none
// reports whether there is no list yet. more reports whether players who join may add lists.
func (g *Group) InCommon(x *Expression) (n Span, none, more bool) {
	g.arena = g.arena[:0]
	lists := g.evaluate(x)
	if len(lists.list) == 0 {
		return Span{}, true, lists.more > 0
	}
	common := g.intersection(lists)
	if n = ranges.Exactly(float64(len(common.list))); common.fewer {
		n.Low = 0
	}
	return n, false, lists.more > 0
}

// Shared counts the texts that a list shares with the list that other yields. If x yields several
// lists, Shared appends a count for each. more reports whether players who join may add lists.
func (g *Group) Shared(dst []Span, x, other *Expression) (all []Span, more bool) {
	g.arena = g.arena[:0]
	with, lists := g.evaluate(other), g.evaluate(x)
	if x.of.Depth == 1 {
		return append(dst, shared(lists, with)), false
	}
	for _, list := range lists.list {
		dst = append(dst, shared(list, with))
	}
	return dst, lists.more > 0
}

// This file observes values for messages. A search does not need it.

// FirstWrong returns the first two values of which wrong is true. Each value of all is compared with
// those in the slice with, or with the values before it if that slice is empty.
func FirstWrong[T any](all, with []T, wrong func(a, b T) bool) (a, b T, found bool) {
	for i := range all {
		others := with
		if len(with) == 0 {
			others = all[:i]
		}
		for _, other := range others {
			if wrong(all[i], other) {
				return all[i], other, true
			}
		}
	}
	return a, b, false
}

// Range returns the range of the group's numbers in a column.
func (g *Group) Range(column int) Span {
	s := ranges.None()
	for _, side := range g.Sides {
		for _, entry := range side {
			s.Add(g.Columns.Cell(column, entry).Number)
		}
	}
	return s
}
