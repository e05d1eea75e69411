package engine

import (
	"fmt"
	"testing"

	"mmsim/matcher"
)

// A session is served in the same way whether the index leaves out tickets that cannot join it or
// not. A second build of the same pool has a sort rule under which all tickets are equal. It
// therefore lists all candidates of a ticket at once.
func TestSessionsAmongManyTickets(t *testing.T) {
	equal := &matcher.Sort{SeatCommon: matcher.SeatCommon{Name: "equal"}, Column: modeColumn}
	for _, oldest := range []bool{false, true} {
		for _, priority := range []matcher.Priority{matcher.HighPriority, matcher.NormalPriority, matcher.LowPriority} {
			var first string
			for i, rules := range []*matcher.Ruleset{seated(), seated(), seated(equal)} {
				rules.Seats.Oldest, rules.Seats.Priority = oldest, matcher.Steps[matcher.Priority]{{Value: priority}}
				crowd := newBenchCrowd(&benchRuleset{rules: rules}, false, 1500)
				sessions := backfillSessions(t, rules, crowd, 40)
				pool, err := NewPool(rules, crowd.schema)
				if err != nil {
					t.Fatal(err)
				}
				pool.Unfiltered = i == 1
				r := benchRun{Pool: pool, crowd: crowd, places: crowd.places(t, pool)}
				for k := range 600 {
					r.add(t, int64(k)*100)
				}
				for _, s := range sessions {
					if _, err := pool.AddSession(s); err != nil {
						t.Fatal(err)
					}
				}
				out := pool.Pass(60_000)
				got := fmt.Sprint(out.Backfills, out.Matches)
				if i == 0 {
					first = got
				}
				if got != first {
					t.Errorf("oldest %v, priority %v, build %d: got\n%s\nwant\n%s", oldest, priority, i, got, first)
				}
				if served := len(out.Backfills); served == 0 && priority != matcher.LowPriority {
					t.Errorf("oldest %v, priority %v: no session was served", oldest, priority)
				}
			}
		}
	}
}

// A pass makes the same matches whether the index counts players with and without a role or not. Most
// tickets can play a role of which a team may have only one player.
func TestTooManyHealers(t *testing.T) {
	for _, least := range []float64{0, 1} { // with 1, each team also needs a player with the role
		rules := healerLimit()
		rules.Seats.Rules[0].(*matcher.Collection).Min = matcher.Steps[float64]{{Value: least}}
		crowd := healerCrowd(rules, 400)
		var first string
		for i := range 2 {
			pool, err := NewPool(rules, crowd.schema)
			if err != nil {
				t.Fatal(err)
			}
			pool.Unfiltered = i == 1
			r := benchRun{Pool: pool, crowd: crowd, places: crowd.places(t, pool)}
			got, matches := "", 0
			for pass := range 4 {
				for k := range 100 {
					r.add(t, int64(100*pass+k)*100)
				}
				out := pool.Pass(int64(pass+1) * 15_000)
				got += fmt.Sprint(out.Matches)
				matches += len(out.Matches)
			}
			if i == 0 {
				first = got
			}
			if got != first || matches == 0 {
				t.Errorf("at least %v: got %d matches %s, want some and the same as without counting: %s", least, matches, first, got)
			}
		}
	}
}

// A search that cannot succeed ends with the budget too, and is reported: 10 steps are 50 attempts to
// seat a ticket. All tickets have the same mode, which no two players of a match may have, and the
// index knows nothing of this rule.
func TestBudgetEndsSearchThatCannotSucceed(t *testing.T) {
	for _, c := range []struct{ tickets, hits int }{{20, 0}, {200, 100}} {
		one := matcher.Steps[float64]{{Value: 1}}
		rules := seatedBy(&matcher.Comparison{SeatCommon: matcher.SeatCommon{Name: "differ"}, Operation: "!=",
			Measured: []*matcher.Expression{seatFunction(matcher.Flatten, seatPath(modeColumn, matcher.Texts, 0, 1))}})
		rules.MinPlayers, rules.MaxPlayers, rules.Budget = 2, 2, 10
		rules.Seats.Teams = []matcher.SeatTeam{{Name: "red", Min: one, Max: one}, {Name: "blue", Min: one, Max: one}}
		crowd := newBenchCrowd(&benchRuleset{rules: rules}, false, c.tickets)
		for i := range crowd.tickets {
			crowd.tickets[i].Players[0].Values[modeColumn] = matcher.TextValue(0)
			crowd.tickets[i].Values[modeColumn] = matcher.TextValue(0)
		}
		pool, err := NewPool(rules, crowd.schema)
		if err != nil {
			t.Fatal(err)
		}
		r := benchRun{Pool: pool, crowd: crowd, places: crowd.places(t, pool)}
		for i := range c.tickets {
			r.add(t, int64(i))
		}
		out := pool.Pass(1000)
		if len(out.Matches) != 0 || len(out.BudgetHits) < c.hits || c.hits == 0 && len(out.BudgetHits) > 0 {
			t.Errorf("%d tickets: got %d matches and %d budget hits, want no match and at least %d hits", c.tickets, len(out.Matches), len(out.BudgetHits), c.hits)
		}
	}
}
