package criterion

import (
	"fmt"
	"math"
	"math/bits"

	"mmsim/matcher"
)

// number is a NumberDistance rule.
type number struct {
	base
	rule   *matcher.NumberDistance
	values []float64 // by row: merged over the players; NaN for a ticket that may meet any
}

func newNumber(b base, rule *matcher.NumberDistance) *number {
	return &number{base: b.with(rule.Max, matcher.Schedule{}), rule: rule}
}

func (c *number) Load(row Row, players []matcher.Player) {
	c.values = grow(c.values, row)
	sum, lowest, highest, count := 0.0, math.Inf(1), math.Inf(-1), 0
	for i := range players {
		n := c.rule.Default
		if v := players[i].Value(c.rule.Column); v.Kind == matcher.IsNumber {
			n = v.Number
		} else if c.rule.MissingAny {
			continue
		}
		sum, lowest, highest = sum+n, min(lowest, n), max(highest, n)
		count++
	}
	switch {
	case count == 0:
		c.values[row] = math.NaN()
	case c.rule.Merge == matcher.Lowest:
		c.values[row] = lowest
	case c.rule.Merge == matcher.Highest:
		c.values[row] = highest
	default:
		c.values[row] = sum / float64(count)
	}
}

func (c *number) Meet(l *Limit, a, b Row) bool {
	return !(c.Observed(a, b) > l.Bound+Tolerance) // a row with NaN may meet any
}

// Part implements Comparing.
func (c *number) Part(crowd *Crowd, at int, meets []uint64) {
	var numbers, widest [64]float64
	var old [64]int64
	least, optional := math.Inf(1), uint64(0)
	for i, row := range crowd.Rows {
		l := &crowd.Store.Stage[row].Limits[at]
		numbers[i%64], widest[i%64], old[i%64] = c.values[row], math.Inf(1), crowd.Store.CreatedMS[row]
		if l.Active {
			widest[i%64] = l.Bound + Tolerance
			least = min(least, widest[i%64])
		}
		if l.Optional {
			optional |= 1 << i
		}
	}
	for a := range meets {
		number := numbers[a%64]
		for others := meets[a] >> a >> 1 << a << 1; others != 0; others &= others - 1 {
			b := bits.TrailingZeros64(others)
			difference := math.Abs(number - numbers[b%64])
			if difference <= least { // most pairs
				continue
			}
			older, younger := a, b
			if old[b%64] < old[a%64] {
				older, younger = b, a
			}
			bound, free := widest[older%64], younger
			if crowd.Basis.Shortest {
				bound = widest[younger%64]
			}
			if crowd.Basis.Any {
				free = older
			}
			if difference > bound && optional>>(free%64)&1 == 0 {
				meets[a] &^= 1 << b
				meets[b] &^= 1 << a
			}
		}
	}
}

func (c *number) Distance(l *Limit, a, b Row) float64 {
	difference := c.Observed(a, b)
	if math.IsNaN(difference) {
		return 0
	}
	return share(difference, l.Bound)
}

func (c *number) Observed(a, b Row) float64 { return math.Abs(c.values[a] - c.values[b]) }

func (c *number) Words(difference, bound float64) string {
	return fmt.Sprintf("%.6g apart, at most %.6g", difference, bound)
}

func (c *number) Nearest(*Limit, Row) float64 { return 0 }

func (c *number) Key(row Row) float64 { return c.values[row] }

func (c *number) Width(l *Limit) float64 { return l.Bound + Tolerance }

// Spread returns the Width of the row that has waited longest if thresholds only increase with
// the wait, because pairs of other rows have shorter waits; otherwise the largest width of all
// stages.
func (c *number) Spread(l *Limit) float64 {
	switch {
	case !c.firm():
		return math.Inf(1)
	case l != nil && c.rising() && !c.basis.Shortest:
		return l.Bound + Tolerance
	}
	return c.largest + Tolerance
}

func (c *number) NearestBeyond(l *Limit, difference float64) float64 {
	return share(difference, l.Bound)
}

func (c *number) Reach() (always bool, difference float64) {
	return c.firm(), c.largest / c.common.Weight
}

// Unsuited implements Divider.
func (c *number) Unsuited() int { return c.unsuited(1) }

// Order implements Divider.
func (c *number) Order(*matcher.Schema) func(Row) float64 { return c.Key }

// share returns a difference as a fraction of the allowed one, from 0 to 1.
func share(difference, allowed float64) float64 {
	if allowed <= 0 {
		if difference == 0 {
			return 0
		}
		return 1
	}
	return min(1, difference/allowed)
}
