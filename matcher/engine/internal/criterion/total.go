package criterion

import (
	"fmt"

	"mmsim/matcher"
)

// Total is a MatchTotal rule.
type Total struct {
	base
	rule      *matcher.MatchTotal
	sums      []float64 // sum of the column over the players of each row
	groups    []float64 // sum of the pushed group, at each depth
	negatives int       // number of rows with a negative sum
	highest   float64   // largest sum of any row so far
}

func (c *Total) Load(row Row, players []matcher.Player) {
	c.sums = grow(c.sums, row)
	sum := sumOf(c.rule.Column, 0, players)
	c.sums[row], c.highest = sum, max(c.highest, sum)
	if sum < 0 {
		c.negatives++
	}
}

// sumOf returns the sum of a column over players. The parameter missing counts for a player without
// a number.
func sumOf(column matcher.Column, missing float64, players []matcher.Player) float64 {
	sum := 0.0
	for i := range players {
		if v := players[i].Value(column); v.Kind == matcher.IsNumber {
			sum += v.Number
		} else {
			sum += missing
		}
	}
	return sum
}

// Clear drops the data of a row that leaves.
func (c *Total) Clear(row Row) {
	if c.sums[row] < 0 {
		c.negatives--
	}
}

// Negative reports whether any row has a negative sum. The maximum is then checked only for complete
// matches, because a group above the maximum may still get below it.
func (c *Total) Negative() bool { return c.negatives > 0 }

func (c *Total) Meet(l *Limit, a, b Row) bool {
	return c.negatives > 0 || c.Observed(a, b) <= l.Bound+Tolerance
}

func (c *Total) Distance(l *Limit, a, b Row) float64 { return unusedShare(c.Observed(a, b), l.Bound) }

func (c *Total) Observed(a, b Row) float64 { return c.sums[a] + c.sums[b] }

func (c *Total) Words(sum, most float64) string {
	return fmt.Sprintf("sum %.6g, at most %.6g", sum, most)
}

func (c *Total) Nearest(_ *Limit, row Row) float64 {
	least := unusedShare(c.sums[row]+c.highest, c.smallest)
	if !c.constant() {
		least -= slack
	}
	return max(0, least)
}

// unusedShare returns the unused fraction of a maximum, from 0 to 1.
func unusedShare(sum, maximum float64) float64 {
	if maximum <= 0 {
		return 0
	}
	return min(1, max(0, (maximum-sum)/maximum))
}

func (c *Total) Push(l *Limit, group []Row) bool {
	depth := len(group) - 1
	c.groups = grow(c.groups, Row(depth))
	c.groups[depth] = c.sums[group[depth]]
	if depth > 0 {
		c.groups[depth] = c.groups[depth-1] + c.groups[depth]
	}
	return c.negatives > 0 || c.groups[depth] <= l.Bound+Tolerance
}

func (c *Total) Final(l *Limit, depth int) bool {
	sum := c.groups[depth-1]
	return sum >= l.Least-Tolerance && sum <= l.Bound+Tolerance
}

// Attainable reports whether the pushed group may still attain the smallest minimum of all stages. The
// parameter depth is its number of tickets, and more is the largest sum that other tickets can add.
func (c *Total) Attainable(depth int, more float64) bool {
	return !(c.groups[depth-1]+more < c.smallestLeast-Tolerance)
}

// Sum returns the sum of the rule's column over a row's players.
func (c *Total) Sum(row Row) float64 { return c.sums[row] }
