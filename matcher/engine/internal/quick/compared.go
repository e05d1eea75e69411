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
	Of    *expression.Expression // its value follows from a Tally
	Teams uint64                 // mask of the teams that it reads
	Empty expression.Tally       // the tally of a group without players
}

// compared is the state of a Compared: the tallies and values of its sides.
type compared struct {
	tallies [2]expression.Tally
	values  [2]ranges.Number
	none    [2]bool // a side has no value
}

// value computes the value of a side from its tally.
func (c *compared) value(g *Group, x *Compared, side int) {
	n, ok := c.tallies[side].Value(&g.Group, x.Sides[side].Of)
	c.values[side], c.none[side] = n, !ok
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
	values, none := c.values, c.none
	for side := range x.Sides {
		if s := &x.Sides[side]; s.Teams>>team&1 == 1 {
			t := c.tallies[side]
			t.Add(g.Columns, s.Of, entry(row))
			n, ok := t.Value(&g.Group, s.Of)
			values[side], none[side] = n, !ok
		}
	}
	if none[0] || none[1] {
		return ranges.Holds
	}
	return ranges.Compare(x.Operation, values[0], values[1])
}
