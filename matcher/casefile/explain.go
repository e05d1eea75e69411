package casefile

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// Explanation says why a ticket was not matched. For each other ticket, it names the rule that
// keeps the two apart.
type Explanation struct {
	Ticket   string     `json:"ticket"`
	WaitedS  float64    `json:"waited_s"`
	Rejected string     `json:"rejected,omitempty"` // reason for the rejection, in which case Others is empty
	OwnRule  string     `json:"own_rule,omitempty"` // first rule that keeps the ticket's own players apart, so that no match can hold it
	Others   []Obstacle `json:"others"`
	// Placements explains the choice of a server for each player, if the rules place players.
	Placements []Placement `json:"placements,omitempty"`
	// Note contains reasons that involve more than two tickets. For example, there may be too few
	// compatible tickets for a match, or the ticket would be matched without a certain rule.
	Note string `json:"note,omitempty"`
}

// Obstacle is the first rule, in file order, that keeps a ticket apart from another ticket or a
// session.
type Obstacle struct {
	Ticket  string `json:"ticket,omitempty"`
	Session string `json:"session,omitempty"`
	Rule    string `json:"rule,omitempty"` // "" if no rule keeps the two apart
	Because string `json:"because"`        // by how much the rule is violated, or that nothing keeps the two apart
	// UntilS is the first time, in s, at which no rule keeps the two apart any more. If no other
	// tickets and sessions wait, a pass at that time matches the two. It is null if there is no such
	// time, or if one of the two gives up before.
	UntilS *float64 `json:"until_s"`
	Candidate
}

// Candidate is the rank of another ticket among the candidates of a ticket. It is empty for
// tickets that are no candidates and for rulesets that do not rank candidates by a distance.
type Candidate struct {
	Distance *float64 `json:"distance,omitempty"` // weighted distance over all rules
	Rank     int      `json:"rank,omitempty"`     // from 1, the nearest candidate
}

// pairsMax is the maximum number of pairs to explain.
const pairsMax = 1_000_000

// sizeRule is the value of Obstacle.Rule if two tickets have too many players for one match.
const sizeRule = "match size"

// explainer explains the unmatched tickets of a scene.
type explainer struct {
	*queueRules
	*loaded
	refused []error
	matched map[string]bool     // tickets that the pass matched
	without map[string][]string // by ticket: rules without which it would be matched
}

// Explain implements Runner. It compares at most pairsMax pairs, so in a large scene it explains only
// the first tickets, but at least one.
func (q *queueRules) Explain(s *Scene, outcome *Outcome) ([]Explanation, error) {
	refused := q.refusals(s)
	l, err := q.load(s, refused)
	if err != nil {
		return nil, err
	}
	x := explainer{queueRules: q, loaded: l, refused: refused, matched: outcome.matched()}
	if err := x.leaveOneOut(outcome); err != nil {
		return nil, err
	}
	positions := make(map[string]int, len(s.Tickets))
	for i := range s.Tickets {
		positions[s.Tickets[i].ID] = i
	}
	rejected := make(map[string]string)
	for _, r := range outcome.Rejected {
		rejected[r.Ticket] = r.Reason
	}
	tickets := outcome.Unmatched
	tickets = tickets[:min(len(tickets), max(1, pairsMax/max(1, len(s.Tickets))))]
	list := make([]Explanation, len(tickets))
	for i, id := range tickets {
		t := &s.Tickets[positions[id]]
		list[i] = Explanation{Ticket: id, WaitedS: float64(s.AtMS-t.CreatedMS) / 1000, Rejected: rejected[id], Others: []Obstacle{}}
		if rejected[id] == "" {
			x.ticket(l.rows[positions[id]], &list[i])
		}
	}
	outcome.Evaluations = x.evaluations()
	return list, nil
}

// evaluations repeats the pass without shortcuts and counts how often each rule is evaluated.
func (x *explainer) evaluations() (list []RuleEvaluations) {
	x.pool.Unfiltered = true
	x.pool.Pass(x.Scene.AtMS)
	for i, counts := range x.pool.Evaluations() {
		if counts.Passed+counts.Failed > 0 {
			list = append(list, RuleEvaluations{x.Rules.RuleNames()[i], counts})
		}
	}
	return list
}

// leaveOneOut repeats the pass once for each rule, without that rule. It thus finds rules about
// groups or teams that prevent a match, which comparisons of two tickets cannot show. In a scene
// with more than pairsMax pairs, it does nothing.
func (x *explainer) leaveOneOut(outcome *Outcome) error {
	x.without = make(map[string][]string)
	if len(x.Scene.Tickets)*len(outcome.Unmatched) > pairsMax {
		return nil
	}
	for _, reduced := range withoutOne(x.Rules) {
		queue := *x.Queue
		queue.Rules = &reduced.set
		other, err := (&queueRules{&queue}).run(x.Scene, x.refused)
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

// reducedRules is a ruleset that lacks one of its rules.
type reducedRules struct {
	without string // name of the missing rule
	set     matcher.Ruleset
}

// withoutOne returns, for each rule of the ruleset full, a copy of the ruleset without that rule.
func withoutOne(full *matcher.Ruleset) (list []reducedRules) {
	add := func(rule string, change func(*matcher.Ruleset)) {
		reduced := reducedRules{rule, *full}
		if full.Seats != nil {
			reduced.set.Seats = new(*full.Seats)
		}
		if full.Pivot != nil {
			reduced.set.Pivot = new(*full.Pivot)
		}
		change(&reduced.set)
		list = append(list, reduced)
	}
	for i, rule := range full.Rules {
		add(rule.Settings().Name, func(s *matcher.Ruleset) { s.Rules = without(s.Rules, i) })
	}
	if full.Seats != nil {
		for i, rule := range full.Seats.Rules {
			if !rule.Common().Named { // otherwise the rule has an effect only through a compound rule
				add(rule.Common().Name, func(s *matcher.Ruleset) { s.Seats.Rules = without(s.Seats.Rules, i) })
			}
		}
	}
	if full.Pivot == nil {
		return list
	}
	for i, d := range full.Pivot.Distances {
		add(d.Name, func(s *matcher.Ruleset) { s.Pivot.Distances = without(s.Pivot.Distances, i) })
	}
	for i, o := range full.Pivot.Options {
		add(o.Name, func(s *matcher.Ruleset) { s.Pivot.Options = without(s.Pivot.Options, i) })
	}
	add(full.Pivot.Region.Name, func(s *matcher.Ruleset) {
		s.Pivot.Region.ReachMS, s.Pivot.Region.MaxMS = matcher.Fixed(math.MaxFloat64), math.Inf(1)
	})
	add("blocks", func(s *matcher.Ruleset) { s.Pivot.Blocking = matcher.IgnoreBlocks })
	add("other attributes", func(s *matcher.Ruleset) { s.Pivot.Same = matcher.NoColumn })
	return list
}

// without returns a copy of a list without element i.
func without[T any](list []T, i int) []T { return slices.Delete(slices.Clone(list), i, i+1) }

// matched returns the tickets that were matched or joined a session.
func (o *Outcome) matched() map[string]bool {
	matched := make(map[string]bool)
	for _, m := range slices.Concat(o.Matches, o.Backfills) {
		for _, id := range m.Tickets {
			matched[id] = true
		}
	}
	return matched
}

// ticket finds the obstacles between a ticket and all others.
func (x *explainer) ticket(row matcher.Row, to *Explanation) {
	self := &x.Scene.Tickets[x.Tickets[row]]
	players, joinable := len(self.Players), false
	ranks := x.ranks(row)
	for _, o := range x.pool.Explain(x.Scene.AtMS, row) {
		obstacle, givesUpMS := Obstacle{}, self.givesUpMS()
		if i, ok := x.Tickets[o.Other]; ok {
			other := &x.Scene.Tickets[i]
			if other.givesUpMS() <= x.Scene.AtMS {
				continue // it gives up before the pass
			}
			obstacle.Ticket, givesUpMS = other.ID, min(givesUpMS, other.givesUpMS())
			obstacle.Candidate = ranks[o.Other]
			if o.Why == engine.MayMeet {
				players += len(other.Players)
			}
			if !x.matched[other.ID] {
				x.alone(self, other, &o)
			}
		} else {
			obstacle.Session = x.Scene.Sessions[x.Sessions[o.Other]].ID
			joinable = joinable || o.Why == engine.MayMeet
		}
		x.describe(&obstacle, o, givesUpMS)
		to.Others = append(to.Others, obstacle)
	}
	if rule, apart := x.pool.OwnObstacle(x.Scene.AtMS, row); apart {
		to.OwnRule = x.Rules.RuleNames()[rule]
	}
	to.Note = x.note(to.Ticket, len(self.Players), players, joinable)
}

// describe sets Rule, Because and UntilS of an obstacle. givesUpMS is the time at which the first
// of the two tickets gives up.
func (x *explainer) describe(to *Obstacle, o engine.Obstacle, givesUpMS int64) {
	switch {
	case o.Why == engine.TooMany:
		to.Rule, to.Because = sizeRule, fmt.Sprintf("%g players together, at most %g", o.Value, o.Bound)
		if x.Rules.Pivot != nil {
			to.Because = fmt.Sprintf("%g players in one of them, at most %g in a team", o.Value, o.Bound)
		}
	case o.Why == engine.MayMeet && x.matched[to.Ticket]:
		to.Because = "compatible, but matched with other tickets"
		return
	case o.Why == engine.MayMeet:
		to.Because = "compatible"
		return
	case o.Rule == notAlone:
		to.Rule, to.Because = o.Name, "not satisfied by the two alone"
	case x.Rules.Pivot != nil:
		to.Rule, to.Because = o.Name, becausePivot(x.Rules.Pivot, o)
	default:
		to.Rule, to.Because = x.Rules.RuleNames()[o.Rule], o.Words
	}
	until := float64(o.AllowedMS) / 1000
	switch {
	case o.AllowedMS == matcher.Never:
	case o.AllowedMS >= givesUpMS:
		to.Because += "; one of them gives up before " + FormatInstant(o.AllowedMS)
	default:
		to.UntilS = &until
	}
}

// FormatInstant formats a time in a scene. In the first hour, as in scenes written by hand, it is a
// number of seconds, such as "12.5 s". After that, as in scenes captured from a day, it is a time
// of day, such as "20:15:00".
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

// note explains why a ticket was not matched, beyond the obstacles between pairs. The parameter own
// is the number of players in the ticket, and all is that number plus the players of all compatible
// tickets. joinable is set if the ticket is compatible with an open session.
func (x *explainer) note(id string, own, all int, joinable bool) string {
	var parts []string
	switch {
	case joinable: // to join a session, a ticket needs no other ticket
	case all == own:
		parts = append(parts, "no other ticket is compatible")
	case all < x.Rules.MinPlayers:
		parts = append(parts, fmt.Sprintf("the ticket and all compatible tickets have %d players, but a match needs at least %d", all, x.Rules.MinPlayers))
	}
	if rules := x.without[id]; rules != nil {
		parts = append(parts, "the ticket would have been matched without "+strings.Join(rules, ", or without "))
	}
	if parts == nil {
		return "the compatible tickets were matched with other tickets, or no group of them satisfies all sizes, teams and rules"
	}
	return strings.Join(parts, "; ")
}

// givesUpMS returns the time at which a ticket gives up.
func (t *Ticket) givesUpMS() int64 {
	if t.GiveUpMS == 0 {
		return matcher.Never
	}
	return t.CreatedMS + t.GiveUpMS
}

// becausePivot describes by how much two tickets violate a rule of PivotRules.
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

// notAlone is the value of engine.Obstacle.Rule if two tickets may be in a match with others, but a
// rule about groups or teams keeps them from being a match of their own.
const notAlone = -2

// alone changes an obstacle between the only two tickets of a scene without sessions. Comparing two
// tickets does not consider rules about groups and teams, because other tickets may help to satisfy
// them. If there are no others, the two meet when a pass matches them, which alone finds by trying.
func (x *explainer) alone(a, b *Ticket, o *engine.Obstacle) {
	if len(x.Scene.Tickets) != 2 || len(x.Scene.Sessions) > 0 {
		return
	}
	from := o.AllowedMS
	if o.Why == engine.MayMeet {
		from = x.Scene.AtMS
	}
	at := x.meet(a, b, from)
	if o.Why == engine.MayMeet {
		rules := x.without[a.ID]
		if at == matcher.Never && rules == nil {
			return
		}
		if o.Why, o.Rule, o.Name = engine.ByRule, notAlone, sizeRule; rules != nil {
			o.Name = rules[0]
		}
	}
	o.AllowedMS = at
}

// meet returns the first time in ms, not before fromMS, at which a pass over two tickets matches
// them, or matcher.Never. It assumes that neither of them gives up. Between two turns of the rules,
// waiting only relaxes them, so a binary search finds the time.
func (x *explainer) meet(a, b *Ticket, fromMS int64) int64 {
	pair := Scene{Tickets: slices.Clone(x.Scene.Tickets)} // in the order of the scene, which decides between equally old tickets
	for i := range pair.Tickets {
		pair.Tickets[i].GiveUpMS = 0
	}
	matches := func(atMS int64) bool {
		pair.AtMS = atMS
		outcome, err := x.run(&pair, x.refused)
		return err == nil && slices.ContainsFunc(outcome.Matches, func(m Match) bool {
			return slices.Contains(m.Tickets, a.ID) && slices.Contains(m.Tickets, b.ID)
		})
	}
	const horizon = 1 << 40 // 34 years in ms; no ticket waits that long
	for fromMS < matcher.Never {
		if matches(fromMS) {
			return fromMS
		}
		next := x.pool.NextTurn(fromMS, x.rows[0], x.rows[1])
		n := min(next-fromMS, horizon)
		if matches(fromMS + n - 1) {
			return fromMS + int64(sort.Search(int(n), func(i int) bool { return matches(fromMS + int64(i)) }))
		}
		fromMS = next
	}
	return matcher.Never
}

// ranks returns the rank of every candidate of a ticket.
func (x *explainer) ranks(row matcher.Row) map[matcher.Row]Candidate {
	ranks := make(map[matcher.Row]Candidate)
	for i, c := range x.pool.Ranking(x.Scene.AtMS, row) {
		ranks[c.Row] = Candidate{Distance: &c.Distance, Rank: i + 1}
	}
	return ranks
}
