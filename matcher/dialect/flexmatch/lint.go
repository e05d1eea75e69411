package flexmatch

import (
	"cmp"
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Lint returns warnings about parts of the rule set that are valid but cannot work as intended.
// giveUpMS is the longest time that a ticket waits, or matcher.Never if it is not known.
func (r *Ruleset) Lint(giveUpMS int64) []jsontree.Warning {
	var problems jsontree.Problems
	for i := range r.expansions {
		e := &r.expansions[i]
		for _, s := range e.steps {
			if giveUpMS != matcher.Never && s.afterMS >= giveUpMS {
				problems.Warnf(s.value, "expansion of %s: the step after %d s is never reached, because tickets give up after %d s", e.target, s.afterMS/1000, giveUpMS/1000)
			}
		}
	}
	for i := range r.Attributes {
		if !r.read[i] {
			problems.Warnf(r.Attributes[i].value, "attribute %q is declared but not used", r.Attributes[i].Name)
		}
	}
	for _, rule := range r.rules {
		if rule.Common().Named {
			continue // a compound rule may require that this rule fails
		}
		why := ""
		switch x := rule.SeatRule.(type) {
		case *matcher.Collection:
			why = crossed("minCount", x.Min, "maxCount", x.Max)
		case *matcher.Distance:
			why = crossed("minDistance", x.Min, "maxDistance", x.Max)
		}
		if why = cmp.Or(why, r.impossible(rule.SeatRule)); why != "" {
			problems.Warnf(rule.value, "rule %q: %s", rule.Common().Name, why)
		}
	}
	return problems.Warnings()
}

// crossed returns a message if a minimum exceeds its maximum after some wait, and "" otherwise.
func crossed(least string, a matcher.Steps[float64], most string, b matcher.Steps[float64]) string {
	for _, steps := range []matcher.Steps[float64]{a, b} {
		for _, s := range steps {
			low, bounded := a.At(s.AfterMS)
			high, both := b.At(s.AfterMS)
			if bounded && both && low > high {
				return fmt.Sprintf("after %d s, %s is %v and %s is %v, so no match can satisfy the rule", s.AfterMS/1000, least, low, most, high)
			}
		}
	}
	return ""
}
