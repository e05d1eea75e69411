package figure

import (
	"fmt"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// The picture of steps says how many players are matched before and after rules are relaxed, and in
// which states. It is absent if nothing opens, and if nobody is matched.
func TestStepsPicture(t *testing.T) {
	r := resulttest.Rules()
	r.Summary.WaitFirst.Count = 1000
	add := func(of string, at outcome.Seconds, opens string, players int) {
		r.Steps = append(r.Steps, result.Step{Of: of, At: at, Opens: opens, Players: players})
	}
	title := func(want string) {
		t.Helper()
		plots := plotSteps(r, nil)
		if len(plots) != 1 || plots[0].Title != want {
			t.Fatalf("got pictures %+v, want one with the title %q", plots, want)
		}
		checkTexts(t, plots)
	}
	add(result.OfRules, 0, "as at the start", 900)
	if plots := plotSteps(r, nil); len(plots) != 0 {
		t.Errorf("nothing opens: got %d pictures, want none", len(plots))
	}
	add(result.OfRules, 10.001, "skill step 1", 30)
	add(result.OfRules, 75, "skill step 2, region <&> optional", 70)
	title("90.0 % of first searches are matched before any rule is relaxed (after 10 s); of the later steps, that at 1 min 15 s brings most: 7.0 %")
	for i := range 40 {
		add(result.OfRules, outcome.Seconds(80+5*i), fmt.Sprint(strings.Repeat("long name ", 20), i), 0)
	}
	title("90.0 % of first searches are matched before any rule is relaxed (after 10 s); of the later steps, that at 1 min 15 s brings most: 7.0 %")
	r.Steps = nil
	add(result.OfStates, 0, "IDEAL", 860)
	add(result.OfStates, 9, "EXPAND", 100)
	add(result.OfStates, 10, "WARMBODY", 40)
	title("86.0 % of first searches are matched in IDEAL, 10.0 % in EXPAND, 4.0 % in WARMBODY")
	r.Summary.WaitFirst.Count = 0
	if plots := plotSteps(r, nil); len(plots) != 0 {
		t.Errorf("nobody is matched: got %d pictures, want none", len(plots))
	}
}
