package expression

import (
	"mmsim/matcher"
	"mmsim/matcher/internal/ranges"
)

// texts is an expression that yields the text or the list of texts of each player in some teams.
// If each text of the column has its own bit, it is evaluated with masks. Using nested lists
// instead made a pass over 10,000 tickets with rules about roles take 1.25 times as long.
type texts struct {
	teams  []int
	column int
	lists  bool // each player has a list of texts
}

// textsOf compiles an expression. It returns nil if the expression has a different form.
func textsOf(x *matcher.Expression, columns *Columns, party matcher.Aggregation) *texts {
	path, functions := chain(x)
	flattened := len(functions) == 1 && functions[0] == matcher.Flatten
	if path.Base != matcher.Texts || path.Field != matcher.InColumn || len(functions) > 0 && !flattened || flattened != path.PerTeam {
		return nil
	}
	return &texts{teams: path.Teams, column: columns.Column(path.Column, party), lists: x.Depth == 2}
}

// exact reports whether each text in the column has its own bit.
func (t *texts) exact(c *Columns) bool { return t != nil && c.Exact(t.column) }

// Counted returns the column that Holding reads and the teams whose players it counts. There are no
// teams if Holding counts something else.
func (x *Expression) Counted() (column int, teams []int) {
	if x.texts == nil {
		return -1, nil
	}
	return x.texts.column, x.texts.teams
}

// Exact reports whether each text that an expression reads has its own bit.
func (x *Expression) Exact(c *Columns) bool { return x.texts.exact(c) }

// joining returns the number of players who may still join the given teams.
func (g *Group) joining(teams []int) (players int) {
	for _, team := range teams {
		players += int(g.seats(team))
	}
	return players
}

// Alike evaluates whether all texts of an expression are the same. If the parameter with contains
// a text, they must also be equal to it. If ok is false, Alike has no answer, and the caller must
// compare the result of Texts.
func (g *Group) Alike(x *Expression, with ...matcher.Text) (v Truth, ok bool) {
	t := x.texts
	if !t.exact(g.Columns) || t.lists {
		return ranges.Undecided, false
	}
	among := Everything
	for _, text := range with {
		among &= g.Columns.list[t.column].bits.Find(text)
	}
	for _, team := range t.teams {
		for _, entry := range g.Sides[team] {
			among &= g.Columns.Cell(t.column, entry).All
		}
	}
	return ranges.UnlessMore(ranges.Certain(among != 0, among == 0), g.joining(t.teams) > 0), true
}

// Holding counts the lists of an expression that contain a text. If the expression yields only
// one list, Holding counts how often the text occurs in it.
func (g *Group) Holding(x *Expression, text matcher.Text) Span {
	t := x.texts
	if !t.exact(g.Columns) {
		g.arena = g.arena[:0]
		return holding(g.evaluate(x), text)
	}
	players := int32(0)
	for _, team := range t.teams {
		for _, entry := range g.Sides[team] {
			players += g.Columns.Has(x, entry, text)
		}
	}
	return Span{Low: float64(players), High: float64(int(players) + g.joining(t.teams))}
}

// Has returns how many of an entry's players have a text.
func (c *Columns) Has(x *Expression, entry Entry, text matcher.Text) (players int32) {
	t := x.texts
	switch cell := c.Cell(t.column, entry); {
	case cell.any&c.list[t.column].bits.Find(text) == 0:
	case t.lists:
		return c.Count(entry)
	default:
		for _, own := range cell.Texts {
			if own == text {
				players++
			}
		}
	}
	return players
}
