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
				rules.Seats.Oldest, rules.Seats.Backfill = oldest, matcher.Steps[matcher.Priority]{{Value: priority}}
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
