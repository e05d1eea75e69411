package criterion

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
)

// Special values for parties without a common text.
const (
	anyText     matcher.Text = -1 // no player has a text, and the rule lets such a ticket meet any other
	clashedText matcher.Text = -2 // the players have different texts, so the ticket may meet no other
)

// text is an EqualText rule.
type text struct {
	base
	rule   *matcher.EqualText
	values []matcher.Text // text of each row
	masks
	bits matcher.TextBits
}

func (c *text) Load(row Row, players []matcher.Player) {
	c.values, c.masks = grow(c.values, row), grow(c.masks, row)
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
			c.values[row], c.masks[row] = clashedText, 0
			return
		}
		common = value
	}
	if c.values[row], c.masks[row] = common, allRows; common >= 0 {
		c.masks[row] = c.bits.Add(common)
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

// Equates implements Equating. Tickets that may meet a ticket with a text either have the same text
// or may meet any ticket.
func (c *text) Equates(row Row) bool { return c.values[row] >= 0 }

func (c *text) Observed(a, b Row) float64 { return math.NaN() }

func (c *text) Words(value, bound float64) string {
	return "different values"
}

func (c *text) Nearest(*Limit, Row) float64 { return 0 }

func (c *text) Filters(*Limit) bool { return true }

func (c *text) Exact(_ *Limit, seed Row) bool { return c.bits.Exact() && c.values[seed] >= 0 }

func (c *text) Unsuited() int { return c.unsuited(0) }

// Order implements Divider. Texts are ordered by their strings, so that the order in which they were
// first seen has no effect.
func (c *text) Order(schema *matcher.Schema) func(Row) float64 {
	texts := make([]matcher.Text, schema.Texts())
	for i := range texts {
		texts[i] = matcher.Text(i)
	}
	slices.SortFunc(texts, func(a, b matcher.Text) int {
		return cmp.Compare(schema.TextString(a), schema.TextString(b))
	})
	rank := make([]float64, len(texts))
	for i, text := range texts {
		rank[text] = float64(i)
	}
	return func(row Row) float64 {
		if c.values[row] < 0 {
			return math.NaN()
		}
		return rank[c.values[row]]
	}
}

// masks implements Mask and Masks for a rule whose values do not change with the wait.
type masks []uint64 // bits of each row

func (m masks) Mask(_ *Limit, row Row) uint64 { return m[row] }

// Masks stores the masks of rows in dst.
func (m masks) Masks(dst []uint64, _ *Limit, rows []Row) {
	for i, row := range rows {
		dst[i] = m[row]
	}
}

// allRows is the mask of a row that may meet all other rows.
const allRows = ^uint64(0)
