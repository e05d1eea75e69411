package flexmatch

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// ruleTypes lists the rule types in the order in which messages list them. Each has a method that
// reads a rule of the type.
var ruleTypes = []struct {
	name string
	read func(*ruleReader) matcher.SeatRule
}{
	{"comparison", (*ruleReader).comparison},
	{"distance", (*ruleReader).distance},
	{"batchDistance", (*ruleReader).batchDistance},
	{"collection", (*ruleReader).collection},
	{"latency", (*ruleReader).latency},
	{"absoluteSort", (*ruleReader).absoluteSort},
	{"distanceSort", (*ruleReader).distanceSort},
	{"compound", (*ruleReader).compound},
}

// ruleReader reads one rule.
type ruleReader struct {
	*compiler
	*jsontree.Object
	common matcher.SeatCommon
}

// rules reads the rules. It parses compound rules last, because they refer to other rules.
func (c *compiler) rules(root *jsontree.Object) {
	var types []string
	for _, t := range ruleTypes {
		types = append(types, t.name)
	}
	seen := map[string]bool{}
	for _, o := range root.Entries("rules", entriesMax) {
		name := c.name(o, seen)
		if name != "" {
			o.Relabel(`rule "` + name + `"`)
		}
		o.TextOr("description", "")
		if at := slices.Index(types, o.OneOf("type", types...)); at >= 0 {
			read := ruleTypes[at].read(&ruleReader{c, o, matcher.SeatCommon{Name: name}})
			c.set.rules = append(c.set.rules, rule{read, o.Value})
			o.Done()
		}
	}
	for _, s := range c.statements {
		c.statement(s)
	}
}

// aggregationNames are the names of the matcher.Aggregation values, by index.
var aggregationNames = []string{"avg", "min", "max", "union", "intersection"}

// party reads partyAggregation. The parameter lists the allowed values, with the default first.
func (r *ruleReader) party(among ...matcher.Aggregation) {
	var names []string
	for _, a := range among {
		names = append(names, aggregationNames[a])
	}
	name := r.OneOfOr("partyAggregation", names[0], names...)
	r.common.Party = matcher.Aggregation(max(0, slices.Index(aggregationNames, name)))
}

// partyNumber reads partyAggregation of a rule about numbers.
func (r *ruleReader) partyNumber() {
	r.party(matcher.PartyAvg, matcher.PartyMin, matcher.PartyMax)
}

// steps reads an optional number that expansions may replace or add.
func (r *ruleReader) steps(member string, s *matcher.Steps[float64], l jsontree.Limits) {
	if v, ok := r.Get(member); ok {
		*s = matcher.Steps[float64]{{Value: r.problems.Number(v, r.Label(member), l)}}
	}
	r.expands("rules["+r.common.Name+"]."+member, r.replacing(s, l))
}

// bounds reads an optional minimum and an optional maximum. At least one of the two must be present;
// required is the one that the error names.
func (r *ruleReader) bounds(least, most string, low, high *matcher.Steps[float64], l jsontree.Limits, required, expected string) {
	r.steps(least, low, l)
	r.steps(most, high, l)
	if *low == nil && *high == nil {
		r.Missing(required, expected)
	}
	if v, ok := r.Get(least); ok && len(*high) > 0 && (*low)[0].Value > (*high)[0].Value {
		r.Misfit(v, least, fmt.Sprintf("at most %s, which is %v", most, (*high)[0].Value))
	}
}

// measurements reads the expressions that a rule measures. The parameter suits is a function that
// reports whether a type is allowed. The parameter expected describes the allowed types for
// messages.
func (r *ruleReader) measurements(expected string, suits func(matcher.Type) bool) []*matcher.Expression {
	const member = "measurements"
	v, ok := r.Get(member)
	if !ok {
		r.Missing(member, "a list of property expressions")
		return nil
	}
	all := []jsontree.Value{v} // the guide also shows a single expression without a list
	if v.Kind() != jsontree.Text {
		all = r.List(member)
	}
	if v.Kind() == jsontree.List && len(all) == 0 {
		r.Misfit(v, member, "at least one property expression")
	}
	var list []*matcher.Expression
	for _, v := range all {
		e, ok := r.expression(v, r.Label(member))
		if ok && !suits(e.Type) {
			r.problems.Errorf(v, "%s: %v gives %v, expected %s", r.Label(member), v, e.Type, expected)
		}
		if ok {
			list = append(list, e)
		}
	}
	return list
}

// reference reads an optional reference value that expansions may replace. The parameter suits is a
// function that reports whether a type is allowed. The parameter expected describes the allowed types
// for messages.
func (r *ruleReader) reference(s *matcher.Steps[matcher.Reference], expected string, suits func(matcher.Type) bool) {
	const member = "referenceValue"
	read := func(v jsontree.Value, label string, afterMS int64) {
		reference, ok := r.referenceOf(v, label)
		if !ok {
			return
		}
		if n, isNumber := r.problems.NumberOf(v); isNumber && !suits(reference.Type) { // a number written as a text
			reference = matcher.Reference{Number: n}
		}
		if !suits(reference.Type) {
			r.problems.Errorf(v, "%s: %v is %v, expected %s", label, v, reference.Type, expected)
		}
		*s = append(*s, matcher.Step[matcher.Reference]{AfterMS: afterMS, Value: reference})
	}
	if v, ok := r.Get(member); ok {
		read(v, r.Label(member), 0)
		r.expands("rules["+r.common.Name+"]."+member, read)
	}
}

// referenceOf returns the reference that a value denotes.
func (c *compiler) referenceOf(v jsontree.Value, label string) (matcher.Reference, bool) {
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
		return matcher.Reference{Number: c.problems.Number(v, label, anyNumber)}, true
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

// operations are the operations of a comparison.
var operations = []string{"=", "!=", "<", "<=", ">", ">="}

func (r *ruleReader) comparison() matcher.SeatRule {
	r.partyNumber()
	x := &matcher.Comparison{SeatCommon: r.common}
	x.Measured = r.measurements("numbers or texts", func(t matcher.Type) bool { return t.Base != matcher.Players })
	var base matcher.Base
	if len(x.Measured) > 0 {
		base = x.Measured[0].Base
		if slices.ContainsFunc(x.Measured, func(e *matcher.Expression) bool { return e.Base != base }) {
			v, _ := r.Get("measurements")
			r.problems.Errorf(v, "%s: got numbers and texts, expected values of the same type", r.Label("measurements"))
		}
	}
	x.Operation = r.OneOf("operation", operations...)
	ordered := x.Operation != "" && x.Operation != "=" && x.Operation != "!="
	r.reference(&x.Reference, matcher.Type{Base: base}.String(), func(t matcher.Type) bool { return t.Depth == 0 && t.Base == base })
	if ordered && !r.Has("referenceValue") {
		r.Missing("referenceValue", "a value to compare with, because only = and != can compare the measured values with each other")
	}
	if v, ok := r.Get("operation"); ok && ordered && base == matcher.Texts && len(x.Measured) > 0 {
		r.Misfit(v, "operation", "= or != for texts")
	}
	return x
}

func (r *ruleReader) distance() matcher.SeatRule {
	r.partyNumber()
	x := &matcher.Distance{SeatCommon: r.common}
	x.Measured = r.measurements("numbers", func(t matcher.Type) bool { return t.Base == matcher.Numbers })
	r.reference(&x.Reference, "a number", func(t matcher.Type) bool { return t == matcher.Type{Base: matcher.Numbers} })
	if !r.Has("referenceValue") {
		r.Missing("referenceValue", "a number, or an expression that gives one")
	}
	r.bounds("minDistance", "maxDistance", &x.Min, &x.Max, distances, "maxDistance", "maxDistance or minDistance, a number")
	return x
}

func (r *ruleReader) batchDistance() matcher.SeatRule {
	r.partyNumber()
	x := &matcher.BatchDistance{SeatCommon: r.common}
	v, ok := r.Get("batchAttribute")
	if !ok {
		r.Missing("batchAttribute", "the name of an attribute")
		return x
	}
	a := r.attributeNamed(r.Object, "batchAttribute", v, IsNumber, IsText)
	if x.Column = a.Column; a.Type == IsText {
		r.Forbid("maxDistance", "the attribute is a text")
		return x
	}
	if r.steps("maxDistance", &x.Max, distances); x.Max == nil {
		r.Missing("maxDistance", distances.String())
	}
	r.Forbid("minDistance", "a batchDistance has only maxDistance")
	return x
}

func (r *ruleReader) collection() matcher.SeatRule {
	r.party(matcher.PartyUnion, matcher.PartyIntersection)
	x := &matcher.Collection{SeatCommon: r.common}
	x.Operation = r.OneOf("operation", "contains", "intersection", "reference_intersection_count")
	x.Measured = perTeam(r.measurements("a list of lists of texts", func(t matcher.Type) bool {
		return t.Base == matcher.Texts && (t.Depth == 2 || t.Depth == 3 || t.Depth == 1 && x.Operation != "intersection")
	}))
	wants, of := "a text", matcher.Type{Base: matcher.Texts}
	if x.Operation == "reference_intersection_count" {
		wants, of.Depth = "a list of texts, or an expression that gives one", 1
	}
	switch _, given := r.Get("referenceValue"); {
	case x.Operation == "":
	case x.Operation == "intersection":
		r.Forbid("referenceValue", "the operation is intersection")
	case given:
		r.reference(&x.Reference, wants, func(t matcher.Type) bool { return t == of })
	default:
		r.Missing("referenceValue", wants)
	}
	r.bounds("minCount", "maxCount", &x.Min, &x.Max, counts, "minCount", "minCount or maxCount, a whole number")
	return x
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

func (r *ruleReader) latency() matcher.SeatRule {
	r.partyNumber()
	x := &matcher.Latency{SeatCommon: r.common}
	r.steps("maxLatency", &x.Max, distances)
	if _, ok := r.Get("maxDistance"); ok {
		r.steps("maxDistance", &x.MaxDistance, distances)
		x.FromAvg = r.OneOf("distanceReference", "min", "avg") == "avg"
	} else {
		r.Ineffective("distanceReference", "it has no effect without maxDistance")
	}
	if x.Max == nil && x.MaxDistance == nil {
		r.Missing("maxLatency", distances.String())
	}
	return x
}

func (r *ruleReader) absoluteSort() matcher.SeatRule { return r.sort(&matcher.Sort{}) }
func (r *ruleReader) distanceSort() matcher.SeatRule { return r.sort(&matcher.Sort{Distance: true}) }

func (r *ruleReader) sort(x *matcher.Sort) matcher.SeatRule {
	r.partyNumber()
	x.SeatCommon = r.common
	x.Descending = r.OneOf("sortDirection", "ascending", "descending") == "descending"
	v, ok := r.Get("sortAttribute")
	if !ok {
		r.Missing("sortAttribute", "the name of an attribute")
		return x
	}
	a := r.attributeNamed(r.Object, "sortAttribute", v, IsNumber, IsNumberMap)
	x.Column = a.Column
	if a.Type == IsNumberMap {
		set := r.set
		x.KeyColumn = func(key matcher.Text) matcher.Column { return set.KeyColumn(a, key) }
		x.HighestKey = r.OneOf("mapKey", "minValue", "maxValue") == "maxValue"
	} else {
		r.Ineffective("mapKey", "it has no effect on an attribute that is not a map")
	}
	return x
}

// compound reads a compound rule, except its statement, see rules.
func (r *ruleReader) compound() matcher.SeatRule {
	x := &matcher.Compound{SeatCommon: r.common}
	r.Text("statement")
	if text, _ := r.Get("statement"); text.Kind() == jsontree.Text {
		r.statements = append(r.statements, statement{x, text})
	}
	if r.set.Large() {
		v, _ := r.Get("type")
		r.Misfit(v, "type", fmt.Sprintf("another type, because matches of more than %d players allow no compound", smallMatchMax))
	}
	return x
}
