package flexmatch

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// priorityNames are the names of the matcher.Priority values, by index.
var priorityNames = []string{"normal", "low", "high"}

// These are the allowed values of batchingPreference for the strategies exhaustiveSearch and
// balanced. The first value of each list is the default.
var (
	exhaustiveBatching = []string{"random", "sorted"}
	balancedBatching   = []string{"largestPopulation", "fastestRegion"}
)

// algorithm reads the algorithm object.
func (c *compiler) algorithm(root *jsontree.Object) {
	s := &c.set.SeatRules
	s.Priority = matcher.Steps[matcher.Priority]{{}}
	o, ok := root.Object("algorithm")
	if !ok {
		if c.set.Large() && !root.Has("algorithm") {
			root.Missing("algorithm", fmt.Sprintf(`an object with "strategy": "balanced" for matches of more than %d players`, smallMatchMax))
		}
		return
	}
	balanced := o.OneOfOr("strategy", "exhaustiveSearch", "exhaustiveSearch", "balanced") == "balanced"
	if c.set.Large() != balanced {
		v, ok := o.Get("strategy")
		if !ok {
			v = o.Value
		}
		if c.set.Large() {
			c.problems.Errorf(v, "algorithm: strategy: expected balanced for matches of more than %d players", smallMatchMax)
		} else {
			o.Warnf(v, "strategy", "ignored, because balanced has no effect on matches of at most %d players", smallMatchMax)
		}
	}
	batching, balance := c.batching(o, balanced), matcher.NoColumn
	if v, ok := o.Get("balancedAttribute"); ok {
		balance = c.attributeNamed(o, "balancedAttribute", v, IsNumber).Column
		if !balanced {
			o.Ineffective("balancedAttribute", "it has no effect with the strategy exhaustiveSearch")
		}
	} else if balanced {
		o.Missing("balancedAttribute", "the name of a number attribute")
	}
	if c.set.Large() {
		s.Large = &matcher.LargeMatches{Balance: balance, FastestRegion: batching == balancedBatching[1]}
	}
	s.Oldest = o.OneOfOr("expansionAgeSelection", "newest", "newest", "oldest") == "oldest"
	priority := o.OneOfOr("backfillPriority", priorityNames[0], priorityNames...)
	s.Priority[0].Value = matcher.Priority(max(0, slices.Index(priorityNames, priority)))
	c.expands(backfillPriority, c.priority)
	if balanced {
		o.Ineffective("backfillPriority", "it has no effect with the strategy balanced")
	}
	o.Done()
}

// batching reads batchingPreference, whose allowed values depend on the strategy.
func (c *compiler) batching(o *jsontree.Object, balanced bool) string {
	allowed := exhaustiveBatching
	if balanced {
		allowed = balancedBatching
	}
	batching := o.OneOfOr("batchingPreference", allowed[0], allowed...)
	v, ok := o.Get("sortByAttributes")
	sorted := batching == "sorted"
	switch {
	case sorted && (!ok || len(v.Elements()) == 0):
		o.Missing("sortByAttributes", "a list of attributes, because batchingPreference is sorted")
	case !sorted:
		o.Ineffective("sortByAttributes", "it has no effect unless batchingPreference is sorted")
	}
	for _, e := range o.List("sortByAttributes") {
		attribute := c.attributeNamed(o, "sortByAttributes", e, IsNumber, IsText)
		if sorted {
			c.set.SortBy = append(c.set.SortBy, attribute.Column)
		}
	}
	return batching
}

// attributeNamed returns the attribute that the text v names. The attribute must have one of the
// given types.
func (c *compiler) attributeNamed(o *jsontree.Object, member string, v jsontree.Value, types ...AttributeType) *Attribute {
	at := c.set.attribute(v.Text())
	if at < 0 {
		o.Misfit(v, member, "the name of an attribute in playerAttributes")
		return &Attribute{}
	}
	c.set.read[at] = true
	a := &c.set.Attributes[at]
	if !slices.Contains(types, a.Type) {
		var names []string
		for _, t := range types {
			names = append(names, t.String())
		}
		o.Misfit(v, member, fmt.Sprintf("an attribute of type %s; %s has type %v", strings.Join(names, " or "), a.Name, a.Type))
	}
	return a
}
