package accelbyte

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// followsService reports whether the rules follow the service where the documentation differs.
func (c *compiler) followsService() bool { return c.Follow == vendor.FollowService }

// service sets up an InTurn, so that the engine admits candidates as the service does.
func (c *compiler) service() {
	s := c.set
	s.service = true
	inTurn := &matcher.InTurn{Others: s.same}
	for _, name := range alwaysEqual {
		inTurn.Equal = append(inTurn.Equal, s.Schema.Column("ticket "+name))
	}
	c.pivot.InTurn, c.pivot.Same = inTurn, matcher.NoColumn
}

// either returns the value of a key and the spelling found, or "" if the key is absent. The parameter
// page is the spelling in the documentation, and service is the spelling in the service. If rules
// follow the service, only its spelling counts. Otherwise, having both is an error.
func (c *compiler) either(o *jsontree.Object, page, service string) (v jsontree.Value, found string) {
	v, ok := o.Get(service)
	if ok {
		found = service
	}
	if c.followsService() {
		return v, found
	}
	if w, also := o.Get(page); also {
		if ok {
			o.Misfit(v, service, "only one of "+page+" and "+service)
		}
		return w, page
	}
	return v, found
}

// serviceDistance reports whether the i-th rule has an effect under an InTurn, and whether the entries of
// flexing_rule apply to it. In the service, such an entry also replaces the criteria of the first rule
// for its attribute. So a rule has an effect if its criteria is distance from the start or after
// flexing. The first rule for an attribute is also needed if a later rule for it has the criteria
// distance, because balancing uses the scale of the first rule.
func (c *compiler) serviceDistance(rules []matchingRule, i int) (needed, first bool) {
	same := func(r matchingRule) bool { return r.attribute == rules[i].attribute }
	distance := func(r matchingRule) bool { return r.distance && same(r) }
	if first = !slices.ContainsFunc(rules[:i], same); !first {
		return rules[i].distance, false
	}
	return slices.ContainsFunc(rules, distance) || slices.ContainsFunc(c.set.flexing, func(f flexing) bool { return distance(f.matchingRule) }), true
}

// serviceValues stores attributes in the way that an InTurn compares them: the service looks only
// at the attributes of the older ticket.
func (r *Ruleset) serviceValues(values []matcher.Value, attributes jsontree.Value, others []string) {
	if len(others) > 0 {
		values[r.same] = matcher.SetValue(r.Schema.Set(others))
	}
	for i, name := range alwaysEqual {
		v, ok := attributes.Member(name)
		switch {
		case !ok || v.Kind() == jsontree.Null:
		case v.Kind() == jsontree.Text:
			values[r.Rules.Pivot.InTurn.Equal[i]] = matcher.TextValue(r.Schema.Intern(v.Text()))
		default:
			values[r.Rules.Pivot.InTurn.Equal[i]] = matcher.TextValue(r.Schema.Intern("\x00" + canonical(v)))
		}
	}
}

// comparesPlatform reports whether name is current_platform and must be equal like an ordinary
// attribute. The service does this only if it does not balance teams.
func (r *Ruleset) comparesPlatform(name string) bool {
	return name == "current_platform" && r.service && !r.Rules.Pivot.Balance
}
