package criterion

import (
	"fmt"
	"math/bits"
	"slices"

	"mmsim/matcher"
)

// set is a SetOverlap rule.
type set struct {
	base
	rule   *matcher.SetOverlap
	values [][]matcher.Text // indexed by row: the texts that all players have; nil if the ticket may meet any other, empty if it may meet none
	masks
	bits   matcher.TextBits
	groups []common // intersection of the sets of the pushed group, at each depth
}

// common contains the texts that all tickets with a set have in common.
type common struct {
	texts   []matcher.Text
	holders int // number of tickets with a set
}

func (c *set) Load(row Row, players []matcher.Player) {
	c.values, c.masks = grow(c.values, row), grow(c.masks, row)
	buffer := c.values[row]
	var all []matcher.Text
	for i := range players {
		v := players[i].Value(c.rule.Column)
		texts := v.Set
		if v.Kind != matcher.IsSet {
			if c.rule.MissingAny {
				continue
			}
			texts = c.rule.Default
		}
		if all == nil {
			all = append(slices.Grow(buffer[:0], max(1, len(texts))), texts...)
		} else {
			all = matcher.IntersectSets(all[:0], all, texts)
		}
	}
	c.values[row], c.masks[row] = all, 0
	if all == nil {
		c.masks[row] = allRows
	}
	for _, t := range all {
		c.masks[row] |= c.bits.Add(t)
	}
}

func (c *set) Meet(l *Limit, a, b Row) bool {
	if x, y := c.values[a], c.values[b]; x == nil || y == nil {
		sharing := (x == nil || len(x) > 0) && (y == nil || len(y) > 0) // false if the players of a party have no text in common
		return sharing || l.Bound <= 0
	}
	return c.Observed(a, b) >= l.Bound
}

func (c *set) Distance(_ *Limit, a, b Row) float64 {
	if c.values[a] == nil || c.values[b] == nil {
		return 0
	}
	return 1 / (1 + c.Observed(a, b))
}

func (c *set) Observed(a, b Row) float64 {
	if c.bits.Exact() {
		return float64(bits.OnesCount64(c.masks[a] & c.masks[b]))
	}
	return float64(matcher.SharedTexts(c.values[a], c.values[b]))
}

func (c *set) Words(shared, least float64) string {
	return fmt.Sprintf("%g in common, at least %g", shared, least)
}

func (c *set) Nearest(_ *Limit, row Row) float64 {
	if own := c.values[row]; own != nil && !c.rule.MissingAny {
		return 1 / (1 + float64(len(own)))
	}
	return 0
}

func (c *set) Filters(l *Limit) bool { return l.Bound > 0 }

func (c *set) Exact(l *Limit, seed Row) bool {
	return c.bits.Exact() && c.values[seed] != nil && l.Bound <= 1
}

func (c *set) Push(l *Limit, group []Row) bool {
	depth := len(group) - 1
	if depth == len(c.groups) {
		c.groups = append(c.groups, common{})
	}
	g, own := &c.groups[depth], c.values[group[depth]]
	g.texts, g.holders = g.texts[:0], 0
	if depth > 0 {
		g.holders = c.groups[depth-1].holders
	}
	switch below := max(0, depth-1); {
	case own == nil && g.holders > 0:
		g.texts = append(g.texts, c.groups[below].texts...)
	case own != nil && g.holders > 0:
		g.texts = matcher.IntersectSets(g.texts, c.groups[below].texts, own)
		g.holders++
	case own != nil:
		g.texts = append(g.texts, own...)
		g.holders++
	}
	return g.holders == 0 || g.holders == 1 && len(g.texts) > 0 || float64(len(g.texts)) >= l.Bound
}

func (c *set) Loosest() Limit { return Limit{Bound: c.smallest, Active: true} }

func (c *set) Values(l *Limit, seed Row) int {
	if c.values[seed] == nil || l.Bound <= 0 {
		return -1
	}
	return len(c.values[seed])
}

func (c *set) Common(sets []uint64, _ *Limit, seed Row, rows []Row) {
	exact := c.bits.Exact()
	for k, text := range c.values[seed] {
		bit := c.bits.Of(text)
		for i, row := range rows {
			if c.masks[row]&bit != 0 && (exact || c.values[row] == nil || slices.Contains(c.values[row], text)) {
				sets[k] |= 1 << i
			}
		}
	}
}

func (c *set) Final(*Limit, int) bool { return true }
