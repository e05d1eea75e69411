package flexmatch

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

type distance struct {
	matcher.Distance
	source
}

func (r *distance) language() matcher.SeatRule { return &r.Distance }

func isNumber(t matcher.Type) bool { return t == matcher.Type{Base: matcher.Numbers} }

func (c *compiler) readDistance(o *jsontree.Object, common matcher.SeatCommon) rule {
	r := &distance{Distance: matcher.Distance{SeatCommon: common}, source: source{o.Value}}
	r.Party = c.party(o, matcher.PartyAvg, matcher.PartyMin, matcher.PartyMax)
	r.Measured = c.measurements(o, "numbers", func(t matcher.Type) bool { return t.Base == matcher.Numbers })
	if r.Reference = c.references(o, "a number", isNumber); !o.Has("referenceValue") {
		o.Missing("referenceValue", "a number, or an expression that gives one")
	}
	r.Min, r.Max = c.numbers(o, "minDistance", distances), c.numbers(o, "maxDistance", distances)
	if r.Min == nil && r.Max == nil {
		o.Missing("maxDistance", "maxDistance or minDistance, a number")
	}
	c.ordered(o, "minDistance", r.Min, "maxDistance", r.Max)
	return r
}

// ordered records an error if a minimum exceeds its maximum.
func (c *compiler) ordered(o *jsontree.Object, least string, a matcher.Steps[float64], most string, b matcher.Steps[float64]) {
	if v, ok := o.Get(least); ok && len(b) > 0 && a[0].Value > b[0].Value {
		o.Misfit(v, least, fmt.Sprintf("at most %s, which is %v", most, b[0].Value))
	}
}

func (r *distance) property(name string) *property {
	switch name {
	case "minDistance":
		return replacing(&r.Min, distances)
	case "maxDistance":
		return replacing(&r.Max, distances)
	case "referenceValue":
		return &property{func(c *compiler, v jsontree.Value, label string, afterMS int64) {
			c.addReference(&r.Reference, v, label, afterMS, "a number", isNumber)
		}}
	}
	return nil
}
