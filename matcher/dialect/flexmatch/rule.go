package flexmatch

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// aggregationNames are the names of the matcher.Aggregation values, by index.
var aggregationNames = []string{"avg", "min", "max", "union", "intersection"}

// replacing returns a numeric property that stores its steps in s.
func replacing(s *matcher.Steps[float64], l limits) *property {
	return &property{func(c *compiler, v jsontree.Value, label string, afterMS int64) {
		*s = append(*s, matcher.Step[float64]{AfterMS: afterMS, Value: c.number(v, label, l)})
	}}
}

// party reads partyAggregation. The last parameter lists the allowed values, with the default
// first.
func (c *compiler) party(o *jsontree.Object, among ...matcher.Aggregation) matcher.Aggregation {
	var names []string
	for _, a := range among {
		names = append(names, aggregationNames[a])
	}
	name := oneOf(o, "partyAggregation", names[0], names...)
	return matcher.Aggregation(slices.Index(aggregationNames, name))
}

// measurements reads the expressions that a rule measures. The parameter suits is a function that
// reports whether a type is allowed. The parameter expected describes the allowed types for
// messages.
func (c *compiler) measurements(o *jsontree.Object, expected string, suits func(matcher.Type) bool) []*matcher.Expression {
	v, ok := o.Get("measurements")
	if !ok {
		o.Missing("measurements", "a list of property expressions")
		return nil
	}
	all := []jsontree.Value{v} // the guide also shows a single expression without a list
	if v.Kind() != jsontree.Text {
		all = o.List("measurements")
	}
	if v.Kind() == jsontree.List && len(all) == 0 {
		o.Misfit(v, "measurements", "at least one property expression")
	}
	var list []*matcher.Expression
	for _, v := range all {
		e, ok := c.expression(v, o.Label("measurements"))
		if ok && !suits(e.Type) {
			c.problems.Errorf(v, "%s: %v gives %v, expected %s", o.Label("measurements"), v, e.Type, expected)
		}
		if ok {
			list = append(list, e)
		}
	}
	return list
}

// reference reads a reference value.
func (c *compiler) reference(v jsontree.Value, label string) (matcher.Reference, bool) {
	switch {
	case v.Kind() == jsontree.Text && looksLikeExpression(v.Text()):
		e, ok := c.expression(v, label)
		if !ok {
			return matcher.Reference{}, false
		}
		return matcher.Reference{Expression: e, Type: e.Type}, true
	case v.Kind() == jsontree.Text:
		return matcher.Reference{Type: matcher.Type{Base: matcher.Texts}, Text: c.set.Schema.Intern(v.Text())}, true
	case v.Kind() == jsontree.Number:
		return matcher.Reference{Number: c.number(v, label, anyNumber)}, true
	case v.Kind() == jsontree.List && misfit(IsTextList, v) == "":
		list := &matcher.Expression{Type: matcher.Type{Base: matcher.Texts, Depth: 1}, Field: matcher.InRules}
		for _, e := range v.Elements() {
			list.Texts = append(list.Texts, c.set.Schema.Intern(e.Text()))
		}
		return matcher.Reference{Expression: list, Type: list.Type}, true
	}
	c.problems.Errorf(v, "%s: got %v, expected a number, a text or a property expression", label, v)
	return matcher.Reference{}, false
}

// references reads a reference value as the first step of a property that expansions may change. It
// returns nil if the JSON member is absent.
func (c *compiler) references(o *jsontree.Object, expected string, suits func(matcher.Type) bool) matcher.Steps[matcher.Reference] {
	v, ok := o.Get("referenceValue")
	if !ok {
		return nil
	}
	var s matcher.Steps[matcher.Reference]
	c.addReference(&s, v, o.Label("referenceValue"), 0, expected, suits)
	return s
}

// addReference adds a step to a reference value.
func (c *compiler) addReference(s *matcher.Steps[matcher.Reference], v jsontree.Value, label string, afterMS int64, expected string, suits func(matcher.Type) bool) {
	r, ok := c.reference(v, label)
	if !ok {
		return
	}
	if n, isNumber := numberOf(v); isNumber && !suits(r.Type) { // a number written as a text
		r = matcher.Reference{Number: n}
	}
	if !suits(r.Type) {
		c.problems.Errorf(v, "%s: %v is %v, expected %s", label, v, r.Type, expected)
	}
	*s = append(*s, matcher.Step[matcher.Reference]{AfterMS: afterMS, Value: r})
}
