package casefile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// Explanation is, for one ticket, what keeps it apart from every other.
type Explanation struct {
	Ticket   string  `json:"ticket"`
	WaitedS  float64 `json:"waited_s"`
	Rejected string  `json:"rejected,omitempty"` // the reason; Others is empty then
	Others   []Apart `json:"others"`
	// Placements explains the choice of a server for each player, under rules that place
	// players.
	Placements []Placement `json:"placements,omitempty"`
	// Note says what the pairs do not: why there is no match although the rules allow some
	// pairs.
	Note string `json:"note,omitempty"`
}

// Apart is what keeps a ticket apart from another or from a session: the
// first rule in the order of the file.
type Apart struct {
	Ticket  string   `json:"ticket,omitempty"`
	Session string   `json:"session,omitempty"`
	Rule    string   `json:"rule,omitempty"` // empty: nothing keeps them apart
	Because string   `json:"because"`        // by how much
	UntilS  *float64 `json:"until_s"`        // instant from which nothing keeps them apart; null: never
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

// explain explains the tickets of a scene that a pass left unmatched, up to pairsMax pairs.
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
		list[i] = Explanation{Ticket: id, WaitedS: float64(s.AtMS-t.CreatedMS) / 1000, Rejected: rejected[id], Others: []Apart{}}
		if rejected[id] == "" {
			x.ticket(l.rows[places[id]], &list[i])
		}
	}
	outcome.Evaluations = x.evaluations()
	return list, nil
}

// evaluations repeats the pass and counts the evaluations of each rule.
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

// leaveOneOut repeats the pass without each of the rules in turn. This finds rules about
// groups or teams that prevent a match, which pairs do not show.
func (x *explainer) leaveOneOut(outcome *Outcome) error {
	x.without = make(map[string][]string)
	if len(x.scene.Tickets)*len(outcome.Unmatched) > pairsMax {
		return nil
	}
	for _, less := range withoutOne(x.set) {
		relaxed := *x.matchRunner
		relaxed.set = &less.set
		freed, err := relaxed.run(x.scene, x.refused)
		if err != nil {
			return err
		}
		matched := freed.matched()
		for _, id := range outcome.Unmatched {
			if matched[id] {
				x.without[id] = append(x.without[id], less.rule)
			}
		}
	}
	return nil
}

// lessRules is a ruleset without one of its rules.
type lessRules struct {
	rule string
	set  matcher.Ruleset
}

// withoutOne returns a ruleset without each of its rules in turn.
func withoutOne(full *matcher.Ruleset) []lessRules {
	var list []lessRules
	for i, rule := range full.Rules {
		less := lessRules{rule.Settings().Name, *full}
		less.set.Rules = slices.Delete(slices.Clone(full.Rules), i, i+1)
		list = append(list, less)
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
		less := lessRules{rule, *full}
		less.set.Pivot = &pivot
		list = append(list, less)
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

// withoutOneSeated is withoutOne for rules over named teams. Rules that a compound names
// go with it.
func withoutOneSeated(full *matcher.Ruleset) (list []lessRules) {
	for i, rule := range full.Seats.Rules {
		if rule.Common().Named {
			continue
		}
		seats := *full.Seats
		seats.Rules = slices.Delete(slices.Clone(seats.Rules), i, i+1)
		less := lessRules{rule.Common().Name, *full}
		less.set.Seats = &seats
		list = append(list, less)
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

// ticket sets what keeps one ticket apart from the others.
func (x *explainer) ticket(row matcher.Row, to *Explanation) {
	self := &x.scene.Tickets[x.tickets[row]]
	players, open := len(self.Players), false
	for _, o := range x.pool.Explain(x.scene.AtMS, row) {
		apart, givesUpMS := Apart{}, self.givesUpMS()
		if i, ok := x.tickets[o.Other]; ok {
			other := &x.scene.Tickets[i]
			if other.givesUpMS() <= x.scene.AtMS {
				continue // it expires before the pass
			}
			apart.Ticket, givesUpMS = other.ID, min(givesUpMS, other.givesUpMS())
			if o.Why == engine.MayMeet {
				players += len(other.Players)
			}
		} else {
			apart.Session = x.scene.Sessions[x.sessions[o.Other]].ID
			open = open || o.Why == engine.MayMeet
		}
		x.words(&apart, o, givesUpMS)
		to.Others = append(to.Others, apart)
	}
	to.Note = x.note(to.Ticket, len(self.Players), players, open)
}

// words describes one obstacle.
func (x *explainer) words(apart *Apart, o engine.Obstacle, givesUpMS int64) {
	switch {
	case o.Why == engine.TooMany:
		apart.Rule, apart.Because = sizeRule, fmt.Sprintf("%g players, at most %g", o.Value, o.Bound)
		return
	case o.Why == engine.MayMeet && x.matched[apart.Ticket]:
		apart.Because = "nothing keeps them apart; it was matched otherwise"
		return
	case o.Why == engine.MayMeet:
		apart.Because = "nothing keeps them apart"
		return
	}
	if pivot := x.set.Pivot; pivot != nil {
		apart.Rule, apart.Because = o.Name, becausePivot(pivot, o)
	} else if x.set.Seats != nil {
		apart.Rule, apart.Because = x.set.RuleNames()[o.Rule], "no match may hold both"
	} else {
		rule := x.set.Rules[o.Rule]
		apart.Rule, apart.Because = rule.Settings().Name, o.Words
	}
	until := float64(o.OpenMS) / 1000
	switch {
	case o.OpenMS == matcher.Never:
	case o.OpenMS >= givesUpMS:
		apart.Because += "; one gives up before " + InstantWords(o.OpenMS)
	default:
		apart.UntilS = &until
	}
}

// InstantWords returns an instant of a scene as text: in seconds within the first hour, as in
// scenes written by hand, and as a time of day later, as in scenes captured from a day.
func InstantWords(ms int64) string {
	if ms < 3_600_000 {
		return fmt.Sprintf("%g s", float64(ms)/1000)
	}
	text := fmt.Sprintf("%02d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
	if rest := ms % 1000; rest > 0 {
		text += strings.TrimRight(fmt.Sprintf(".%03d", rest), "0")
	}
	return text
}

// note says why a ticket found no match, beyond what keeps pairs apart. own is the number of
// players in the ticket, all includes those of the tickets that it may meet, and open is set
// if it may also join a session.
func (x *explainer) note(id string, own, all int, open bool) string {
	var parts []string
	switch {
	case open: // a session needs no other ticket
	case all == own:
		parts = append(parts, "there is no ticket that it may meet")
	case all < x.set.MinPlayers:
		parts = append(parts, fmt.Sprintf("with all whom it may meet there are %d players, a match needs %d", all, x.set.MinPlayers))
	}
	if rules := x.without[id]; rules != nil {
		parts = append(parts, "it would have been matched without "+strings.Join(rules, ", or without "))
	}
	if parts == nil {
		return "whom it may meet was matched otherwise, or no group of them satisfies sizes, teams and rules together"
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
		return "they do not go together"
	case math.IsInf(o.Value, 1):
		return "no region in common"
	case o.Name == pivot.Region.Name:
		return fmt.Sprintf("best common region %.6g ms, at most %.6g ms", o.Value, o.Bound)
	}
	return fmt.Sprintf("%.6g apart, at most %.6g", o.Value, o.Bound)
}
