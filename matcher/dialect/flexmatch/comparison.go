package flexmatch

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

type comparison struct {
	matcher.Comparison
	source
	base matcher.Base
}

func (r *comparison) language() matcher.SeatRule { return &r.Comparison }

var operations = []string{"=", "!=", "<", "<=", ">", ">="}

func (c *compiler) readComparison(o *jsontree.Object, common matcher.SeatCommon) rule {
	r := &comparison{Comparison: matcher.Comparison{SeatCommon: common}, source: source{o.Value}}
	r.Party = c.party(o, matcher.PartyAvg, matcher.PartyMin, matcher.PartyMax)
	r.Measured = c.measurements(o, "numbers or texts", func(t matcher.Type) bool { return t.Base != matcher.Players })
	if len(r.Measured) > 0 {
		r.base = r.Measured[0].Base
		if slices.ContainsFunc(r.Measured, func(e *matcher.Expression) bool { return e.Base != r.base }) {
			v, _ := o.Get("measurements")
			c.problems.Errorf(v, "%s: got numbers and texts, expected values of the same type", o.Label("measurements"))
		}
	}
	r.Operation = oneOf(o, "operation", "", operations...)
	ordered := r.Operation != "" && r.Operation != "=" && r.Operation != "!="
	if r.Reference = c.references(o, r.wants(), r.suits); ordered && !o.Has("referenceValue") {
		o.Missing("referenceValue", "a value to compare with, because only = and != can compare the measured values with each other")
	}
	if v, ok := o.Get("operation"); ok && ordered && r.base == matcher.Texts && len(r.Measured) > 0 {
		o.Misfit(v, "operation", "= or != for texts")
	}
	return r
}

func (r *comparison) suits(t matcher.Type) bool { return t.Depth == 0 && t.Base == r.base }

func (r *comparison) wants() string { return matcher.Type{Base: r.base}.String() }

func (r *comparison) property(name string) *property {
	if name != "referenceValue" || r.Reference == nil {
		return nil
	}
	return &property{func(c *compiler, v jsontree.Value, label string, afterMS int64) {
		c.addReference(&r.Reference, v, label, afterMS, r.wants(), r.suits)
	}}
}
