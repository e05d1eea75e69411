package expression

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/internal/ranges"
)

// numbers is an expression about the players' numbers or about how many players there are. The
// function inner, if any, is applied to the players of each team or of all teams together. The
// function outer, if any, is then applied to the teams' results. All expressions about numbers
// have this form, except those that count texts.
type numbers struct {
	teams  []int
	column int // or -1 if the expression counts players
	byTeam bool
	inner  matcher.Function // applied to players' numbers
	outer  matcher.Function // applied to the teams' results
}

// numbersOf compiles an expression. It returns nil if the expression reads texts.
func numbersOf(x *matcher.Expression, columns *Columns, party matcher.Aggregation) *numbers {
	path, functions := chain(x)
	if path.Base == matcher.Texts {
		return nil
	}
	n := &numbers{teams: path.Teams, column: -1, byTeam: path.PerTeam}
	if path.Field == matcher.InColumn {
		n.column = columns.Column(path.Column, party)
	}
	for _, f := range functions {
		switch {
		case f == matcher.Flatten:
			n.byTeam = false
		case n.inner == matcher.NoFunction:
			n.inner = f
		default:
			n.outer = f
		}
	}
	return n
}

// chain returns the innermost part of an expression, which is a path, and the functions around
// it, innermost first.
func chain(x *matcher.Expression) (path *matcher.Expression, functions []matcher.Function) {
	if x.Function == matcher.NoFunction {
		return x, nil
	}
	path, functions = chain(x.Argument)
	return path, append(functions, x.Function)
}

// values implements Group.Numbers for a compiled expression.
func (g *Group) values(dst []Number, n *numbers) (all []Number, more bool) {
	switch {
	case n.inner == matcher.NoFunction:
		return g.each(dst, n)
	case !n.byTeam:
		if v, ok := g.over(n, n.teams); ok {
			dst = append(dst, v)
		}
		return dst, false
	}
	from := len(dst)
	for i := range n.teams {
		if v, ok := g.over(n, n.teams[i:i+1]); ok {
			dst = append(dst, v)
		}
	}
	if n.outer == matcher.NoFunction {
		return dst, false
	}
	v, ok := reduce(n.outer, dst[from:], 0, ranges.None())
	if dst = dst[:from]; ok {
		dst = append(dst, v)
	}
	return dst, false
}

// each appends the number of each player. more reports whether players who join may add more.
func (g *Group) each(dst []Number, n *numbers) (all []Number, more bool) {
	for _, team := range n.teams {
		for _, entry := range g.Sides[team] {
			one := Number{Span: ranges.Exactly(g.Columns.Cell(n.column, entry).Number)}
			for range g.Columns.Count(entry) {
				dst = append(dst, one)
			}
		}
		more = more || g.seats(team) > 0
	}
	return dst, more
}

// over applies the inner function to the players of the given teams. ok is false if the function
// has no value.
func (g *Group) over(n *numbers, teams []int) (v Number, ok bool) {
	t := totals{}
	for _, team := range teams {
		t.more += int(g.seats(team))
		t.some = t.some || g.Needs[team]
		if n.inner == matcher.Count {
			for _, entry := range g.Sides[team] {
				t.count += int(g.Columns.Count(entry))
			}
		}
	}
	if n.inner == matcher.Count {
		return Number{Span: Span{Low: float64(t.count), High: float64(t.count + t.more)}}, true
	}
	var few [16]float64
	exact := few[:0]
	lists := t.more == 0 && (n.inner == matcher.Median || n.inner == matcher.Stddev)
	sum, lowest, highest := 0.0, math.Inf(1), math.Inf(-1)
	for _, team := range teams {
		for _, entry := range g.Sides[team] {
			x := g.Columns.Cell(n.column, entry).Number
			lowest, highest = min(lowest, x), max(highest, x)
			for range g.Columns.Count(entry) { // every player of a party counts
				sum += x
				if t.count++; lists {
					exact = append(exact, x)
				}
			}
		}
	}
	t.sum, t.lowest, t.highest = ranges.Exactly(sum), ranges.Exactly(lowest), ranges.Exactly(highest)
	if !lists {
		exact = nil
	}
	return t.number(n.inner, exact, g.domain(n.column))
}

// domain returns the range of numbers that players who join may have in a column.
func (g *Group) domain(column int) Span {
	d := g.Columns.list[column].numbers
	d.Keep(g.Domains[column])
	return d
}
