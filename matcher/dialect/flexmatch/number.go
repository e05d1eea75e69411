package flexmatch

import (
	"fmt"
	"math"
	"strconv"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// limits are the bounds of a numeric property.
type limits struct {
	least, most float64
	whole       bool
}

var (
	anyNumber = limits{least: -matcher.MaxNumber, most: matcher.MaxNumber}
	distances = limits{least: 0, most: matcher.MaxNumber}
	counts    = limits{least: 0, most: 1_000_000, whole: true}
)

func (l limits) String() string {
	label := "a number"
	if l.whole {
		label = "a whole number"
	}
	switch {
	case l.least == -matcher.MaxNumber:
		return label
	case l.most == matcher.MaxNumber:
		return fmt.Sprintf("%s of %v or more", label, l.least)
	}
	return fmt.Sprintf("%s from %v to %v", label, l.least, l.most)
}

// number reads a number, which may be written as a text. The second parameter is the name of the
// number in messages.
func (c *compiler) number(v jsontree.Value, label string, l limits) float64 {
	n, ok := numberOf(v)
	if !ok || n < l.least || n > l.most || l.whole && n != math.Trunc(n) {
		c.problems.Errorf(v, "%s: got %v, expected %v", label, v, l)
		return max(0, l.least)
	}
	return n
}

func numberOf(v jsontree.Value) (float64, bool) {
	if v.Kind() != jsontree.Text {
		return v.Float()
	}
	n, err := strconv.ParseFloat(v.Text(), 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

// numbers reads an optional number that expansions may replace.
func (c *compiler) numbers(o *jsontree.Object, member string, l limits) matcher.Steps[float64] {
	v, ok := o.Get(member)
	if !ok {
		return nil
	}
	return matcher.Steps[float64]{{Value: c.number(v, o.Label(member), l)}}
}

// required is like numbers, but the JSON member must be present.
func (c *compiler) required(o *jsontree.Object, member string, l limits) matcher.Steps[float64] {
	s := c.numbers(o, member, l)
	if s == nil {
		o.Missing(member, l.String())
	}
	return s
}
