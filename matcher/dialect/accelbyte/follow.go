package accelbyte

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// follows reports whether the service is followed where its documentation differs.
func (c *compiler) follows() bool { return c.Follow == vendor.FollowService }

// scan sets up the Scan that admits candidates as the service does.
func (c *compiler) scan() {
	s := c.set
	s.scan = true
	scan := &matcher.Scan{Others: s.same}
	for _, name := range always {
		scan.Equal = append(scan.Equal, s.Schema.Column("ticket "+name))
	}
	s.equal = scan.Equal
	c.pivot.Scan, c.pivot.Same = scan, matcher.NoColumn
}

// from returns the wait in ms from which an entry is active. At the service, the wait must
// exceed its duration.
func (c *compiler) from(durationMS int64) int64 {
	if c.follows() {
		return durationMS + 1
	}
	return durationMS
}

// either returns the value of a key with two spellings: page, that of the documentation, which
// the service does not know, and service, that of the service.
func (c *compiler) either(o *object, page, service string) (v jsontree.Value, found string) {
	if !c.follows() {
		return o.either(page, service)
	}
	v, ok := o.get(service)
	if !ok {
		return v, ""
	}
	return v, service
}

// scanned compiles the i-th rule if its criteria is distance from the start or after flexing:
// at the service, an entry of flexing_rule also replaces the criteria of the first rule for
// its attribute. The first rule for an attribute is also compiled if a later rule for the
// attribute has the criteria distance, because balancing uses the scale of the first rule.
func (c *compiler) scanned(rules []matchingRule, i int, widest float64) {
	rule := rules[i]
	same := func(r matchingRule) bool { return r.attribute == rule.attribute }
	first := !slices.ContainsFunc(rules[:i], same)
	counts := rule.distance || first && slices.ContainsFunc(rules, func(r matchingRule) bool { return r.distance && same(r) })
	for _, f := range c.set.flexing {
		counts = counts || first && f.distance && same(f.matchingRule)
	}
	if v, key := c.either(rule.at, "", "normalizationMax"); rule.distance && rule.max > 0 && rule.max < rule.reference {
		rule.at.misfit(v, key, notBelowReference(rule))
	}
	if counts {
		c.add(rule, widest, first)
	}
}

// scanValues adds the attributes that the service compares only from the seed's side.
func (r *Ruleset) scanValues(values []matcher.Value, attributes jsontree.Value, others []string) {
	if len(others) > 0 {
		values[r.same] = matcher.SetValue(r.Schema.Set(others))
	}
	for i, name := range always {
		v, ok := attributes.Member(name)
		switch {
		case !ok || v.Kind() == jsontree.Null:
		case v.Kind() == jsontree.Text:
			values[r.equal[i]] = matcher.TextValue(r.Schema.Intern(v.Text()))
		default:
			values[r.equal[i]] = matcher.TextValue(r.Schema.Intern("\x00" + canonical(v)))
		}
	}
}

// comparesPlatform reports whether current_platform must be equal like any other attribute, as
// in the build of the service that does not rebalance.
func (r *Ruleset) comparesPlatform(name string) bool {
	return name == "current_platform" && r.scan && !r.Rules.Pivot.Balance
}
