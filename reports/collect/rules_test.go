package collect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Every number in the block "rules" equals a count over lists of all events.
func TestRulesAgreeWithTwin(t *testing.T) {
	seen := 0
	for seed, w := range randomRuns() {
		set, got := w.Setup.Queues[0].Rules, w.Summary.Rules
		if set == nil {
			if got != nil || w.Summary.QueueStatistics != nil {
				t.Errorf("seed %d: got rules %+v without a ruleset, want none", seed, got)
			}
			continue
		}
		seen++
		want := &outcome.Rules{Name: "ranked", Dialect: "playfab", Placement: "pool", ExpansionBasis: "longest", OptionalBasis: "all"}
		w.twinRelaxation(set, want)
		w.twinSizes(want)
		want.Expiry = w.twinExpiry(set)
		want.Refused = outcome.Parts{}
		if n := w.Summary.Players.Rejected; n > 0 {
			want.Refused = outcome.Parts{{Name: "too many players", Count: n, Share: 1}}
			want.BudgetHits = outcome.BudgetHit{Groups: 3, Teams: 1}
			for i, rule := range set.Rules {
				if !w.Setup.Queues[0].Asks {
					break
				}
				want.Evaluations = append(want.Evaluations, outcome.Evaluation{Name: rule.Name, Passed: outcome.Count(7 + i), Failed: outcome.Count(3 + i)})
			}
		}
		if w.Setup.Queues[0].Asks {
			seconds, average := outcome.Seconds(math.NaN()), outcome.Average(math.NaN())
			asked := outcome.Acceptance{ShareStarted: twinShare(0, 0), PerStart: average, AnswerMean: seconds, LostMean: seconds, LostPerMatch: seconds}
			if w.Summary.Players.Rejected > 0 {
				asked = resulttest.CameTo
			}
			checkEqual(t, seed, "acceptance", w.Summary.Acceptance, &asked)
		} else if w.Summary.Acceptance != nil {
			t.Errorf("seed %d: got acceptance %+v of a queue that does not ask", seed, w.Summary.Acceptance)
		}
		checkEqual(t, seed, "rules", got, want)
		checkEqual(t, seed, "queue_statistics", w.Summary.QueueStatistics, w.twinStatistics(set))
	}
	if seen < 10 {
		t.Errorf("%d runs have rules, want at least 10", seen)
	}
}

// started returns the matches, but not the players who join running matches.
func (f facts) started() (list []sim.Match) {
	for _, m := range f.Matches {
		if !m.Backfill {
			list = append(list, m)
		}
	}
	return list
}

// twinParts counts names. The result has the names in order first, then all others by frequency.
func twinParts(names []string, order []string) outcome.Parts {
	counts := map[string]int{}
	for _, name := range names {
		counts[name]++
	}
	if order == nil {
		for name := range counts {
			order = append(order, name)
		}
		slices.SortFunc(order, func(a, b string) int {
			if counts[a] != counts[b] {
				return counts[b] - counts[a]
			}
			return strings.Compare(a, b)
		})
	}
	parts := outcome.Parts{}
	for _, name := range order {
		if counts[name] > 0 {
			parts = append(parts, outcome.Part{Name: name, Count: outcome.Count(counts[name]), Share: twinShare(counts[name], len(names))})
		}
	}
	return parts
}

func (f facts) twinRelaxation(set *setup.Ruleset, want *outcome.Rules) {
	started := f.started()
	want.Matches, want.Relaxation, want.ByHour = outcome.Count(len(started)), outcome.Relaxations{}, make([]outcome.RulesHour, 24)
	order := []string{}
	for stage := range 119 {
		order = append(order, strconv.Itoa(stage))
	}
	order = append(order, "119+", "inactive", "optional")
	for rule, known := range set.Rules {
		var names []string
		relaxed := 0
		for _, m := range started {
			if m.Relaxed[rule] != known.AtStart {
				relaxed++
			}
			switch r := m.Relaxed[rule]; {
			case r.Optional:
				names = append(names, "optional")
			case r.Inactive:
				names = append(names, "inactive")
			default:
				names = append(names, order[min(r.Stage, 119)])
			}
		}
		want.Relaxation = append(want.Relaxation, outcome.Relaxation{Name: known.Name, ShareRelaxed: twinShare(relaxed, len(started)), Stages: twinParts(names, order)})
	}
	var all, relaxed [25]int // by hour; the last item is the total
	var furthest [24][]string
	for _, m := range started {
		hour := int(m.At) / 3_600_000 % 24
		all[hour], all[24] = all[hour]+1, all[24]+1
		steps, relax := 0, false
		for i, r := range m.Relaxed {
			if r == set.Rules[i].AtStart {
				continue
			}
			if relax = true; r.Optional || r.Inactive {
				r.Stage = 1000
			}
			steps = max(steps, r.Stage, 1)
		}
		name := "not_enforced"
		for i, most := range []int{0, 1, 3, 7, 999} {
			if steps <= most {
				name = []string{"0", "1", "2-3", "4-7", "8+"}[i]
				break
			}
		}
		furthest[hour] = append(furthest[hour], name)
		if relax {
			relaxed[hour], relaxed[24] = relaxed[hour]+1, relaxed[24]+1
		}
	}
	for i := range want.ByHour {
		want.ByHour[i] = outcome.RulesHour{Matches: outcome.Count(all[i]), ShareRelaxed: twinShare(relaxed[i], all[i]),
			Furthest: twinParts(furthest[i], []string{"0", "1", "2-3", "4-7", "8+", "not_enforced"})}
	}
	want.ShareRelaxed = twinShare(relaxed[24], all[24])
}

func (f facts) twinSizes(want *outcome.Rules) {
	started, players := f.started(), 0
	var sizes, layouts, order []string
	for _, m := range started {
		players += len(m.Players)
		sizes = append(sizes, strconv.Itoa(len(m.Players)))
		teams := map[int16]int{}
		for _, p := range m.Players {
			if p.Team != sim.NoTeam {
				teams[p.Team]++
			}
		}
		var counts []int
		for _, n := range teams {
			counts = append(counts, n)
		}
		slices.Sort(counts)
		slices.Reverse(counts)
		if len(counts) > 0 {
			layouts = append(layouts, twinLayout(counts))
		}
	}
	for size := 1; size <= f.Setup.Queues[0].MatchSize; size++ {
		order = append(order, strconv.Itoa(size))
	}
	want.FillAtStart = twinShare(players, len(started)*f.Setup.Queues[0].MatchSize)
	want.Sizes, want.Layouts = twinParts(sizes, order), twinParts(layouts, nil)
	for _, m := range f.Matches {
		parties := map[int]bool{}
		for i := range m.Players {
			if i == 0 || m.Players[i].Party != m.Players[i-1].Party {
				parties[i] = true
			}
		}
		if m.Backfill {
			want.Backfill.Tickets += outcome.Count(len(parties))
			want.Backfill.Players += outcome.Count(len(m.Players))
		}
	}
}

// twinLayout formats descending team sizes: 5v4, or 4x2+1 if there are more than four teams.
func twinLayout(counts []int) string {
	var words []string
	if len(counts) <= 4 {
		for _, n := range counts {
			words = append(words, strconv.Itoa(n))
		}
		return strings.Join(words, "v")
	}
	for i := 0; i < len(counts); {
		n := 0
		for i+n < len(counts) && counts[i+n] == counts[i] {
			n++
		}
		if word := strconv.Itoa(counts[i]); n > 1 {
			words = append(words, fmt.Sprintf("%dx%s", n, word))
		} else {
			words = append(words, word)
		}
		i += n
	}
	return strings.Join(words, "+")
}

func (f facts) twinExpiry(set *setup.Ruleset) outcome.Expiry {
	var reasons, pairs []string
	e := outcome.Expiry{}
	for _, ended := range f.Ended {
		if !slices.Contains([]sim.State{sim.StateExpired, sim.StateFailed, sim.StateBots}, ended.Into) {
			continue
		}
		e.Tickets++
		e.Players += outcome.Count(len(ended.Players))
		a := ended.Apart
		if a == nil {
			continue
		}
		e.Explained++
		pairs = append(pairs, slices.Repeat([]string{"may meet"}, a.MayMeet)...)
		pairs = append(pairs, slices.Repeat([]string{"too large"}, a.TooMany)...)
		most, others := a.TooMany, a.MayMeet+a.TooMany
		for rule, n := range a.ByRule {
			pairs = append(pairs, slices.Repeat([]string{set.Rules[rule].Name}, n)...)
			most, others = max(most, n), others+n
		}
		switch n := len(ended.Players); {
		case a.Own:
			reasons = append(reasons, "own players")
		case a.MayMeet > 0 && a.MayMeet+n >= set.MinPlayers:
			reasons = append(reasons, "group")
		case most == 0 || others+n < set.MinPlayers:
			reasons = append(reasons, "too few")
		case a.TooMany == most:
			reasons = append(reasons, "too large")
		default:
			reasons = append(reasons, set.Rules[slices.Index(a.ByRule, most)].Name)
		}
	}
	order := []string{}
	for _, rule := range set.Rules {
		order = append(order, rule.Name)
	}
	part := func(names []string, name string) outcome.Part {
		for _, p := range twinParts(names, nil) {
			if p.Name == name {
				return outcome.Part{Count: p.Count, Share: p.Share}
			}
		}
		return outcome.Part{Share: twinShare(0, len(names))} // NaN without tickets or pairs
	}
	everyRule := func(names []string) outcome.Parts {
		parts := outcome.Parts{}
		for _, rule := range order {
			p := outcome.Part{}
			if len(names) > 0 {
				p = part(names, rule)
			}
			parts = append(parts, outcome.Part{Name: rule, Count: p.Count, Share: p.Share})
		}
		return parts
	}
	e.ByRule, e.TooLarge = everyRule(reasons), part(reasons, "too large")
	e.TooFew, e.Group, e.Own = part(reasons, "too few"), part(reasons, "group"), part(reasons, "own players")
	e.Pairs = outcome.Pairs{Count: outcome.Count(len(pairs)), ByRule: everyRule(pairs), TooLarge: part(pairs, "too large"), MayMeet: part(pairs, "may meet")}
	return e
}

func (f facts) twinStatistics(set *setup.Ruleset) *outcome.QueueStatistics {
	if set.Service == nil {
		return nil
	}
	var all, recent []int
	for _, m := range f.started() {
		for i, p := range m.Players {
			if p.Began < 0 || i > 0 && p.Party == m.Players[i-1].Party {
				continue
			}
			all = append(all, int(m.At-p.Began))
			if f.Totals.Reached-m.At < sim.Instant(set.Service.Window) {
				recent = append(recent, int(m.At-p.Began))
			}
		}
	}
	times := func(waits []int) outcome.TimeToMatch {
		slices.Sort(waits)
		w := twinWait(waits)
		return outcome.TimeToMatch{Tickets: w.Count, Average: w.Mean, P50: w.P50, P90: w.P90, P99: w.P99}
	}
	return &outcome.QueueStatistics{PlayersMatching: outcome.Count(f.Totals.SearchingAtEnd), Window: outcome.Seconds(float64(set.Service.Window) / 1000),
		TimeToMatch: times(recent), WholeRun: times(all), PlayersSee: []string{"time_to_match_s"}}
}

// In an aggregate the shares of the parts add up to 1 even if one run does not have all of the
// parts.
func TestAggregateOfParts(t *testing.T) {
	run := func(parts outcome.Parts) *result.Result {
		r := resulttest.Article()
		r.Summary.Rules = &outcome.Rules{Name: "ranked", Matches: 10, Relaxation: outcome.Relaxations{{Name: "skill", ShareRelaxed: 0.5, Stages: parts}}}
		return r
	}
	got := resulttest.Aggregate(
		run(outcome.Parts{{Name: "0", Count: 10, Share: 1}}), run(outcome.Parts{{Name: "0", Count: 8, Share: 0.8}, {Name: "3", Count: 2, Share: 0.2}}),
	).Rules
	want := outcome.Relaxations{{Name: "skill", ShareRelaxed: 0.5, Stages: outcome.Parts{{Name: "0", Count: 9, Share: 0.9}, {Name: "3", Count: 1, Share: 0.1}}}}
	checkEqual(t, 0, "relaxation", got.Relaxation, want)
	if got.Name != "ranked" {
		t.Errorf("aggregate: got ruleset %q, want ranked", got.Name)
	}
}
