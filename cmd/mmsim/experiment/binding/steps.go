package binding

import (
	"fmt"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/matcher"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// stepsWithin is the longest wait at which steps of rules are reported.
const stepsWithin = sim.Hour

// Steps returns what opens for a player of a queue while they wait: the states, and the stages of the
// rules in force. A list in which nothing changes is left out. An external matchmaker has steps of its
// own, so those of the queue's rules are not reported.
func Steps(c *config.Config, q *config.Queue, inForce *matcher.Ruleset) (steps []setup.Step) {
	if q.Placement == config.PlacementDatacenters {
		expand := config.SimSpan(c.States.IdealFor)
		steps = append(steps, setup.Step{Opens: "IDEAL", State: sim.StateIdeal}, setup.Step{After: expand, Opens: "EXPAND", State: sim.StateExpand},
			setup.Step{After: expand + config.SimSpan(c.States.ExpandFor), Opens: "WARMBODY", State: sim.StateWarmBody})
	}
	if inForce == nil || q.External.Matcher != "" {
		return steps
	}
	if rules := ruleSteps(inForce, min(config.SimSpan(c.LongestSearch(q)), stepsWithin)); len(rules) > 1 {
		steps = append(steps, rules...)
	}
	return steps
}

// ruleSteps returns the waits up to the longest one at which rules are relaxed for a ticket that counts
// its own wait. The first step is the start.
func ruleSteps(set *matcher.Ruleset, longest sim.Duration) []setup.Step {
	names := set.RuleNames()
	at := func(wait sim.Duration) []matcher.Relaxed { return set.Relaxation(nil, []int64{int64(wait)}) }
	now := at(0)
	steps := []setup.Step{{Opens: "as at the start"}}
	for from := sim.Duration(0); from < longest; {
		to := min(from+sim.Duration(sim.Second), longest)
		if len(changes(names, now, at(to))) == 0 {
			from = to
			continue
		}
		for to-from > 1 { // the first wait within the second at which anything changes
			if middle := (from + to) / 2; len(changes(names, now, at(middle))) > 0 {
				to = middle
			} else {
				from = middle
			}
		}
		next := at(to)
		steps = append(steps, setup.Step{After: to, Opens: strings.Join(changes(names, now, next), ", ")})
		from, now = to, next
	}
	return steps
}

// changes describes which rules differ between two waits.
func changes(names []string, before, after []matcher.Relaxed) (list []string) {
	for i, name := range names {
		switch a, b := before[i], after[i]; {
		case a == b:
		case b.Optional && !a.Optional:
			list = append(list, name+" optional")
		case b.Inactive && !a.Inactive:
			list = append(list, name+" off")
		case a.Inactive && !b.Inactive:
			list = append(list, name+" on")
		case a.Stage != b.Stage && !b.Optional && !b.Inactive:
			list = append(list, fmt.Sprintf("%s step %d", name, b.Stage))
		}
	}
	return list
}
