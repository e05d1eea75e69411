package flexmatch

import (
	"fmt"
	"math"
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
	for _, o := range root.Entries("expansions", entriesMax) {
		target := o.Text("target")
		v, _ := o.Get("target")
		if target != "" {
			o.Relabel("expansions: " + target)
		}
		e := expansion{target: target, value: v, steps: c.steps(o)}
		if target != "" {
			c.replace(o, v, &e, seen)
		}
		o.Done()
		c.set.expansions = append(c.set.expansions, e)
	}
}

// steps reads the steps of an expansion.
func (c *compiler) steps(o *jsontree.Object) []step {
	if v, ok := o.Get("steps"); !ok || v.Kind() == jsontree.List && len(v.Elements()) == 0 {
		o.Missing("steps", "a list of at least one step")
	}
	var list []step
	for _, s := range o.Entries("steps", math.MaxInt) {
		wait := s.Number("waitTimeSeconds", jsontree.Limits{Least: 0, Most: waitMax, Whole: true})
		value, given := s.Get("value")
		if !given {
			s.Missing("value", "the new value of the target")
		}
		s.Done()
		if !given || !s.Has("waitTimeSeconds") {
			continue
		}
		next := step{int64(wait) * 1000, value}
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
	targets, why := c.targets(e.target)
	for _, target := range targets {
		if why == "" && seen[target] {
			why = "another target, because " + target + " already has an expansion"
		}
		seen[target] = true
	}
	if why != "" {
		c.problems.Errorf(v, "expansions: target: got %v, expected %s", v, why)
		return
	}
	for _, s := range e.steps {
		for _, target := range targets {
			c.properties[target](s.value, o.Label("steps: value"), s.afterMS)
		}
	}
	if strings.HasSuffix(e.target, "Players") {
		c.resized(o, v, e)
	}
}

// targets returns the properties that text names. Each of them is in c.properties. If text is invalid,
// why describes what was expected.
func (c *compiler) targets(text string) (list []string, why string) {
	const shapes = "rules[NAME].PROPERTY, teams[NAME].minPlayers or maxPlayers, algorithm.backfillPriority"
	if text == backfillPriority {
		return []string{text}, ""
	}
	kind, rest, ok := strings.Cut(text, "[")
	names, member, closed := strings.Cut(rest, "].")
	properties := map[string]func(name, member string) ([]string, string){
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

func (c *compiler) ruleProperty(name, member string) ([]string, string) {
	at := c.set.rule(name)
	if at < 0 {
		return nil, fmt.Sprintf("the name of a rule in the brackets; there is no rule %q", name)
	}
	if _, compound := c.set.rules[at].SeatRule.(*matcher.Compound); compound {
		return nil, fmt.Sprintf("a rule that is not a compound; expand the rules that %s names instead", name)
	}
	target := "rules[" + name + "]." + member
	if c.properties[target] == nil {
		return nil, fmt.Sprintf("a property of rule %s that can be expanded; %q is not one", name, member)
	}
	return []string{target}, ""
}

func (c *compiler) teamProperties(name, member string) (list []string, why string) {
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
		target := "teams[" + c.set.Teams[i].Name + "]." + member
		if c.properties[target] == nil {
			return nil, "minPlayers or maxPlayers of a team"
		}
		list = append(list, target)
	}
	return list, ""
}

// backfillPriority is the target of an expansion of the backfill priority.
const backfillPriority = "algorithm.backfillPriority"

// priority reads a backfill priority that an expansion sets.
func (c *compiler) priority(v jsontree.Value, label string, afterMS int64) {
	at := slices.Index(priorityNames, v.Text())
	if at < 0 {
		c.problems.Errorf(v, "%s: got %v, expected one of %s", label, v, strings.Join(priorityNames, ", "))
		return
	}
	s := &c.set.Priority
	*s = append(*s, matcher.Step[matcher.Priority]{AfterMS: afterMS, Value: matcher.Priority(at)})
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
