package collect

import (
	"cmp"
	"slices"
	"strconv"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// stagesMax is the number of stages of a rule's expansion that are counted separately. All later
// stages count under the last one. If a rule has a stage every second, 120 stages cover two
// minutes.
const stagesMax = 120

// rulesTally counts the matches and the expired tickets of one queue under its ruleset. It
// allocates when a team layout occurs for the first time, but not for every match. Counting three
// rules and a list of texts takes half as much time as counting a numeric attribute.
type rulesTally struct {
	*setup.Ruleset
	size  int // players in a full match
	rules []ruleTally
	hours [24][outcome.RelaxClasses]int // matches by the hour in which they start and the class of their most relaxed rule

	players  int   // players in all matches when they start
	sizes    []int // matches by number of players
	layouts  layoutTally
	backfill outcome.Backfill
	waits    ticketWaits
	expiry   expiryTally
}

// ruleTally counts matches by how far they relaxed one rule.
type ruleTally struct {
	relaxed            int // matches in which the rule differed from the rule for players who have not waited
	stages             [stagesMax]int
	inactive, optional int
}

// newRulesTally returns a tally for a queue, or nil if the queue has no rules.
func newRulesTally(q *setup.Queue) *rulesTally {
	if q.Rules == nil {
		return nil
	}
	rules := len(q.Rules.Rules)
	return &rulesTally{
		Ruleset: q.Rules,
		size:    q.MatchSize,
		rules:   make([]ruleTally, rules),
		sizes:   make([]int, q.MatchSize+1),
		layouts: layoutTally{matches: map[layout]int{}},
		waits:   ticketWaits{service: q.Rules.Service},
		expiry:  expiryTally{byRule: make([]int, rules), pairs: make([]int, rules)},
	}
}

// matched counts a match, or the players who join a running match.
func (t *rulesTally) matched(m *sim.Match) {
	if m.Backfill {
		t.backfill.Players += outcome.Count(len(m.Players))
		for i := range m.Players {
			if newTicket(m, i) {
				t.backfill.Tickets++
			}
		}
		return
	}
	t.hours[hourOf(m.At)][t.relax(m.Relaxed)]++
	t.players += len(m.Players)
	t.sizes[len(m.Players)]++
	t.layouts.matched(m)
	t.waits.matched(m)
}

// relax counts how far a match relaxed each rule, and returns the class of the most relaxed rule.
func (t *rulesTally) relax(relaxed []sim.Relaxed) (furthest outcome.RelaxClass) {
	for i, r := range relaxed {
		rule := &t.rules[i]
		switch {
		case r.Optional:
			rule.optional++
		case r.Inactive:
			rule.inactive++
		default:
			rule.stages[min(r.Stage, stagesMax-1)]++
		}
		if r != t.Rules[i].AtStart {
			rule.relaxed++
			furthest = max(furthest, classOf(r))
		}
	}
	return furthest
}

// relaxation returns the numbers of matches by how far they relaxed the rule, and their shares of
// all matches.
func (t *ruleTally) relaxation(rule string, matches int) outcome.Relaxation {
	counts := append(t.stages[:], t.inactive, t.optional)
	return outcome.Relaxation{Name: rule, ShareRelaxed: outcome.ShareOf(t.relaxed, matches), Stages: countedParts(counts, matches, func(i int) string {
		switch i {
		case stagesMax - 1:
			return strconv.Itoa(i) + "+"
		case stagesMax:
			return outcome.StageInactive
		case stagesMax + 1:
			return outcome.StageOptional
		}
		return strconv.Itoa(i)
	})}
}

// layout is the team sizes of a match in descending order, followed by zeros.
type layout [32]uint16

// layoutsMax limits the number of layouts that are counted separately. All further layouts are
// counted under the zero layout.
const layoutsMax = 200

// layoutTally counts matches by their team layouts.
type layoutTally struct {
	matches map[layout]int
	teams   []uint16 // players by team in the current match; reused
}

func (t *layoutTally) matched(m *sim.Match) {
	clear(t.teams)
	for i := range m.Players {
		team := int(m.Players[i].Team)
		if team < 0 {
			return // the match has no teams
		}
		for team >= len(t.teams) {
			t.teams = append(t.teams, 0)
		}
		t.teams[team]++
	}
	slices.SortFunc(t.teams, func(a, b uint16) int { return cmp.Compare(b, a) })
	var key layout
	if n := copy(key[:], t.teams); n < len(t.teams) && t.teams[n] > 0 {
		key = layout{}
	}
	if _, known := t.matches[key]; !known && len(t.matches) >= layoutsMax {
		key = layout{}
	}
	t.matches[key]++
}

// String formats a layout as players write it, such as 5v4. With more than four teams it groups
// equal sizes: 12x5 is twelve teams of five. The zero layout is "others".
func (l *layout) String() string {
	n := 0
	for n < len(l) && l[n] > 0 {
		n++
	}
	text := ""
	for i := 0; i < n; {
		same := 1
		for i+same < n && l[i+same] == l[i] {
			same++
		}
		size := strconv.Itoa(int(l[i]))
		switch {
		case n <= 4:
			same = 1
			text += "v" + size
		case same == 1:
			text += "+" + size
		default:
			text += "+" + strconv.Itoa(same) + "x" + size
		}
		i += same
	}
	if text == "" {
		return "others"
	}
	return text[1:]
}

// parts returns the numbers of matches by layout, the most frequent layout first.
func (t *layoutTally) parts() outcome.Parts {
	parts, all := outcome.Parts{}, 0
	for _, n := range t.matches {
		all += n
	}
	for l, n := range t.matches { // sorted below
		parts = append(parts, partOf(l.String(), n, all))
	}
	slices.SortFunc(parts, func(a, b outcome.Part) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return parts
}

// classOf returns the class of a relaxed rule.
func classOf(r sim.Relaxed) outcome.RelaxClass {
	if r.Optional || r.Inactive {
		return outcome.NotEnforced
	}
	return max(outcome.ByOneStep, outcome.RelaxClassOf(r.Stage))
}
