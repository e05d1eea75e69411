package playfab

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// ruleKind is a type of rule that the vendor defines.
type ruleKind struct {
	name   string // value of Type
	member string // JSON member of a queue that contains only rules of this kind, as a list; if it has the same name as the kind, it is a single rule
	team   bool   // needs Teams and has no weight
	read   func(*ruleReader) matcher.Rule
}

// single reports whether a queue can have only one rule of this kind.
func (k *ruleKind) single() bool { return k.member == k.name }

func ruleKinds() []ruleKind {
	return []ruleKind{
		{"StringEqualityRule", "StringEqualityRules", false, (*ruleReader).stringEquality},
		{"DifferenceRule", "DifferenceRules", false, (*ruleReader).difference},
		{"SetIntersectionRule", "SetIntersectionRules", false, (*ruleReader).setIntersection},
		{"MatchTotalRule", "MatchTotalRules", false, (*ruleReader).matchTotal},
		{"RegionSelectionRule", "RegionSelectionRule", false, (*ruleReader).regionSelection},
		{"TeamDifferenceRule", "TeamDifferenceRules", true, (*ruleReader).teamDifference},
		{"TeamSizeBalanceRule", "TeamSizeBalanceRule", true, (*ruleReader).teamSizeBalance},
		{"TeamTicketSizeSimilarityRule", "TeamTicketSizeSimilarityRule", true, (*ruleReader).teamTicketSizeSimilarity},
	}
}

// rules reads the rules of both layouts in file order. The order matters: the engine adds up
// distances in this order, and explanations name the first rule that fails.
func (c *compiler) rules(queue *jsontree.Object) {
	c.seen = nil
	kinds := ruleKinds()
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	for _, m := range queue.Value.Members() {
		if m.Name == "Rules" {
			for _, o := range queue.Entries("Rules", math.MaxInt) {
				if i := slices.Index(names, o.OneOf("Type", names...)); i >= 0 {
					c.rule(&kinds[i], o)
				}
			}
		}
		for i := range kinds {
			kind := &kinds[i]
			switch {
			case m.Name != kind.member:
			case !kind.single():
				for _, o := range queue.Entries(m.Name, math.MaxInt) {
					c.rule(kind, o)
				}
			default:
				if o, ok := queue.Object(m.Name); ok {
					c.rule(kind, o)
				}
			}
		}
	}
	if n := len(c.seen); n > rulesMax {
		c.problems.Errorf(queue.Value, "got %d rules of all types, expected at most %d", n, rulesMax)
	}
}

// ruleReader reads one rule.
type ruleReader struct {
	*compiler
	*jsontree.Object
	kind *ruleKind
}

// rule adds a rule to the current queue. If there are already too many rules, it only counts the
// rule, because comparing each rule with all earlier ones would be slow. The method rules reports
// the error.
func (c *compiler) rule(kind *ruleKind, o *jsontree.Object) {
	if len(c.seen) >= rulesMax {
		c.seen = append(c.seen, ruleInFile{})
		return
	}
	if name, ok := o.Value.Member("Name"); ok && name.Kind() == jsontree.Text {
		o.Relabel(fmt.Sprintf("%s %s", kind.name, name))
	}
	name := c.name(o, ruleNameMax)
	var earlier []string
	for _, r := range c.seen {
		earlier = append(earlier, r.name)
	}
	c.unique(o, name, earlier)
	if kind.single() && c.hasRule(kind.name) {
		c.problems.Errorf(o.Value, "the queue has a second %s, expected at most one", kind.name)
	}
	c.seen = append(c.seen, ruleInFile{kind.name, name})
	if kind.team && len(c.current.Ruleset.Teams) == 0 {
		c.problems.Errorf(o.Value, "a %s requires Teams, but the queue has no teams", kind.name)
	}
	if t, ok := o.Get("Type"); ok && t.Text() != kind.name {
		o.Misfit(t, "Type", kind.name)
	}
	r := &ruleReader{c, o, kind}
	rule := kind.read(r)
	o.Done()
	c.current.Ruleset.Rules = append(c.current.Ruleset.Rules, rule)
	c.current.rules = append(c.current.rules, o.Value)
}

// common reads the JSON members that rules of all kinds have.
func (r *ruleReader) common() matcher.Common {
	common := matcher.Common{Name: r.TextOr("Name", ""), Weight: 1, OptionalAfterMS: matcher.Never}
	if _, ok := r.Get("SecondsUntilOptional"); ok {
		common.OptionalAfterMS = int64(r.Whole("SecondsUntilOptional")) * 1000
	}
	if r.kind.team {
		r.Ineffective("Weight", "a "+r.kind.name+" has no weight")
	} else {
		common.Weight = r.NumberOr("Weight", 1, jsontree.Limits{Above: true, Most: weightMax})
	}
	return common
}

func (r *ruleReader) stringEquality() matcher.Rule {
	rule := &matcher.EqualText{Common: r.common(), Enabled: r.enabled()}
	var d jsontree.Value
	rule.Column, rule.MissingAny, d = r.reads(matcher.IsText)
	if d.Kind() == jsontree.Text {
		rule.Default = r.current.Schema.Intern(d.Text())
	} else if d.Kind() != jsontree.Null {
		r.Misfit(d, "DefaultAttributeValue", "a text")
	}
	return rule
}

func (r *ruleReader) difference() matcher.Rule {
	rule := &matcher.NumberDistance{Common: r.common()}
	var d jsontree.Value
	rule.Column, rule.MissingAny, d = r.reads(matcher.IsNumber)
	if d.Kind() != jsontree.Null {
		rule.Default = r.Float("DefaultAttributeValue")
	}
	// Also accept MaxDifference, the name of this member in the article about rule weights.
	name := "Difference"
	if v, ok := r.Get("MaxDifference"); ok {
		r.Warnf(v, "MaxDifference", "read as Difference")
		if name = "MaxDifference"; r.Has("Difference") {
			r.Misfit(v, "MaxDifference", "only one of Difference and MaxDifference")
		}
	}
	rule.Max = r.schedule(r.Float(name), expansion{overrides: "DifferenceOverrides", limit: limitOptional})
	switch r.OneOfOr("MergeFunction", "Average", "Min", "Max", "Average") {
	case "Min":
		rule.Merge = matcher.Lowest
	case "Max":
		rule.Merge = matcher.Highest
	}
	return rule
}

func (r *ruleReader) setIntersection() matcher.Rule {
	rule := &matcher.SetOverlap{Common: r.common()}
	var d jsontree.Value
	rule.Column, rule.MissingAny, d = r.reads(matcher.IsSet)
	if d.Kind() != jsontree.Null {
		rule.Default = r.defaultSet(d)
	}
	// A linear expansion lowers the minimum, but not below 0. According to the schema, Delta is
	// "added", which would make the rule stricter and contradicts all other pages.
	rule.MinShared = r.schedule(float64(r.Whole("MinIntersectionSize")),
		expansion{overrides: "MinIntersectionSizeOverrides", whole: true, limit: limitFloor})
	return rule
}

// defaultSet reads a default that is a list of different texts.
func (r *ruleReader) defaultSet(d jsontree.Value) []matcher.Text {
	texts, odd, ok := d.Texts()
	if !ok {
		r.Misfit(odd, "DefaultAttributeValue", "a list of texts")
	} else if len(slices.Compact(slices.Sorted(slices.Values(texts)))) < len(texts) {
		r.Misfit(d, "DefaultAttributeValue", "a list of texts without duplicates")
	}
	return r.current.Schema.Set(texts)
}

func (r *ruleReader) matchTotal() matcher.Rule {
	rule := &matcher.MatchTotal{Common: r.common()}
	rule.Column = r.attribute(matcher.IsNumber).Column
	least, most := r.Float("Min"), r.Float("Max")
	rule.Min, rule.Max = r.bounds(least, most)
	if v, ok := r.Get("Max"); ok && most < least && rule.Min.List == nil && rule.Max.List == nil {
		r.Misfit(v, "Max", fmt.Sprintf("at least Min, which is %v", least))
	}
	return rule
}

func (r *ruleReader) regionSelection() matcher.Rule {
	rule := &matcher.ReachRegion{Common: r.common()}
	if v, ok := r.Get("Path"); !ok {
		r.Missing("Path", "the path of the latencies that players report")
	} else if path, err := parsePath(r.Text("Path")); err != nil {
		r.Misfit(v, "Path", err.Error())
	} else {
		r.current.latencies = &Attribute{Path: v.Text(), Source: User, path: path, rule: rule.Name}
	}
	rule.MaxRTTMS = r.schedule(float64(r.Whole("MaxLatency")),
		expansion{overrides: "MaxLatencyOverrides", whole: true, limit: limitRequired})
	return rule
}

func (r *ruleReader) teamDifference() matcher.Rule {
	rule := &matcher.TeamGap{Common: r.common(), Default: r.Float("DefaultAttributeValue")}
	rule.Column = r.attribute(matcher.IsNumber).Column
	rule.Max = r.schedule(r.Float("Difference"), expansion{overrides: "DifferenceOverrides", limit: limitOptional})
	return rule
}

func (r *ruleReader) teamSizeBalance() matcher.Rule {
	rule := &matcher.TeamBalance{Common: r.common()}
	rule.Max = r.schedule(float64(r.Whole("Difference")),
		expansion{overrides: "DifferenceOverrides", whole: true, limit: limitOptional})
	return rule
}

func (r *ruleReader) teamTicketSizeSimilarity() matcher.Rule {
	for _, name := range []string{"Expansion", "LinearExpansion", "CustomExpansion"} {
		r.Forbid(name, "a "+r.kind.name+" cannot expand")
	}
	return &matcher.LargeParties{Common: r.common()}
}
