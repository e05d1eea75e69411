package flexmatch

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// waitMax is the longest wait in s for a step, which is the longest request timeout of the
// service.
const waitMax = 43_200

// expand reads the expansions and adds their steps to their targets.
func (c *compiler) expand(root *jsontree.Object) {
	seen := map[string]bool{}
	for _, o := range c.entries(root, "expansions") {
		target := o.Text("target")
		v, _ := o.Get("target")
		if inner, ok := c.problems.Object(o.Value, "expansions: "+target); ok && target != "" {
			inner.Get("target")
			o = inner
		}
		e := expansion{target: target, value: v, steps: c.steps(o)}
		if target != "" {
			c.replace(o, v, &e, seen)
		}
		c.unknown(o)
		c.set.expansions = append(c.set.expansions, e)
	}
}

// steps reads the steps of an expansion.
func (c *compiler) steps(o *jsontree.Object) []step {
	if v, ok := o.Get("steps"); !ok || v.Kind() == jsontree.List && len(v.Elements()) == 0 {
		o.Missing("steps", "a list of at least one step")
	}
	var list []step
	for i, v := range o.List("steps") {
		s, ok := c.problems.Object(v, fmt.Sprintf("%s[%d]", o.Label("steps"), i))
		if !ok {
			continue
		}
		wait := c.required(s, "waitTimeSeconds", limits{0, waitMax, true})
		value, given := s.Get("value")
		if !given {
			s.Missing("value", "the new value of the target")
		}
		c.unknown(s)
		if wait == nil || !given {
			continue
		}
		next := step{int64(wait[0].Value) * 1000, value}
		if n := len(list); n > 0 && next.afterMS <= list[n-1].afterMS {
			w, _ := s.Get("waitTimeSeconds")
			s.Misfit(w, "waitTimeSeconds", "more than in the previous step")
		}
		list = append(list, next)
	}
	return list
}

// replace adds the steps of an expansion to the properties that it changes.
func (c *compiler) replace(o *jsontree.Object, v jsontree.Value, e *expansion, seen map[string]bool) {
	properties, why := c.target(e.target)
	for _, name := range properties {
		if why == "" && seen[name.label] {
			why = "another target, because " + name.label + " already has an expansion"
		}
		seen[name.label] = true
	}
	if why != "" {
		c.problems.Errorf(v, "expansions: target: got %v, expected %s", v, why)
		return
	}
	for _, s := range e.steps {
		for _, p := range properties {
			p.read(c, s.value, o.Label("steps: value"), s.afterMS)
		}
	}
	if strings.HasSuffix(e.target, "Players") {
		c.resized(o, v, e)
	}
}

// named is a property and its name.
type named struct {
	*property
	label string
}

// target returns the properties that text names. If text is invalid, why describes what was
// expected.
func (c *compiler) target(text string) (list []named, why string) {
	const shapes = "rules[NAME].PROPERTY, teams[NAME].minPlayers or maxPlayers, algorithm.backfillPriority"
	if text == "algorithm.backfillPriority" {
		return []named{{c.priority(), text}}, ""
	}
	kind, rest, ok := strings.Cut(text, "[")
	names, member, closed := strings.Cut(rest, "].")
	properties := map[string]func(name, member string) ([]named, string){
		"rules": c.ruleProperty, "teams": c.teamProperties, "team": c.teamProperties, // expressions may also use team
	}[strings.ToLower(strings.TrimSpace(kind))]
	if !ok || !closed || properties == nil {
		return nil, shapes
	}
	for name := range strings.SplitSeq(names, ",") {
		found, why := properties(strings.TrimSpace(name), member)
		if why != "" {
			return nil, why
		}
		list = append(list, found...)
	}
	return list, ""
}

func (c *compiler) ruleProperty(name, member string) ([]named, string) {
	rule := c.set.rule(name)
	if rule == nil {
		return nil, fmt.Sprintf("the name of a rule in the brackets; there is no rule %q", name)
	}
	if _, compound := rule.(*compound); compound {
		return nil, fmt.Sprintf("a rule that is not a compound; expand the rules that %s names instead", name)
	}
	p := rule.property(member)
	if p == nil {
		return nil, fmt.Sprintf("a property of rule %s that can be expanded; %q is not one", name, member)
	}
	return []named{{p, "rules[" + name + "]." + member}}, ""
}

func (c *compiler) teamProperties(name, member string) (list []named, why string) {
	teams := c.set.teamsNamed(name)
	if name == "*" {
		for i := range c.set.Teams {
			teams = append(teams, i)
		}
	}
	if teams == nil {
		return nil, fmt.Sprintf("the name of a team in the brackets; there is no team %q", name)
	}
	for _, i := range teams {
		t := &c.set.Teams[i]
		p := replacing(&t.Min, counts)
		switch member {
		case "minPlayers":
		case "maxPlayers":
			p = replacing(&t.Max, limits{1, matchMax, true})
		default:
			return nil, "minPlayers or maxPlayers of a team"
		}
		list = append(list, named{p, "teams[" + t.Name + "]." + member})
	}
	return list, ""
}

// priority returns the property of the backfill priority.
func (c *compiler) priority() *property {
	return &property{func(c *compiler, v jsontree.Value, label string, afterMS int64) {
		at := slices.Index(priorityNames, v.Text())
		if at < 0 || v.Kind() != jsontree.Text {
			c.problems.Errorf(v, "%s: got %v, expected one of %s", label, v, strings.Join(priorityNames, ", "))
			return
		}
		s := &c.set.Algorithm.BackfillPriority
		*s = append(*s, matcher.Step[matcher.Priority]{AfterMS: afterMS, Value: matcher.Priority(at)})
	}}
}

// resized checks that team sizes are valid after each step of an expansion.
func (c *compiler) resized(o *jsontree.Object, v jsontree.Value, e *expansion) {
	for _, s := range e.steps {
		total := 0.0
		for i := range c.set.Teams {
			t := &c.set.Teams[i]
			most, _ := t.Max.At(s.afterMS)
			total += most
			if least, _ := t.Min.At(s.afterMS); least > most {
				c.problems.Errorf(s.value, "%s: team %s has minPlayers %v and maxPlayers %v, expected minPlayers of at most maxPlayers", o.Label("steps: value"), t.Name, least, most)
				return
			}
		}
		if total > matchMax {
			c.problems.Errorf(s.value, "%s: maxPlayers of all teams adds up to %v, expected at most %d", o.Label("steps: value"), total, matchMax)
			return
		}
	}
}
