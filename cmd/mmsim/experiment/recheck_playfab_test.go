package experiment

import (
	"encoding/json"
	"math"
	"slices"
)

// pfQueue is the part of a queue that concerns matching, in the format of the vendor's API.
type pfQueue struct {
	*checkContext `json:"-"`

	MinMatchSize, MaxMatchSize, MaxTicketSize int
	Teams                                     []struct {
		Name                     string
		MinTeamSize, MaxTeamSize int
	}
	StringEqualityRules, DifferenceRules, SetIntersectionRules, MatchTotalRules, TeamDifferenceRules []pfRule
	RegionSelectionRule, TeamSizeBalanceRule, TeamTicketSizeSimilarityRule                           *pfRule
}

type pfRule struct {
	Name                                        string
	Attribute                                   struct{ Path, Source string }
	SecondsUntilOptional                        *float64
	AttributeNotSpecifiedBehavior               string
	DefaultAttributeValue                       any
	Difference, MaxLatency, MinIntersectionSize float64
	Min, Max                                    float64
	MergeFunction                               string
	LinearExpansion, CustomExpansion, Expansion *pfExpansion
}

type pfExpansion struct {
	Delta, SecondsBetweenExpansions                          float64
	Limit                                                    *float64
	DifferenceOverrides, MaxLatencyOverrides                 []*pfOverride
	MinIntersectionSizeOverrides, MinOverrides, MaxOverrides []*pfOverride
	EnabledOverrides                                         []bool
}

// pfOverride is x, which is written as {"Value": x} or x.
type pfOverride float64

// UnmarshalJSON implements json.Unmarshaler.
func (o *pfOverride) UnmarshalJSON(text []byte) error {
	var wrapped struct{ Value float64 }
	if json.Unmarshal(text, &wrapped) == nil {
		*o = pfOverride(wrapped.Value)
		return nil
	}
	return json.Unmarshal(text, (*float64)(o))
}

// readPlayFab reads a queue.
func readPlayFab(text string) (*pfQueue, error) {
	var q pfQueue
	return &q, json.Unmarshal([]byte(text), &q)
}

// complete implements ruleChecker. The search tries all groups, and a budget of 10,000 steps
// is enough for the few tickets in these tests.
func (q *pfQueue) complete(bool) bool { return true }

// check implements ruleChecker.
func (q *pfQueue) check(m *checkedGroup) (wrong violations) {
	players := 0
	for _, h := range m.tickets {
		n := len(h.players)
		players += n
		if n >= q.MaxMatchSize || q.MaxTicketSize > 0 && n > q.MaxTicketSize {
			wrong.add("a ticket of %d players", n)
		}
	}
	if len(m.tickets) < 2 || players < q.MinMatchSize || players > q.MaxMatchSize {
		wrong.add("%d tickets of %d players", len(m.tickets), players)
		return wrong
	}
	for i, a := range m.tickets {
		for _, b := range m.tickets[:i] {
			wrong = append(wrong, q.apart(m, a, b)...)
		}
	}
	for i := range q.SetIntersectionRules {
		q.checkSets(m, &q.SetIntersectionRules[i], &wrong)
	}
	for i := range q.MatchTotalRules {
		q.checkTotal(m, &q.MatchTotalRules[i], &wrong)
	}
	q.checkRegion(m, &wrong)
	if len(wrong) > 0 || len(q.Teams) == 0 {
		return wrong
	}
	if m.teams != nil {
		return q.checkTeams(m)
	}
	return q.someTeams(m)
}

// someTeams checks a group that has no teams yet, with every assignment of its tickets to
// teams.
func (q *pfQueue) someTeams(m *checkedGroup) (wrong violations) {
	try := *m
	try.teams = make([]int, len(m.tickets))
	for {
		if wrong = q.checkTeams(&try); len(wrong) == 0 {
			return nil
		}
		i := 0
		for ; i < len(try.teams) && try.teams[i] == len(q.Teams)-1; i++ {
			try.teams[i] = 0
		}
		if i == len(try.teams) {
			return wrong
		}
		try.teams[i]++
	}
}

// enforced reports whether a rule applies to tickets. It also returns the wait to which the
// rule's expansion applies.
func (q *pfQueue) enforced(r *pfRule, m *checkedGroup, tickets ...*checkedTicket) (wait float64, binds bool) {
	longest, shortest := 0.0, math.Inf(1)
	for _, h := range tickets {
		longest, shortest = max(longest, h.wait(m.at)), min(shortest, h.wait(m.at))
	}
	if r.SecondsUntilOptional != nil {
		waited := longest
		if q.all {
			waited = shortest
		}
		if waited >= *r.SecondsUntilOptional {
			return 0, false
		}
	}
	if q.longest {
		return longest, true
	}
	return shortest, true
}

// bound returns the threshold after a wait. off is true if the rule is not active then.
func (r *pfRule) bound(base, wait, sign float64, overrides func(*pfExpansion) []*pfOverride) (v float64, off bool) {
	if e := r.LinearExpansion; e != nil {
		v = base + sign*e.Delta*math.Floor(wait/e.SecondsBetweenExpansions)
		if e.Limit != nil {
			v = min(v, *e.Limit)
		}
		return max(v, 0), false
	}
	for _, e := range []*pfExpansion{r.CustomExpansion, r.Expansion} {
		if e == nil {
			continue
		}
		if list := overrides(e); len(list) > 0 {
			o := list[min(len(list)-1, int(wait/e.SecondsBetweenExpansions))]
			if o == nil {
				return 0, true
			}
			return float64(*o), false
		}
	}
	return base, false
}

// apart checks the rules about pairs of tickets.
func (q *pfQueue) apart(m *checkedGroup, a, b *checkedTicket) (wrong violations) {
	for i := range q.StringEqualityRules {
		r := &q.StringEqualityRules[i]
		wait, binds := q.enforced(r, m, a, b)
		if r.Expansion != nil && len(r.Expansion.EnabledOverrides) > 0 {
			on := r.Expansion.EnabledOverrides
			binds = binds && on[min(len(on)-1, int(wait/r.Expansion.SecondsBetweenExpansions))]
		}
		x, y := r.texts(a), r.texts(b)
		if binds && (len(x) > 1 || len(y) > 1 || len(x) == 1 && len(y) == 1 && x[0] != y[0]) {
			wrong.add("%s: %q and %q", r.Name, x, y)
		}
	}
	for i := range q.DifferenceRules {
		r := &q.DifferenceRules[i]
		wait, binds := q.enforced(r, m, a, b)
		v, off := r.bound(r.Difference, wait, 1, func(e *pfExpansion) []*pfOverride { return e.DifferenceOverrides })
		x, y := r.merged(a), r.merged(b)
		if binds && !off && math.Abs(x-y) > v+1e-9 {
			wrong.add("%s: %v and %v, at most %v apart", r.Name, x, y, v)
		}
	}
	return wrong
}

// value returns a player's attribute that a rule reads. It is nil for a wildcard or a missing
// value.
func (r *pfRule) value(h *checkedPlayer) any {
	if v, ok := h.attributes[r.Attribute.Path]; ok {
		return v
	}
	if r.AttributeNotSpecifiedBehavior == "UseDefault" {
		return r.DefaultAttributeValue
	}
	return nil
}

// texts returns the distinct texts of a ticket's players. A wildcard has none.
func (r *pfRule) texts(h *checkedTicket) (list []string) {
	for i := range h.players {
		if text, ok := r.value(&h.players[i]).(string); ok && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// numbers returns the numbers of a ticket's players.
func (r *pfRule) numbers(h *checkedTicket) (list []float64) {
	for i := range h.players {
		if x, ok := r.value(&h.players[i]).(float64); ok {
			list = append(list, x)
		}
	}
	return list
}

// merged returns the number of a ticket, which is NaN for a wildcard.
func (r *pfRule) merged(h *checkedTicket) float64 {
	list := r.numbers(h)
	switch {
	case len(list) == 0:
		return math.NaN()
	case r.MergeFunction == "Min":
		return slices.Min(list)
	case r.MergeFunction == "Max":
		return slices.Max(list)
	}
	total := 0.0
	for _, x := range list {
		total += x
	}
	return total / float64(len(list))
}

// checkSets checks that all tickets with values share a value.
func (q *pfQueue) checkSets(m *checkedGroup, r *pfRule, wrong *violations) {
	wait, binds := q.enforced(r, m, m.tickets...)
	v, off := r.bound(r.MinIntersectionSize, wait, -1, func(e *pfExpansion) []*pfOverride { return e.MinIntersectionSizeOverrides })
	holders, players, in := 0, 0, map[string]int{}
	for _, h := range m.tickets {
		before := players
		for i := range h.players {
			var list []string
			switch set := r.value(&h.players[i]).(type) {
			case []string:
				list = set
			case []any: // a default
				for _, text := range set {
					list = append(list, text.(string))
				}
			default:
				continue
			}
			players++
			for _, text := range list {
				in[text]++
			}
		}
		holders += min(1, players-before)
	}
	common := 0
	for _, n := range in {
		if n == players {
			common++
		}
	}
	if binds && !off && holders > 1 && float64(common) < v {
		wrong.add("%s: %d in common, at least %v", r.Name, common, v)
	}
}

// checkTotal checks the sum over all players.
func (q *pfQueue) checkTotal(m *checkedGroup, r *pfRule, wrong *violations) {
	wait, binds := q.enforced(r, m, m.tickets...)
	least, off := r.bound(r.Min, wait, 1, func(e *pfExpansion) []*pfOverride { return e.MinOverrides })
	most, offToo := r.bound(r.Max, wait, 1, func(e *pfExpansion) []*pfOverride { return e.MaxOverrides })
	total := 0.0
	for _, h := range m.tickets {
		for i := range h.players {
			if x, ok := h.players[i].attributes[r.Attribute.Path].(float64); ok {
				total += x
			}
		}
	}
	if binds && !off && !offToo && (total < least-1e-9 || total > most+1e-9) {
		wrong.add("%s: %v, from %v to %v", r.Name, total, least, most)
	}
}

// checkRegion checks that all players are within the limit of the match's region. If the match
// has no region, some region must fulfil this.
func (q *pfQueue) checkRegion(m *checkedGroup, wrong *violations) {
	r := q.RegionSelectionRule
	if r == nil || len(q.regions) == 0 {
		return
	}
	wait, binds := q.enforced(r, m, m.tickets...)
	v, off := r.bound(r.MaxLatency, wait, 1, func(e *pfExpansion) []*pfOverride { return e.MaxLatencyOverrides })
	if !binds || off {
		return
	}
	for i := range q.regions {
		region := &q.regions[i]
		if m.region != "" && region.name != m.region {
			continue
		}
		within := true
		for _, h := range m.tickets {
			for k := range h.players {
				within = within && region.rttTo(&h.players[k]) <= v
			}
		}
		if within {
			return
		}
	}
	wrong.add("%s: not all within %v ms of %q", r.Name, v, m.region)
}

// checkTeams checks an assignment to teams.
func (q *pfQueue) checkTeams(m *checkedGroup) (wrong violations) {
	sizes := make([]float64, len(q.Teams))
	large := make([]bool, len(q.Teams))
	half := 0.0
	for _, team := range q.Teams {
		half = max(half, float64(team.MaxTeamSize)/2)
	}
	for i, h := range m.tickets {
		n := float64(len(h.players))
		sizes[m.teams[i]] += n
		large[m.teams[i]] = large[m.teams[i]] || n >= half
	}
	for i, team := range q.Teams {
		if n := int(sizes[i]); n < team.MinTeamSize || n > team.MaxTeamSize {
			wrong.add("team %s of %d players", team.Name, n)
		}
	}
	if r := q.TeamSizeBalanceRule; r != nil {
		wait, binds := q.enforced(r, m, m.tickets...)
		v, off := r.bound(r.Difference, wait, 1, func(e *pfExpansion) []*pfOverride { return e.DifferenceOverrides })
		if gap := slices.Max(sizes) - slices.Min(sizes); binds && !off && gap > v {
			wrong.add("%s: teams of %v", r.Name, sizes)
		}
	}
	if r := q.TeamTicketSizeSimilarityRule; r != nil {
		if _, binds := q.enforced(r, m, m.tickets...); binds && slices.Contains(large, true) && slices.Contains(large, false) {
			wrong.add("%s: large parties in %v", r.Name, large)
		}
	}
	for i := range q.TeamDifferenceRules {
		q.checkAverages(m, &q.TeamDifferenceRules[i], sizes, &wrong)
	}
	return wrong
}

// checkAverages checks the mean over the players of each team.
func (q *pfQueue) checkAverages(m *checkedGroup, r *pfRule, sizes []float64, wrong *violations) {
	wait, binds := q.enforced(r, m, m.tickets...)
	v, off := r.bound(r.Difference, wait, 1, func(e *pfExpansion) []*pfOverride { return e.DifferenceOverrides })
	sums := make([]float64, len(sizes))
	for i, h := range m.tickets {
		for k := range h.players {
			x, ok := h.players[k].attributes[r.Attribute.Path].(float64)
			if !ok {
				x, _ = r.DefaultAttributeValue.(float64)
			}
			sums[m.teams[i]] += x
		}
	}
	var means []float64
	for i, n := range sizes {
		if n > 0 {
			means = append(means, sums[i]/n)
		}
	}
	if binds && !off && slices.Max(means)-slices.Min(means) > v+1e-9 {
		wrong.add("%s: team averages %v, at most %v apart", r.Name, means, v)
	}
}
