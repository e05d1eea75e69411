package expression

import (
	"math"

	"mmsim/matcher"
)

// numbers is an expression about numbers of players, or about the number of players: optionally
// a function over the players, of each team or of all together, and then optionally one over
// the teams. All expressions about numbers have this form, except counts of texts.
type numbers struct {
	teams  []int
	column int // -1: it counts players
	byTeam bool
	inner  matcher.Function // over players
	outer  matcher.Function // over teams
}

// numbersOf compiles an expression; nil: it is about texts.
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

// chain returns the path of an expression and its functions, the innermost first.
func chain(x *matcher.Expression) (path *matcher.Expression, functions []matcher.Function) {
	if x.Function == matcher.NoFunction {
		return x, nil
	}
	path, functions = chain(x.Argument)
	return path, append(functions, x.Function)
}

// values appends the numbers that an expression gives, and reports whether there may be more.
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
	v, ok := reduce(n.outer, dst[from:], 0, None())
	if dst = dst[:from]; ok {
		dst = append(dst, v)
	}
	return dst, false
}

// each appends the numbers of all players.
func (g *Group) each(dst []Number, n *numbers) (all []Number, more bool) {
	for _, team := range n.teams {
		for _, who := range g.Sides[team] {
			one := Number{Span: Exactly(g.Columns.Cell(n.column, who).Number)}
			for range g.Columns.Count(who) {
				dst = append(dst, one)
			}
		}
		more = more || g.seats(team) > 0
	}
	return dst, more
}

// over returns the result of a function over the numbers of players in some teams.
func (g *Group) over(n *numbers, teams []int) (v Number, ok bool) {
	t := totals{}
	for _, team := range teams {
		t.more += int(g.seats(team))
		t.some = t.some || g.Needs[team]
		if n.inner == matcher.Count {
			for _, who := range g.Sides[team] {
				t.count += int(g.Columns.Count(who))
			}
		}
	}
	if n.inner == matcher.Count {
		return Number{Span: Span{float64(t.count), float64(t.count + t.more)}}, true
	}
	var few [16]float64
	exact := few[:0]
	lists := t.more == 0 && (n.inner == matcher.Median || n.inner == matcher.Stddev)
	sum, lowest, highest := 0.0, math.Inf(1), math.Inf(-1)
	for _, team := range teams {
		for _, who := range g.Sides[team] {
			x := g.Columns.Cell(n.column, who).Number
			lowest, highest = min(lowest, x), max(highest, x)
			for range g.Columns.Count(who) { // one value per player, as in a list
				sum += x
				if t.count++; lists {
					exact = append(exact, x)
				}
			}
		}
	}
	t.sum, t.lowest, t.highest = Exactly(sum), Exactly(lowest), Exactly(highest)
	if !lists {
		exact = nil
	}
	return t.number(n.inner, exact, g.domain(n.column))
}

// domain returns the range of the numbers that may still be added to a column.
func (g *Group) domain(column int) Span {
	d := g.Columns.list[column].numbers
	d.Keep(g.Domains[column])
	return d
}
