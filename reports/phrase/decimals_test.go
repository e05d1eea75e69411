package phrase_test

import (
	"math"
	"testing"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
)

// Counts have decimals only where the interval justifies them, or where the count is small.
func TestDecimalsOfCounts(t *testing.T) {
	const players outcome.Unit = "players"
	none := judge.Optional(math.NaN())
	for _, test := range []struct {
		unit                        outcome.Unit
		difference, low, high, from judge.Optional
		want                        int
	}{
		{players, 5, none, none, 138, 0},            // whole counts of one pair
		{players, 0, none, none, 7, 0},              // equal ones
		{players, 0.5, none, none, 7, 3},            // a mean: two digits of 0.05
		{players, 6.5, 0.4, 12.4, 339.25, 0},        // half the interval is 6
		{players, 0.3, -5, 5, 339, 1},               // a difference that would be 0
		{players, 0.03, 0.01, 0.05, 144, 3},         // an interval of hundredths
		{players, 18, 9.3, 26.7, 36, 1},             // a small count
		{outcome.UnitSeconds, 5, none, none, 17, 2}, // no count
	} {
		if got := phrase.Decimals(test.unit, test.difference, test.low, test.high, test.from); got != test.want {
			t.Errorf("%+v: got %d decimals, want %d", test, got, test.want)
		}
	}
}

// Means have three digits, or as many as show that they differ.
func TestMeans(t *testing.T) {
	for _, test := range []struct {
		unit        outcome.Unit
		a, b        judge.Optional
		wantA, want string
	}{
		{outcome.UnitSeconds, 123.456, 234.567, "123 s", "235 s"},
		{outcome.UnitMillis, 52.98, 57.49, "53.0 ms", "57.5 ms"},
		{outcome.UnitMillis, 52.98, 52.99, "52.98 ms", "52.99 ms"},
		{outcome.UnitShare, 0.74604, 0.75623, "74.6 %", "75.6 %"},
		{"players", 123456, 234567, "123,456", "234,567"},
	} {
		if a, b := phrase.Means(&judge.Difference{In: test.unit, A: test.a, B: test.b}); a != test.wantA || b != test.want {
			t.Errorf("%v and %v: got %s and %s, want %s and %s", test.a, test.b, a, b, test.wantA, test.want)
		}
	}
}

// The title of a front names what every goal does in the runs that the search did not use.
func TestFrontTitle(t *testing.T) {
	tuning := &judge.Tuning{
		Search: judge.Search{
			Goals:    []judge.Goal{{Name: "rtt_ms.mean"}, {Name: "wait_s.mean"}},
			Measures: judge.Measures{Metrics: []string{"rtt_ms.mean", "wait_s.mean", "players.unmatched_share"}},
			Trials:   make([]judge.TuningTrial, 4),
		},
		Best: 3, Front: []int{1, 3},
		Holdout: &judge.Comparison{RunsB: 4, Metrics: judge.Differences{
			{Name: "wait_s.mean", In: outcome.UnitSeconds, A: 4, B: 4, Verdict: judge.VerdictSmall},
			{Name: "rtt_ms.mean", In: outcome.UnitMillis, A: 50, B: 45, Difference: -5, Verdict: judge.VerdictBetter},
			{Name: "players.unmatched_share", In: outcome.UnitShare, A: 0.1, B: 0.2, Difference: 0.1, Verdict: judge.VerdictWorse},
		}},
	}
	want := "Trial 3 of a front of 2, in 4 other runs: mean RTT 10 % lower, no difference in mean wait of all searches that matters"
	if got := phrase.Front(tuning); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
