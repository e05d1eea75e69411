package expression

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/internal/ranges"
)

// Tally is the state of a minimum, maximum, average or sum of players' numbers while tickets join. Its
// value is known without reading the numbers of all players again.
type Tally struct{ totals }

// Tallies reports whether the value of an expression follows from a Tally. The order in which the
// players of several teams join would change the rounding of a sum.
func (x *Expression) Tallies() bool {
	n := x.numbers
	if n == nil || n.column < 0 || n.outer != matcher.NoFunction || n.byTeam && len(n.teams) > 1 {
		return false
	}
	return n.inner == matcher.Min || n.inner == matcher.Max || len(n.teams) == 1 && (n.inner == matcher.Avg || n.inner == matcher.Sum)
}

// Reads returns the column and the teams of an expression that Tallies.
func (x *Expression) Reads() (column int, teams []int) { return x.numbers.column, x.numbers.teams }

// NewTally returns a tally without players. most is the largest number of players of the expression's
// teams. needs is set if one of these teams must have players.
func NewTally(most int, needs bool) Tally {
	return Tally{totals{more: most, some: needs, lowest: ranges.Exactly(math.Inf(1)), highest: ranges.Exactly(math.Inf(-1))}}
}

// Add adds an entry that joins one of the expression's teams.
func (t *Tally) Add(c *Columns, x *Expression, entry Entry) {
	n := c.Cell(x.numbers.column, entry).Number
	t.lowest, t.highest = ranges.Exactly(min(t.lowest.Low, n)), ranges.Exactly(max(t.highest.Low, n))
	sum := t.sum.Low
	for range c.Count(entry) { // every player of a party counts
		sum += n
		t.count++
		t.more--
	}
	t.sum = ranges.Exactly(sum)
}

// Value returns the value of an expression. ok is false if it has none.
func (t *Tally) Value(g *Group, x *Expression) (n Number, ok bool) {
	return t.number(x.numbers.inner, nil, g.domain(x.numbers.column))
}
