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
