package flexmatch

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

type collection struct {
	matcher.Collection
	source
}

func (r *collection) language() matcher.SeatRule { return &r.Collection }

func (c *compiler) readCollection(o *jsontree.Object, common matcher.SeatCommon) rule {
	r := &collection{Collection: matcher.Collection{SeatCommon: common}, source: source{o.Value}}
	r.Party = c.party(o, matcher.PartyUnion, matcher.PartyIntersection)
	r.Operation = oneOf(o, "operation", "", "contains", "intersection", "reference_intersection_count")
	r.Measured = c.measurements(o, "a list of lists of texts", func(t matcher.Type) bool {
		return t.Base == matcher.Texts && (t.Depth == 2 || t.Depth == 3 || t.Depth == 1 && r.Operation != "intersection")
	})
	r.Measured = perTeam(r.Measured)
	switch v, given := o.Get("referenceValue"); {
	case r.Operation == "":
	case r.Operation == "intersection":
		if given {
			o.Misfit(v, "referenceValue", "none, because the operation is intersection")
		}
	case given:
		r.Reference = c.references(o, r.wants(), r.suits)
	default:
		o.Missing("referenceValue", r.wants())
	}
	r.Min, r.Max = c.numbers(o, "minCount", counts), c.numbers(o, "maxCount", counts)
	if r.Min == nil && r.Max == nil {
		o.Missing("minCount", "minCount or maxCount, a whole number")
	}
	c.ordered(o, "minCount", r.Min, "maxCount", r.Max)
	return r
}

// perTeam splits a measurement of lists from several teams into one measurement per team, because
// each team is a separate collection.
func perTeam(measured []*matcher.Expression) (list []*matcher.Expression) {
	for _, x := range measured {
		if x.Depth < 3 {
			list = append(list, x)
			continue
		}
		for _, team := range x.Teams { // x must be a path, because every function removes a level of lists
			one := *x
			one.Teams, one.PerTeam, one.Depth = []int{team}, false, 2
			list = append(list, &one)
		}
	}
	return list
}

func (r *collection) suits(t matcher.Type) bool {
	if r.Operation == "reference_intersection_count" {
		return t == matcher.Type{Base: matcher.Texts, Depth: 1}
	}
	return t == matcher.Type{Base: matcher.Texts, Depth: 0}
}

func (r *collection) wants() string {
	if r.Operation == "reference_intersection_count" {
		return "a list of texts, or an expression that gives one"
	}
	return "a text"
}

func (r *collection) property(name string) *property {
	switch name {
	case "minCount":
		return replacing(&r.Min, counts)
	case "maxCount":
		return replacing(&r.Max, counts)
	case "referenceValue":
		if r.Reference == nil {
			return nil
		}
		return &property{func(c *compiler, v jsontree.Value, label string, afterMS int64) {
			c.addReference(&r.Reference, v, label, afterMS, r.wants(), r.suits)
		}}
	}
	return nil
}
