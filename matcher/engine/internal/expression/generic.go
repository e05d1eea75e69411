package expression

import (
	"math"
	"slices"

	"mmsim/matcher"
)

// This file evaluates expressions about texts as nested lists: those of uncommon forms, and
// those about attributes with more texts than there are bits.

// value is a value of an expression: a number, a text or a list.
type value struct {
	Number
	text   matcher.Text
	list   []value
	isList bool
	none   bool // a function over no players
	more   int  // number of values that may still join the list
	some   bool // the list will not remain empty
	fewer  bool // values of the list may still be removed
}

// keep appends values to the arena and returns them as a list.
func (g *Group) keep(values []value) []value {
	from := len(g.arena)
	g.arena = append(g.arena, values...)
	return g.arena[from:len(g.arena):len(g.arena)]
}

// evaluate returns the value of an expression. Its lists are in the arena.
func (g *Group) evaluate(x *Expression) value { return g.of(x.of, x.party) }

func (g *Group) of(x *matcher.Expression, party matcher.Aggregation) value {
	if x.Function == matcher.NoFunction {
		return g.path(x, party)
	}
	return g.apply(x, g.of(x.Argument, party), x.Argument.Depth)
}

// path returns the values of a path: one per player, in a list per team.
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

// side returns the values of the players of a team.
func (g *Group) side(team, column int) value {
	var few [16]value
	players := few[:0]
	for _, who := range g.Sides[team] {
		c := g.Columns.Cell(column, who)
		if c.kind != matcher.IsSet {
			for _, t := range c.Texts {
				players = append(players, value{text: t})
			}
			continue
		}
		one := g.texts(c.Texts)
		for range g.Columns.Count(who) {
			players = append(players, one)
		}
	}
	v := value{isList: true, list: g.keep(players)}
	if !g.Complete {
		v.more, v.some = int(g.Room[team]), g.Needs[team]
	}
	return v
}

// texts returns a list of texts.
func (g *Group) texts(list []matcher.Text) value {
	from := len(g.arena)
	for _, t := range list {
		g.arena = append(g.arena, value{text: t})
	}
	return value{isList: true, list: g.arena[from:len(g.arena):len(g.arena)]}
}

// apply applies a function to a value of a given depth. It applies it to each of nested lists,
// except flatten, which removes one level of nesting.
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
		v := value{Number: Number{Span: Span{float64(len(of.list)), float64(len(of.list) + of.more)}}}
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
	n, ok := reduce(x.Function, list, of.more, Span{0, math.Inf(1)}) // all numbers are counts here
	n.Doubt = n.Doubt && !of.some
	return value{Number: n, none: !ok}
}

// flatten removes one level of lists. The number of texts in the lists of players who may still
// join is not known.
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
	if of.more > 0 {
		all.more = math.MaxInt32
	}
	all.list = g.keep(list)
	return all
}

// intersection returns the texts that are in all lists, each once.
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

// leaves appends the values of an expression; for nested lists, the innermost values.
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

// holding counts the lists that contain a text.
func holding(lists value, text matcher.Text) Span {
	n := 0
	fewer := lists.fewer
	for _, list := range lists.list {
		if !list.isList && list.text == text || list.isList && indexText(list.list, text) >= 0 {
			n++
		}
		fewer = fewer || list.fewer
	}
	s := Span{float64(n), float64(n + lists.more)}
	if fewer {
		s.Low = 0
	}
	return s
}

// shared returns the number of texts that two lists share.
func shared(a, b value) Span {
	n := 0
	for i := range a.list {
		if indexText(a.list[:i], a.list[i].text) < 0 && indexText(b.list, a.list[i].text) >= 0 {
			n++
		}
	}
	s := Exactly(float64(n))
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
