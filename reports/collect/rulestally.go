package collect

import (
	"cmp"
	"slices"
	"strconv"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// stagesMost is the number of stages of a rule's expansion that are counted separately. The last
// one includes all later stages; if there is a stage every second, those are the stages after two
// minutes.
const stagesMost = 120

// rulesTally counts the matches and expired tickets of the ruleset of one queue. It allocates when
// a layout of teams occurs for the first time, but not for every match. Three rules and a list of
// texts take half as much time as a numeric attribute.
type rulesTally struct {
	*setup.Ruleset
	size  int // players in a full match
	asks  bool
	rules []ruleTally
	hours [24][outcome.RelaxClasses]int // matches by the hour in which they start, and by the class of their most relaxed rule

	players  int   // players in matches at their start
	sizes    []int // matches by number of players
	layouts  layoutTally
	backfill struct{ tickets, players int }
	waits    ticketWaits
	expiry   expiryTally
}

// ruleTally counts matches by how far a rule was relaxed.
type ruleTally struct {
	relaxed            int // matches in which the rule had been relaxed since the start of the wait
	stages             [stagesMost]int
	inactive, optional int
}

// newRulesTally returns the tally of a queue, nil if it has no rules.
func newRulesTally(q *setup.Queue) *rulesTally {
	if q.Rules == nil {
		return nil
	}
	return &rulesTally{
		Ruleset: q.Rules,
		size:    q.MatchSize,
		asks:    q.Asks,
		rules:   make([]ruleTally, len(q.Rules.Rules)),
		sizes:   make([]int, q.MatchSize+1),
		layouts: layoutTally{matches: map[layout]int{}},
		waits:   newTicketWaits(q.Rules.Service),
		expiry:  newExpiryTally(len(q.Rules.Rules)),
	}
}

// matched counts a match, or the players that join a running one.
func (t *rulesTally) matched(m *sim.Match) {
	if m.Backfill {
		t.backfill.players += len(m.Players)
		for i := range m.Players {
			if newTicket(m, i) {
				t.backfill.tickets++
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

// relax counts how far every rule was relaxed, and returns the class of the rule that was relaxed
// most.
func (t *rulesTally) relax(relaxed []sim.Relaxed) (furthest outcome.RelaxClass) {
	for i, r := range relaxed {
		rule := &t.rules[i]
		switch {
		case r.Optional:
			rule.optional++
		case r.Inactive:
			rule.inactive++
		default:
			rule.stages[min(r.Stage, stagesMost-1)]++
		}
		if r != t.Rules[i].AtStart {
			rule.relaxed++
			furthest = max(furthest, classOf(r))
		}
	}
	return furthest
}

// relaxation returns the numbers of matches by how far a rule was relaxed, and their shares of all
// matches.
func (t *ruleTally) relaxation(rule string, matches int) outcome.Relaxation {
	parts := outcome.Parts{}
	add := func(name string, n int) {
		if n > 0 {
			parts = append(parts, outcome.Part{Name: name, Count: outcome.Count(n), Share: outcome.ShareOf(n, matches)})
		}
	}
	for stage, n := range t.stages {
		name := strconv.Itoa(stage)
		if stage == stagesMost-1 {
			name += "+"
		}
		add(name, n)
	}
	add(outcome.StageInactive, t.inactive)
	add(outcome.StageOptional, t.optional)
	return outcome.Relaxation{Name: rule, ShareRelaxed: outcome.ShareOf(t.relaxed, matches), Stages: parts}
}

// layout holds the sizes of the teams of a match in descending order, followed by zeros.
type layout [32]uint16

// layoutsMost is the number of layouts that are counted separately. All others are counted under
// the zero layout.
const layoutsMost = 200

// layoutTally counts matches by the sizes of their teams.
type layoutTally struct {
	matches map[layout]int
	teams   []uint16 // reused for every match: players by team
}

func (t *layoutTally) matched(m *sim.Match) {
	clear(t.teams)
	for i := range m.Players {
		team := int(m.Players[i].Team)
		if team < 0 {
			return // a match without teams
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
	if _, known := t.matches[key]; !known && len(t.matches) >= layoutsMost {
		key = layout{}
	}
	t.matches[key]++
}

// String returns a layout as players write it: 5v4, and 12x5 for more than four teams.
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

// parts lists the layouts, the most frequent first.
func (t *layoutTally) parts() outcome.Parts {
	parts, all := outcome.Parts{}, 0
	for l, n := range t.matches { // sorted below
		parts = append(parts, outcome.Part{Name: l.String(), Count: outcome.Count(n)})
		all += n
	}
	slices.SortFunc(parts, func(a, b outcome.Part) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	for i := range parts {
		parts[i].Share = outcome.ShareOf(parts[i].Count, outcome.Count(all))
	}
	return parts
}
