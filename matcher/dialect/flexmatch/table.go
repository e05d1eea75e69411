package flexmatch

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// ruleTypes lists the rule types in the order in which messages list them.
var ruleTypes = []struct {
	name string
	read func(c *compiler, o *jsontree.Object, common matcher.SeatCommon) rule
}{
	{"comparison", (*compiler).readComparison},
	{"distance", (*compiler).readDistance},
	{"batchDistance", (*compiler).readBatchDistance},
	{"collection", (*compiler).readCollection},
	{"latency", (*compiler).readLatency},
	{"absoluteSort", (*compiler).readAbsoluteSort},
	{"distanceSort", (*compiler).readDistanceSort},
	{"compound", (*compiler).readCompound},
}

// rules reads the rules. It parses compound rules last, because they refer to other rules.
func (c *compiler) rules(root *jsontree.Object) {
	seen := map[string]bool{}
	for _, o := range c.entries(root, "rules") {
		c.entry(o, seen)
	}
	for _, r := range c.set.rules {
		if r, ok := r.(*compound); ok {
			c.statement(r)
		}
	}
}

// entry reads one rule.
func (c *compiler) entry(o *jsontree.Object, seen map[string]bool) {
	common := matcher.SeatCommon{Name: c.name(o, seen)}
	if inner, ok := c.problems.Object(o.Value, `rule "`+common.Name+`"`); ok && common.Name != "" {
		inner.Get("name")
		o = inner
	}
	o.TextOr("description", "")
	var names []string
	for _, t := range ruleTypes {
		names = append(names, t.name)
	}
	if at := slices.Index(names, oneOf(o, "type", "", names...)); at >= 0 {
		c.set.rules = append(c.set.rules, ruleTypes[at].read(c, o, common))
		c.unknown(o)
	}
}
