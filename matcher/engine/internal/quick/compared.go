package quick

import (
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/internal/ranges"
)

// Compared is a rule that compares two numbers, such as that the boss's skill is at least the highest
// skill that a hunter wants.
type Compared struct {
	Rule      *Rule
	Operation string
	Sides     [2]Side
}

// Side is one of the two numbers of a Compared.
type Side struct {
	Of     *expression.Expression // its value follows from a Tally
	Column int                    // the column that it reads
	Teams  uint64                 // mask of the teams that it reads
	Empty  expression.Tally       // the tally of a group without players
}

// compared is the state of a Compared: the tallies and values of its sides, and which numbers may join them.
type compared struct {
	tallies [2]expression.Tally
	values  [2]ranges.Number
	none    [2]bool // a side has no value
	known   [2]known
}

// known has numbers with which a player alone may join a side, or may not. If a rule compares by order, the same
// is true of all numbers between them, because the value of a side never decreases as a number grows.
//
// Without it, 40 minutes of hunters and bosses took 3 percent more CPU time.
type known struct{ open, closed span }

// value computes the value of a side from its tally.
func (c *compared) value(g *Group, x *Compared, side int) {
	n, ok := c.tallies[side].Value(&g.Group, x.Sides[side].Of)
	c.values[side], c.none[side] = n, !ok
}

// forget drops what is known of numbers when players have joined.
func (c *compared) forget() {
	for side := range c.known {
		c.known[side] = known{ranges.None(), ranges.None()}
	}
}

// resetCompared sets the state of a group whose only players are those of a session.
func (q *State) resetCompared(g *Group, d *depth) {
	for i := range q.Compared {
		x, c := &q.Compared[i], &d.compared[i]
		for side := range x.Sides {
			c.tallies[side] = x.Sides[side].Empty
			for team, members := range g.Sides {
				for _, member := range members {
					if x.Sides[side].Teams>>team&1 == 1 {
						c.tallies[side].Add(g.Columns, x.Sides[side].Of, member)
					}
				}
			}
			c.value(g, x, side)
		}
		c.forget()
	}
}

// takeCompared sets the state once a ticket has joined a team.
func (q *State) takeCompared(g *Group, before, now *depth, row Row, team int) {
	for i := range q.Compared {
		x, c := &q.Compared[i], &now.compared[i]
		*c = before.compared[i]
		for side := range x.Sides {
			if x.Sides[side].Teams>>team&1 == 1 {
				c.tallies[side].Add(g.Columns, x.Sides[side].Of, entry(row))
				c.value(g, x, side)
			}
		}
		c.forget()
	}
}

// compares reports whether the comparisons allow a ticket in a team, and counts the evaluations.
func (q *State) compares(g *Group, before *depth, row Row, team int) bool {
	for i := range q.Compared {
		x := &q.Compared[i]
		v := before.compared[i].with(g, x, row, team)
		if g.Count(x.Rule, v); v == fails {
			return false
		}
	}
	return true
}

// with evaluates a Compared for a group that a further ticket joins. When the rule was evaluated over all
// players, 40 minutes of hunters and bosses, who ask for each other by skill, took 2.5 s instead of 1.5 s.
func (c *compared) with(g *Group, x *Compared, row Row, team int) truth {
	side := 0
	if x.Sides[0].Teams>>team&1 == 0 {
		side = 1
	}
	alone := (x.Operation[0] == '<' || x.Operation[0] == '>') && g.Rows.Players[row] == 1 &&
		(x.Sides[0].Teams^x.Sides[1].Teams)>>team&1 == 1 // the ticket joins one side
	k, number := &c.known[side], g.Columns.Cell(x.Sides[side].Column, entry(row)).Number
	switch {
	case !alone:
	case k.open.Low <= number && number <= k.open.High:
		return undecided
	case k.closed.Low <= number && number <= k.closed.High:
		return fails
	}
	values, none := c.values, c.none
	for side := range x.Sides {
		if s := &x.Sides[side]; s.Teams>>team&1 == 1 {
			t := c.tallies[side]
			t.Add(g.Columns, s.Of, entry(row))
			n, ok := t.Value(&g.Group, s.Of)
			values[side], none[side] = n, !ok
		}
	}
	v := ranges.Holds
	if !none[0] && !none[1] {
		v = ranges.Compare(x.Operation, values[0], values[1])
	}
	switch {
	case !alone:
	case v == fails:
		k.closed.Add(number)
	default:
		k.open.Add(number)
	}
	return v
}
