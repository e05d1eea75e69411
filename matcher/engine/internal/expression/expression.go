package expression

import (
	"mmsim/matcher"
)

// Expression is an expression compiled for rules with one aggregation.
type Expression struct {
	of      *matcher.Expression
	party   matcher.Aggregation
	numbers *numbers // nil: the expression is about texts
	texts   *texts   // nil: it is about numbers, or of a form that only generic.go supports
}

// Compile compiles an expression, before any row is loaded.
func (c *Columns) Compile(x *matcher.Expression, party matcher.Aggregation) *Expression {
	if path, _ := chain(x); path.Field == matcher.InColumn {
		c.Column(path.Column, party) // for generic.go
	}
	return &Expression{x, party, numbersOf(x, c, party), textsOf(x, c, party)}
}

// Names reports whether an expression reads some of a number of teams and not the others.
func (x *Expression) Names(teams int) bool {
	path, _ := chain(x.of)
	return path.Field != matcher.InRules && len(path.Teams) < teams
}

// Group is the players of a match that is complete or that others may still join.
type Group struct {
	Columns  *Columns
	Sides    [][]Entry // by team
	Counts   []int32   // players by team
	Complete bool
	Room     []int32 // by team: number of players that may still join
	Needs    []bool  // by team: it needs a player at any wait
	Domains  []Span  // by column: the range of the numbers of players that may still join
	arena    []value
}

// seats returns the number of players that may still join a team.
func (g *Group) seats(team int) int32 {
	if g.Complete {
		return 0
	}
	return g.Room[team]
}

// Numbers appends the numbers that an expression gives, and reports whether there may be more.
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

// Number returns the number that an expression gives; ok is false if there is none.
func (g *Group) Number(x *Expression) (n Number, ok bool) {
	var few [8]Number
	if list, _ := g.Numbers(few[:0], x); len(list) > 0 {
		return list[0], true
	}
	return Number{}, false
}

// Texts appends the texts that an expression gives, and reports whether there may be more.
func (g *Group) Texts(dst []matcher.Text, x *Expression) (all []matcher.Text, more bool) {
	var few [32]value
	list, more := g.leaves(few[:0], x)
	for i := range list {
		dst = append(dst, list[i].text)
	}
	return dst, more
}

// Alike returns the truth of whether all texts of an expression are the same and, if with is
// given, equal to that text. If ok is false, the caller must use Texts.
func (g *Group) Alike(x *Expression, with ...matcher.Text) (v Truth, ok bool) {
	if !x.texts.exact(g.Columns) || x.texts.lists {
		return Open, false
	}
	among := Everything
	for _, t := range with {
		among &= g.Columns.list[x.texts.column].bits.Find(t)
	}
	return g.alike(x.texts, among), true
}

// Holding counts the lists of an expression that contain a text. If the expression gives a
// single list, it counts the occurrences in it.
func (g *Group) Holding(x *Expression, text matcher.Text) Span {
	if t := x.texts; t.exact(g.Columns) && x.Counted() != nil {
		return g.holding(t, text)
	}
	g.arena = g.arena[:0]
	return holding(g.evaluate(x), text)
}

// Counted returns the teams whose players Holding counts individually; nil: it counts other
// lists.
func (x *Expression) Counted() []int {
	if t := x.texts; t != nil && (t.form == each || !t.lists) {
		return t.teams
	}
	return nil
}

// Exact reports whether every text that an expression reads has a bit of its own.
func (x *Expression) Exact(c *Columns) bool { return x.texts.exact(c) }

// Has returns the number of players of an entry that Holding counts.
func (c *Columns) Has(x *Expression, who Entry, text matcher.Text) int32 {
	if c.Cell(x.texts.column, who).any&c.list[x.texts.column].bits.Find(text) == 0 {
		return 0
	}
	return c.has(x.texts, who, text)
}

// InCommon returns the number of texts that all lists of an expression contain. none is set if
// there is no list yet, more if there may be more lists.
func (g *Group) InCommon(x *Expression) (n Span, none, more bool) {
	if t := x.texts; t.exact(g.Columns) && t.form == each {
		of := *t
		of.form = common
		s := g.set(&of)
		return s.size(), s.unread, s.fewer
	}
	g.arena = g.arena[:0]
	lists := g.evaluate(x)
	if len(lists.list) == 0 {
		return Span{}, true, lists.more > 0
	}
	common := g.intersection(lists)
	if n = Exactly(float64(len(common.list))); common.fewer {
		n.Low = 0
	}
	return n, false, lists.more > 0
}

// Shared appends the number of texts that the list of an expression, or each of its lists,
// shares with the list of another expression. It reports whether there may be more lists.
func (g *Group) Shared(dst []Span, x, other *Expression) (all []Span, more bool) {
	if t, o := x.texts, other.texts; t.exact(g.Columns) && o.exact(g.Columns) && t.column == o.column && o.form != each {
		with := g.set(o)
		if t.form == each {
			return g.sharing(dst, t, with), g.joining(t.teams) > 0
		}
		return append(dst, g.set(t).shared(with)), false
	}
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
