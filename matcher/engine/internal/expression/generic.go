package expression

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/internal/ranges"
)

// This file evaluates expressions as nested lists. It handles expressions about texts that
// texts.go does not support, and attributes with more texts than there are bits.

// value is the value of an expression: a number, a text or a list.
type value struct {
	Number
	text   matcher.Text
	list   []value
	isList bool
	none   bool // there is no value, because a function was applied to an empty list
	more   int  // number of values that may still be added to the list
	some   bool // the list will not be empty in the complete match
	fewer  bool // values may still be removed from the list
}

// keep copies values to the arena and returns the copies. The arena is memory that is reused for
// every expression.
func (g *Group) keep(values []value) []value {
	from := len(g.arena)
	g.arena = append(g.arena, values...)
	return g.arena[from:len(g.arena):len(g.arena)]
}

// evaluate returns the value of an expression. Its lists are valid until the arena is reused.
func (g *Group) evaluate(x *Expression) value { return g.of(x.of, x.party) }

func (g *Group) of(x *matcher.Expression, party matcher.Aggregation) value {
	if x.Function == matcher.NoFunction {
		return g.path(x, party)
	}
	return g.apply(x, g.of(x.Argument, party), x.Argument.Depth)
}

// path returns a list with the value of each player. With PerTeam, it returns one such list for
// each team.
func (g *Group) path(x *matcher.Expression, party matcher.Aggregation) value {
	if x.Field == matcher.InRules {
		return g.texts(x.Texts)
	}
	column := g.Columns.Column(x.Column, party)
	var few [8]value
	teams := few[:0]
	for _, team := range x.Teams {
		v := g.side(team, column)
		if !x.PerTeam {
			return v
		}
		teams = append(teams, v)
	}
	return value{isList: true, list: g.keep(teams)}
}

// side returns a list with the value of each player of a team.
func (g *Group) side(team, column int) value {
	var few [16]value
	players := few[:0]
	for _, entry := range g.Sides[team] {
		c := g.Columns.Cell(column, entry)
		if c.kind != matcher.IsSet {
			for _, t := range c.Texts {
				players = append(players, value{text: t})
			}
			continue
		}
		one := g.texts(c.Texts)
		for range g.Columns.Count(entry) {
			players = append(players, one)
		}
	}
	v := value{isList: true, list: g.keep(players)}
	if !g.Complete {
		v.more, v.some = int(g.Room[team]), g.Needs[team]
	}
	return v
}

// texts converts texts to a list value.
func (g *Group) texts(list []matcher.Text) value {
	from := len(g.arena)
	for _, t := range list {
		g.arena = append(g.arena, value{text: t})
	}
	return value{isList: true, list: g.arena[from:len(g.arena):len(g.arena)]}
}

// apply applies a function to a value. depth is the number of levels to which the value is
// nested. Flatten is applied to the whole value. Any other function is applied to each innermost
// list, or for SetIntersection to each innermost list of lists.
func (g *Group) apply(x *matcher.Expression, of value, depth int) value {
	inner := 1
	if x.Function == matcher.SetIntersection {
		inner = 2
	}
	switch {
	case x.Function == matcher.Flatten:
		return g.flatten(of)
	case depth > inner:
		var few [8]value
		all := value{isList: true, more: of.more}
		list := few[:0]
		for i := range of.list {
			if v := g.apply(x, of.list[i], depth-1); !v.none {
				list = append(list, v)
			}
		}
		all.list = g.keep(list)
		return all
	case x.Function == matcher.SetIntersection:
		return g.intersection(of)
	case x.Function == matcher.Count:
		v := value{Number: Number{Span: Span{Low: float64(len(of.list)), High: float64(len(of.list) + of.more)}}}
		if of.fewer {
			v.Low = 0
		}
		return v
	}
	var few [16]Number
	list := few[:0]
	for i := range of.list {
		list = append(list, of.list[i].Number)
	}
	n, ok := reduce(x.Function, list, of.more, Span{Low: 0, High: math.Inf(1)}) // any number that may still be added is a count, so it is at least 0
	n.Doubt = n.Doubt && !of.some
	return value{Number: n, none: !ok}
}

// flatten removes one level of nesting.
func (g *Group) flatten(of value) value {
	var few [16]value
	all := value{isList: true}
	list := few[:0]
	for i := range of.list {
		v := &of.list[i]
		list = append(list, v.list...)
		all.more += v.more
		all.some = all.some || v.some
		all.fewer = all.fewer || v.fewer
	}
	if of.more > 0 { // a list that is added may have any length
		all.more = math.MaxInt32
	}
	all.list = g.keep(list)
	return all
}

// intersection returns the distinct texts that all lists have in common.
func (g *Group) intersection(of value) value {
	var few [16]value
	v := value{isList: true, fewer: of.more > 0}
	if len(of.list) == 0 {
		if of.more > 0 {
			v.more = math.MaxInt32
		}
		return v
	}
	list := few[:0]
	for _, t := range of.list[0].list {
		missing := func(other value) bool { return indexText(other.list, t.text) < 0 }
		if indexText(list, t.text) < 0 && !slices.ContainsFunc(of.list, missing) {
			list = append(list, t)
		}
	}
	for i := range of.list {
		v.fewer = v.fewer || of.list[i].fewer
	}
	v.list = g.keep(list)
	return v
}

// leaves appends the innermost values of an expression. more reports whether players who join may
// add more values.
func (g *Group) leaves(dst []value, x *Expression) (all []value, more bool) {
	g.arena = g.arena[:0]
	return leaves(dst, g.evaluate(x))
}

func leaves(dst []value, v value) (all []value, more bool) {
	if !v.isList {
		if v.none {
			return dst, false
		}
		return append(dst, v), false
	}
	more = v.more > 0
	for i := range v.list {
		var inner bool
		dst, inner = leaves(dst, v.list[i])
		more = more || inner
	}
	return dst, more
}

// holding counts the elements that contain a text. An element is a list of texts or a single
// text.
func holding(lists value, text matcher.Text) Span {
	n := 0
	fewer := lists.fewer
	for _, list := range lists.list {
		if !list.isList && list.text == text || list.isList && indexText(list.list, text) >= 0 {
			n++
		}
		fewer = fewer || list.fewer
	}
	s := Span{Low: float64(n), High: float64(n + lists.more)}
	if fewer {
		s.Low = 0
	}
	return s
}

// shared returns the number of distinct texts that two lists have in common.
func shared(a, b value) Span {
	n := 0
	for i := range a.list {
		if indexText(a.list[:i], a.list[i].text) < 0 && indexText(b.list, a.list[i].text) >= 0 {
			n++
		}
	}
	s := ranges.Exactly(float64(n))
	if a.fewer || b.fewer {
		s.Low = 0
	}
	if a.more > 0 || b.more > 0 {
		s.High = math.Inf(1)
		if a.more == 0 {
			s.High = float64(len(a.list))
		}
		if b.more == 0 {
			s.High = min(s.High, float64(len(b.list)))
		}
	}
	return s
}

func indexText(list []value, t matcher.Text) int {
	return slices.IndexFunc(list, func(v value) bool { return v.text == t })
}
