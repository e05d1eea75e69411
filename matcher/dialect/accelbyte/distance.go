package accelbyte

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

const (
	nameMax   = 64
	weightMax = 1000
)

// criteria are the values that the service accepts for the key criteria. Only distance has an
// effect.
var criteria = []string{"distance", "average", "smaller", "greater"}

// matchingRule is one entry of matching_rule or flexing_rule.
type matchingRule struct {
	at        *jsontree.Object
	attribute string
	distance  bool
	reference float64
	max       float64
	weight    float64
	balancing *bool
}

// flexing is an entry of flexing_rule.
type flexing struct {
	matchingRule
	afterMS int64
}

// distances reads matching_rule and flexing_rule.
func (c *compiler) distances(o *jsontree.Object) {
	var rules []matchingRule
	for _, rule := range o.Entries("matching_rule", entriesMax) {
		rules = append(rules, c.matchingRule(rule, false))
		rule.Done()
	}
	for _, entry := range o.Entries("flexing_rule", entriesMax) {
		f := flexing{matchingRule: c.matchingRule(entry, true), afterMS: c.duration(entry)}
		entry.Done()
		c.set.flexing = append(c.set.flexing, f)
		c.flexed(&f, rules)
	}
	widest := 0.0
	for _, f := range c.set.flexing {
		if f.distance {
			widest = max(widest, f.reference)
		}
	}
	indices := make([]int, len(rules))
	for i, rule := range rules {
		if v, key := c.either(rule.at, "max", "normalizationMax"); rule.distance && rule.max > 0 && rule.max < rule.reference {
			rule.at.Misfit(v, key, fmt.Sprintf("at least reference, which is %g", rule.reference))
		}
		needed, flexes := rule.distance, true
		if c.followsService() {
			needed, flexes = c.serviceDistance(rules, i)
		}
		if indices[i] = len(c.pivot.Distances); needed {
			c.add(rule, widest, flexes)
		}
	}
	c.balancing(rules, indices)
}

// threshold returns the largest allowed difference of a rule. It is +Inf if the criteria of the
// rule is not distance.
func threshold(reference float64, distance bool) float64 {
	if !distance {
		return math.Inf(1)
	}
	return reference
}

// matchingRule reads the keys that matching_rule and flexing_rule entries share.
func (c *compiler) matchingRule(o *jsontree.Object, flexing bool) matchingRule {
	r := matchingRule{at: o, attribute: c.attribute(o), distance: c.criteria(o)}
	r.reference = o.NumberOr("reference", 0, upTo(numberMax))
	if _, key := c.either(o, "max", "normalizationMax"); key != "" {
		r.max = o.Number(key, upTo(numberMax))
	}
	r.weight = o.NumberOr("weight", 1, upTo(weightMax))
	if _, key := c.either(o, "is_for_balancing", "isForBalancing"); key != "" {
		balancing := o.BoolOr(key, false)
		if r.balancing = &balancing; flexing {
			o.Ineffective(key, "it has no effect in flexing_rule")
		}
	}
	return r
}

// attribute reads the code of a player statistic.
func (c *compiler) attribute(o *jsontree.Object) string {
	v, ok := o.Get("attribute")
	name := v.Text()
	switch {
	case !ok:
		o.Missing("attribute", "the code of a statistic")
	case name == "" || utf8.RuneCountInString(name) > nameMax || name != strings.ToLower(name):
		o.Misfit(v, "attribute", fmt.Sprintf("a code of 1 to %d characters in lower case", nameMax))
	}
	return name
}

// criteria reports whether the criteria of a rule is distance. The service accepts three other
// values but then ignores the rule. Because that is probably not intended, criteria warns of it.
func (c *compiler) criteria(o *jsontree.Object) bool {
	v, ok := o.Get("criteria")
	switch {
	case !ok:
		o.Missing("criteria", "distance")
	case !slices.Contains(criteria, v.Text()):
		o.Misfit(v, "criteria", "distance")
	case v.Text() != "distance":
		o.Warnf(v, "criteria", "the service ignores a rule with the criteria %v; only distance has an effect", v)
	}
	return v.Text() == "distance"
}

// flexed checks an entry of flexing_rule against the rules that it changes.
func (c *compiler) flexed(f *flexing, rules []matchingRule) {
	relaxes := false
	for _, rule := range rules {
		if rule.attribute != f.attribute || !rule.distance {
			continue
		}
		relaxes = true
		if v, key := c.either(rule.at, "max", "normalizationMax"); rule.max > 0 && f.reference > rule.max {
			rule.at.Misfit(v, key, fmt.Sprintf("at least every reference for %s in flexing_rule, one of which is %g", f.attribute, f.reference))
		}
	}
	if !relaxes {
		f.at.Warnf(f.at.Value, "attribute", "matching_rule has no distance rule for %s, so the entry has no effect", jsontree.Quote(f.attribute))
		return
	}
	for _, key := range []string{"weight", "max", "normalizationMax"} {
		if f.max != 0 || key == "weight" {
			f.at.Forbid(key, fmt.Sprintf("%s belongs in the rule for %s in matching_rule", key, f.attribute))
		}
	}
}

// add compiles a rule that has the criteria distance from the start or acquires it through
// flexing_rule. widest is the largest reference in flexing_rule. If a rule has no max, differences are
// divided by widest or by the rule's own reference, whichever is larger. flexes is set if the entries
// of flexing_rule apply to the rule.
func (c *compiler) add(rule matchingRule, widest float64, flexes bool) {
	d := matcher.PivotDistance{
		Name:   "matching_rule " + rule.attribute,
		Column: c.set.Schema.Column("player " + rule.attribute),
		Max:    matcher.Steps[float64]{{Value: threshold(rule.reference, rule.distance)}},
		Scale:  rule.max,
		Weight: rule.weight,
	}
	if d.Scale == 0 && rule.distance {
		d.Scale = max(rule.reference, widest)
	}
	for _, f := range c.set.flexing {
		if flexes && f.attribute == rule.attribute {
			d.Max = append(d.Max, matcher.Step[float64]{AfterMS: f.afterMS, Value: threshold(f.reference, f.distance)})
		}
	}
	slices.SortStableFunc(d.Max, func(a, b matcher.Step[float64]) int { return cmp.Compare(a.AfterMS, b.AfterMS) })
	c.pivot.Distances = append(c.pivot.Distances, d)
	c.set.numbers = append(c.set.numbers, number{rule.attribute, d.Column})
}

// balancing selects the rules that are used to balance teams: those with is_for_balancing true. If
// there are none, it selects the first rule, unless every rule explicitly sets is_for_balancing to
// false. indices gives the index in c.pivot.Distances for each rule.
func (c *compiler) balancing(rules []matchingRule, indices []int) {
	selected, allFalse, first := false, true, -1
	for i, rule := range rules {
		if !rule.distance {
			continue
		}
		if first < 0 {
			first = i
		}
		if allFalse = allFalse && rule.balancing != nil && !*rule.balancing; rule.balancing != nil {
			c.pivot.Distances[indices[i]].Balanced = *rule.balancing
			selected = selected || *rule.balancing
		}
	}
	if !selected && !allFalse && first >= 0 {
		c.pivot.Distances[indices[first]].Balanced = true
	}
}
