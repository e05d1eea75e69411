package flexmatch

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Lint lists what loads and yet cannot do what it was written for. giveUpMS is the longest
// wait of a ticket, matcher.Never when it is not known.
func (r *Ruleset) Lint(giveUpMS int64) []jsontree.Warning {
	var list []jsontree.Warning
	for i := range r.expansions {
		e := &r.expansions[i]
		for _, s := range e.steps {
			if giveUpMS != matcher.Never && s.afterMS >= giveUpMS {
				list = append(list, jsontree.Warning{Place: s.value.Place(), Message: fmt.Sprintf(
					"expansion of %s: the step after %d s is never reached, tickets give up after %d s", e.target, s.afterMS/1000, giveUpMS/1000)})
			}
		}
	}
	for i := range r.Attributes {
		if !r.read[i] {
			list = append(list, jsontree.Warning{Place: r.Attributes[i].place, Message: fmt.Sprintf("attribute %q is declared, but nothing looks at it", r.Attributes[i].Name)})
		}
	}
	for _, rule := range r.rules {
		if c, ok := rule.(*collection); ok {
			list = append(list, r.lintCount(c)...)
		}
	}
	return list
}

// lintCount warns of a rule that wants more lists than the largest match has players.
func (r *Ruleset) lintCount(c *collection) []jsontree.Warning {
	if c.Operation != "contains" || len(c.Min) == 0 {
		return nil
	}
	least, most := c.Min[0].Value, 0.0
	for _, s := range c.Min {
		least = min(least, s.Value)
	}
	for _, t := range r.Teams {
		largest := 0.0
		for _, s := range t.Max {
			largest = max(largest, s.Value)
		}
		most += largest
	}
	if least <= most {
		return nil
	}
	return []jsontree.Warning{{Place: c.place(), Message: fmt.Sprintf("rule %q: no match has minCount players, %v: there are at most %v", c.Name, least, most)}}
}
