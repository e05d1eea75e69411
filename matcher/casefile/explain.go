package casefile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// Explanation says why one ticket was not matched: for each other ticket, the rule that the two
// fail.
type Explanation struct {
	Ticket   string     `json:"ticket"`
	WaitedS  float64    `json:"waited_s"`
	Rejected string     `json:"rejected,omitempty"` // the reason of a rejection; Others is empty then
	Others   []Obstacle `json:"others"`
	// Placements explains the choice of a server for each player, under rules that place
	// players.
	Placements []Placement `json:"placements,omitempty"`
	// Note says what pairs cannot show, such as too few compatible tickets for a match, or rules
	// without which the ticket would have been matched.
	Note string `json:"note,omitempty"`
}

// Obstacle is the first rule, in the order of the file, that a ticket and another ticket or a
// session fail.
type Obstacle struct {
	Ticket  string   `json:"ticket,omitempty"`
	Session string   `json:"session,omitempty"`
	Rule    string   `json:"rule,omitempty"` // empty: the pair fails no rule
	Because string   `json:"because"`        // by how much the pair fails the rule
	UntilS  *float64 `json:"until_s"`        // instant from which the pair fails no rule, in s; null: never
}

// pairsMax is the maximum number of pairs that are explained.
const pairsMax = 1_000_000

// sizeRule is the rule name for two tickets that are too large for one match.
const sizeRule = "match size"

// explainer explains the unmatched tickets of one scene.
type explainer struct {
	*matchRunner
	*loaded
	scene   *Scene
	refused []error
	matched map[string]bool     // tickets that the explained pass matched
	without map[string][]string // by ticket, rules without which it would have been matched
}

// explain says why the pass over a scene left tickets unmatched. In a large scene it covers only
// the first of them, so that it compares at most pairsMax pairs; it always covers at least one.
func (e *matchRunner) explain(s *Scene, refused []error, outcome *Outcome) ([]Explanation, error) {
	l, err := e.load(s, refused)
	if err != nil {
		return nil, err
	}
	x := explainer{matchRunner: e, loaded: l, scene: s, refused: refused, matched: outcome.matched()}
	if err := x.leaveOneOut(outcome); err != nil {
		return nil, err
	}
	places := make(map[string]int, len(s.Tickets))
	for i := range s.Tickets {
		places[s.Tickets[i].ID] = i
	}
	rejected := make(map[string]string)
	for _, r := range outcome.Rejected {
		rejected[r.Ticket] = r.Reason
	}
	tickets := outcome.Unmatched
	tickets = tickets[:min(len(tickets), max(1, pairsMax/max(1, len(s.Tickets))))]
	list := make([]Explanation, len(tickets))
	for i, id := range tickets {
		t := &s.Tickets[places[id]]
		list[i] = Explanation{Ticket: id, WaitedS: float64(s.AtMS-t.CreatedMS) / 1000, Rejected: rejected[id], Others: []Obstacle{}}
		if rejected[id] == "" {
			x.ticket(l.rows[places[id]], &list[i])
		}
	}
	outcome.Evaluations = x.evaluations()
	return list, nil
}

// evaluations repeats the pass without shortcuts and counts the evaluations of each rule.
func (x *explainer) evaluations() (list []RuleEvaluations) {
	x.pool.Unfiltered = true
	x.pool.Pass(x.scene.AtMS)
	for i, counts := range x.pool.Evaluations() {
		if counts.Passed+counts.Failed > 0 {
			list = append(list, RuleEvaluations{x.set.RuleNames()[i], counts})
		}
	}
	return list
}

// leaveOneOut repeats the pass without each of the rules in turn. It finds rules about groups or
// teams that prevent a match: pairs do not show these.
func (x *explainer) leaveOneOut(outcome *Outcome) error {
	x.without = make(map[string][]string)
	if len(x.scene.Tickets)*len(outcome.Unmatched) > pairsMax {
		return nil
	}
	for _, reduced := range withoutOne(x.set) {
		runner := *x.matchRunner
		runner.set = &reduced.set
		other, err := runner.run(x.scene, x.refused)
		if err != nil {
			return err
		}
		matched := other.matched()
		for _, id := range outcome.Unmatched {
			if matched[id] {
				x.without[id] = append(x.without[id], reduced.without)
			}
		}
	}
	return nil
}

// reducedRules is a ruleset without one of its rules.
type reducedRules struct {
	without string // name of the rule that is left out
	set     matcher.Ruleset
}

// withoutOne returns a ruleset without each of its rules in turn.
func withoutOne(full *matcher.Ruleset) []reducedRules {
	var list []reducedRules
	for i, rule := range full.Rules {
		reduced := reducedRules{rule.Settings().Name, *full}
		reduced.set.Rules = slices.Delete(slices.Clone(full.Rules), i, i+1)
		list = append(list, reduced)
	}
	if full.Seats != nil {
		return append(list, withoutOneSeated(full)...)
	}
	if full.Pivot == nil {
		return list
	}
	add := func(rule string, change func(*matcher.PivotRules)) {
		pivot := *full.Pivot
		change(&pivot)
		reduced := reducedRules{rule, *full}
		reduced.set.Pivot = &pivot
		list = append(list, reduced)
	}
	for i, d := range full.Pivot.Distances {
		add(d.Name, func(s *matcher.PivotRules) { s.Distances = slices.Delete(slices.Clone(s.Distances), i, i+1) })
	}
	for i, o := range full.Pivot.Options {
		add(o.Name, func(s *matcher.PivotRules) { s.Options = slices.Delete(slices.Clone(s.Options), i, i+1) })
	}
	add(full.Pivot.Region.Name, func(s *matcher.PivotRules) {
		s.Region.ReachMS, s.Region.MaxMS = matcher.Fixed(math.MaxFloat64), math.Inf(1)
	})
	add("blocks", func(s *matcher.PivotRules) { s.Blocking = matcher.IgnoreBlocks })
	add("other attributes", func(s *matcher.PivotRules) { s.Same = matcher.NoColumn })
	return list
}

// withoutOneSeated is withoutOne for rules over named teams. A rule that a compound names is not
// left out by itself, because it has an effect only through the compound.
func withoutOneSeated(full *matcher.Ruleset) (list []reducedRules) {
	for i, rule := range full.Seats.Rules {
		if rule.Common().Named {
			continue
		}
		seats := *full.Seats
		seats.Rules = slices.Delete(slices.Clone(seats.Rules), i, i+1)
		reduced := reducedRules{rule.Common().Name, *full}
		reduced.set.Seats = &seats
		list = append(list, reduced)
	}
	return list
}

// matched returns the tickets that are in a match or have joined a session.
func (o *Outcome) matched() map[string]bool {
	matched := make(map[string]bool)
	for _, m := range slices.Concat(o.Matches, o.Backfills) {
		for _, id := range m.Tickets {
			matched[id] = true
		}
	}
	return matched
}

// ticket sets the obstacles between one ticket and all others.
func (x *explainer) ticket(row matcher.Row, to *Explanation) {
	self := &x.scene.Tickets[x.tickets[row]]
	players, joinable := len(self.Players), false
	for _, o := range x.pool.Explain(x.scene.AtMS, row) {
		obstacle, givesUpMS := Obstacle{}, self.givesUpMS()
		if i, ok := x.tickets[o.Other]; ok {
			other := &x.scene.Tickets[i]
			if other.givesUpMS() <= x.scene.AtMS {
				continue // it expires before the pass
			}
			obstacle.Ticket, givesUpMS = other.ID, min(givesUpMS, other.givesUpMS())
			if o.Why == engine.MayMeet {
				players += len(other.Players)
			}
		} else {
			obstacle.Session = x.scene.Sessions[x.sessions[o.Other]].ID
			joinable = joinable || o.Why == engine.MayMeet
		}
		x.describe(&obstacle, o, givesUpMS)
		to.Others = append(to.Others, obstacle)
	}
	to.Note = x.note(to.Ticket, len(self.Players), players, joinable)
}

// describe fills in Rule, Because and UntilS of an obstacle. givesUpMS is the instant at which the
// first of the two tickets gives up.
func (x *explainer) describe(to *Obstacle, o engine.Obstacle, givesUpMS int64) {
	switch {
	case o.Why == engine.TooMany:
		to.Rule, to.Because = sizeRule, fmt.Sprintf("%g players together, at most %g", o.Value, o.Bound)
		return
	case o.Why == engine.MayMeet && x.matched[to.Ticket]:
		to.Because = "compatible, but matched with other tickets"
		return
	case o.Why == engine.MayMeet:
		to.Because = "compatible"
		return
	}
	if pivot := x.set.Pivot; pivot != nil {
		to.Rule, to.Because = o.Name, becausePivot(pivot, o)
	} else if x.set.Seats != nil {
		to.Rule, to.Because = x.set.RuleNames()[o.Rule], "no match can contain both"
	} else {
		rule := x.set.Rules[o.Rule]
		to.Rule, to.Because = rule.Settings().Name, o.Words
	}
	until := float64(o.OpenMS) / 1000
	switch {
	case o.OpenMS == matcher.Never:
	case o.OpenMS >= givesUpMS:
		to.Because += "; one of them gives up before " + FormatInstant(o.OpenMS)
	default:
		to.UntilS = &until
	}
}

// FormatInstant returns an instant of a scene as text. Within the first hour, as in scenes written
// by hand, it is a number of seconds: "12.5 s". Later, as in scenes captured from a day, it is a
// time of day: "20:15:00".
func FormatInstant(ms int64) string {
	if ms < 3_600_000 {
		return fmt.Sprintf("%g s", float64(ms)/1000)
	}
	text := fmt.Sprintf("%02d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
	if rest := ms % 1000; rest > 0 {
		text += strings.TrimRight(fmt.Sprintf(".%03d", rest), "0")
	}
	return text
}

// note says why a ticket was not matched, beyond the obstacles between pairs. own is the number of
// players in the ticket, all is that number plus the players of all compatible tickets, and
// joinable is set if the ticket is compatible with an open session.
func (x *explainer) note(id string, own, all int, joinable bool) string {
	var parts []string
	switch {
	case joinable: // a ticket needs no other ticket to join a session
	case all == own:
		parts = append(parts, "no other ticket is compatible")
	case all < x.set.MinPlayers:
		parts = append(parts, fmt.Sprintf("the ticket and all compatible tickets have %d players, but a match needs at least %d", all, x.set.MinPlayers))
	}
	if rules := x.without[id]; rules != nil {
		parts = append(parts, "the ticket would have been matched without "+strings.Join(rules, ", or without "))
	}
	if parts == nil {
		return "the compatible tickets were matched with other tickets, or no group of them satisfies all sizes, teams and rules"
	}
	return strings.Join(parts, "; ")
}

// givesUpMS returns the instant at which a ticket expires.
func (t *Ticket) givesUpMS() int64 {
	if t.GiveUpMS == 0 {
		return matcher.Never
	}
	return t.CreatedMS + t.GiveUpMS
}

// becausePivot describes by how much two tickets fail a rule of PivotRules.
func becausePivot(pivot *matcher.PivotRules, o engine.Obstacle) string {
	switch {
	case math.IsNaN(o.Value):
		return "not compatible"
	case math.IsInf(o.Value, 1):
		return "no region in common"
	case o.Name == pivot.Region.Name:
		return fmt.Sprintf("best common region %.6g ms, at most %.6g ms", o.Value, o.Bound)
	}
	return fmt.Sprintf("%.6g apart, at most %.6g", o.Value, o.Bound)
}
