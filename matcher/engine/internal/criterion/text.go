package criterion

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/internal/textset"
)

// Special values for parties without a common text.
const (
	anyText     matcher.Text = -1 // no player has a text, and the rule lets such a ticket meet any
	clashedText matcher.Text = -2 // the players have different texts: the ticket meets none
)

// text is an EqualText rule.
type text struct {
	base
	rule   *matcher.EqualText
	values []matcher.Text // by row
	bits   textset.Bits
}

func newText(b base, rule *matcher.EqualText) *text {
	return &text{base: b.with(rule.Enabled, matcher.Schedule{}), rule: rule}
}

func (c *text) Load(row Row, players []matcher.Player) {
	c.values = grow(c.values, row)
	common := anyText
	for i := range players {
		v := players[i].Value(c.rule.Column)
		value := v.Text
		if v.Kind != matcher.IsText {
			if c.rule.MissingAny {
				continue
			}
			value = c.rule.Default
		}
		if common != anyText && common != value {
			c.values[row] = clashedText
			return
		}
		common = value
	}
	c.values[row] = common
	if common >= 0 {
		c.bits.Add(common)
	}
}

func (c *text) Meet(_ *Limit, a, b Row) bool {
	x, y := c.values[a], c.values[b]
	return x != clashedText && y != clashedText && (x == y || x == anyText || y == anyText)
}

func (c *text) Distance(l *Limit, a, b Row) float64 {
	if c.Meet(l, a, b) {
		return 0
	}
	return 1
}

// Equates implements Equating: tickets that may meet a ticket with a text have the same text or
// may meet any.
func (c *text) Equates(row Row) bool { return c.values[row] >= 0 }

func (c *text) Observed(a, b Row) float64 { return math.NaN() }

func (c *text) Words(value, bound float64) string {
	return "different values"
}

func (c *text) Nearest(*Limit, Row) float64 { return 0 }

func (c *text) Mask(_ *Limit, row Row) uint64 {
	switch v := c.values[row]; v {
	case anyText:
		return everybody
	case clashedText:
		return 0
	default:
		return c.bits.Of(v)
	}
}

func (c *text) Filters(*Limit) bool { return true }

// Exact implements Valued.
func (c *text) Exact(_ *Limit, seed Row) bool { return c.bits.Exact() && c.values[seed] >= 0 }

// Unsuited implements Divider.
func (c *text) Unsuited() int { return c.unsuited(0) }

// Order implements Divider. Texts are ordered by their strings, not by the order in which they
// were first seen.
func (c *text) Order(schema *matcher.Schema) func(Row) float64 {
	texts := make([]matcher.Text, schema.Texts())
	for i := range texts {
		texts[i] = matcher.Text(i)
	}
	slices.SortFunc(texts, func(a, b matcher.Text) int {
		return cmp.Compare(schema.TextString(a), schema.TextString(b))
	})
	place := make([]float64, len(texts))
	for i, text := range texts {
		place[text] = float64(i)
	}
	return func(row Row) float64 {
		if c.values[row] < 0 {
			return math.NaN()
		}
		return place[c.values[row]]
	}
}

// everybody is the mask of a row that may meet all other rows.
const everybody = ^uint64(0)
