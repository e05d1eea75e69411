package criterion

import (
	"math"

	"mmsim/matcher"
)

// TeamGap is a TeamGap rule.
type TeamGap struct {
	base
	rule *matcher.TeamGap
	sums []float64 // sum of the column over the players of each row
}

// Load reads the values of a row's players.
func (c *TeamGap) Load(row Row, players []matcher.Player) {
	c.sums = grow(c.sums, row)
	c.sums[row] = c.SumOf(players)
}

func (c *TeamGap) Ask(d *Division, l *Limit, enforced bool) {
	limit := math.Inf(1)
	if enforced {
		limit = l.Bound + Tolerance
	}
	d.Gaps = append(d.Gaps, Gap{c, limit})
}

// Sum returns the sum of the rule's column over the players of a row.
func (c *TeamGap) Sum(row Row) float64 { return c.sums[row] }

// SumOf returns the sum of the rule's column over players.
func (c *TeamGap) SumOf(players []matcher.Player) float64 {
	return sumOf(c.rule.Column, c.rule.Default, players)
}
