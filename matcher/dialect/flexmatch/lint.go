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
		if rule.Common().Named {
			continue // a compound may want it to fail
		}
		why := ""
		switch x := rule.(type) {
		case *collection:
			why = crossed("minCount", x.Min, "maxCount", x.Max)
		case *distance:
			why = crossed("minDistance", x.Min, "maxDistance", x.Max)
		case *latency:
			if len(x.Max) > 0 && widest(x.Max) == 0 {
				why = "maxLatency is 0 ms at its widest, which no player keeps"
			}
		case *comparison:
			why = r.lintPlayers(x)
		}
		if why != "" {
			list = append(list, jsontree.Warning{Place: rule.place(), Message: fmt.Sprintf("rule %q: %s", rule.Common().Name, why)})
		}
	}
	return list
}

// widest is the largest value that steps come to.
func widest(s matcher.Steps[float64]) float64 {
	most := s[0].Value
	for i := range s {
		most = max(most, s[i].Value)
	}
	return most
}

// crossed says from which wait on a minimum is above its maximum, "" if it never is.
func crossed(least string, a matcher.Steps[float64], most string, b matcher.Steps[float64]) string {
	for _, steps := range []matcher.Steps[float64]{a, b} {
		for _, s := range steps {
			low, bounded := a.At(s.AfterMS)
			high, both := b.At(s.AfterMS)
			if bounded && both && low > high {
				return fmt.Sprintf("after %d s %s is %v and %s %v: no ticket passes then, alone or with others", s.AfterMS/1000, least, low, most, high)
			}
		}
	}
	return ""
}

// lintPlayers says that a comparison wants a number of players that no layout of the teams
// has, at any wait; "" if one has it.
func (r *Ruleset) lintPlayers(c *comparison) string {
	for _, m := range c.Measured {
		low, high, ok := r.playersCounted(m)
		if !ok || len(c.Reference) == 0 {
			continue
		}
		possible := false
		for _, s := range c.Reference {
			n := s.Value.Number
			possible = possible || s.Value.Expression != nil || map[string]bool{
				"<": low < n, "<=": low <= n, "=": low <= n && n <= high, "!=": low < high || low != n, ">=": high >= n, ">": high > n,
			}[c.Operation]
		}
		if !possible {
			return fmt.Sprintf("its teams have %v to %v players, which is never %s %v", low, high, c.Operation, c.Reference[len(c.Reference)-1].Value.Number)
		}
	}
	return ""
}

// playersCounted returns how many players teams have that an expression counts, of all of
// them together; false for other expressions.
func (r *Ruleset) playersCounted(e *matcher.Expression) (low, high float64, ok bool) {
	path := e.Argument
	if e.Function != matcher.Count || path == nil {
		return 0, 0, false
	}
	if path.Function == matcher.Flatten {
		path = path.Argument
	} else if path.PerTeam {
		return 0, 0, false
	}
	if path.Function != matcher.NoFunction || path.Field != matcher.WholePlayer {
		return 0, 0, false
	}
	for _, i := range path.Teams {
		t := &r.Teams[i]
		least := t.Min[0].Value
		for _, s := range t.Min {
			least = min(least, s.Value)
		}
		low, high = low+least, high+widest(t.Max)
	}
	return low, high, true
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
