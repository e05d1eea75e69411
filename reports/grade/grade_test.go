package grade

import (
	"testing"

	"mmsim/reports/outcome"
)

// limits suit a game whose players notice 30 ms.
var limits = &outcome.Limits{
	Wait:      &outcome.WaitLimits{Good: 5, Fair: 8},
	RTT:       &outcome.RTTLimits{Good: 30, Fair: 60},
	Unmatched: &outcome.UnmatchedLimits{Good: 0, Fair: 0.0025},
}

func TestClassesOfRTTs(t *testing.T) {
	for _, test := range []struct {
		limits  RTTs
		classes map[float64]int
	}{
		{RTTs{Good: 50, Fair: 100}, map[float64]int{0: 0, 25: 0, 25.1: 1, 50: 1, 50.1: 2, 75: 2, 100: 3, 100.1: 4, 200: 4, 200.1: 5, 9999: 5}},
		{RTTs{Good: 30, Fair: 60}, map[float64]int{15: 0, 15.1: 1, 30: 1, 30.1: 2, 45: 2, 45.1: 3, 60: 3, 60.1: 4, 120: 4, 120.1: 5}},
	} {
		for rtt, want := range test.classes {
			if got := test.limits.Classes().Of(rtt); got != want {
				t.Errorf("%+v: class of %g ms: got %d, want %d", test.limits, rtt, got, want)
			}
		}
	}
	if got, want := (&RTTs{Good: 30, Fair: 60}).Classes().Names(), [ClassCount]string{"at most 15 ms", "15–30", "30–45", "45–60", "60–120", "more than 120 ms"}; got != want {
		t.Errorf("got class names %q, want %q", got, want)
	}
}

// Limits that the configuration sets replace the default limits.
func TestLimitsInForce(t *testing.T) {
	thresholds := outcome.Thresholds{Ideal: 40, Expand: 90}
	if got, want := RTTsOf(thresholds, &outcome.Limits{}), (RTTs{40, 90, "ideal", "expand", false}); got != want {
		t.Errorf("without limits: got %v, want %v", got, want)
	}
	if got, want := RTTsOf(thresholds, limits), (RTTs{30, 60, "good", "fair", true}); got != want {
		t.Errorf("with limits: got %v, want %v", got, want)
	}
	for own, want := range map[*outcome.Limits][4]float64{nil: {10, 30, 0.001, 0.01}, {}: {10, 30, 0.001, 0.01}, limits: {5, 8, 0, 0.0025}} {
		good, fair := Waits(own)
		goodShare, fairShare := Unmatched(own)
		if got := [4]float64{float64(good), float64(fair), float64(goodShare), float64(fairShare)}; got != want {
			t.Errorf("limits %v: got %v, want %v", own, got, want)
		}
	}
}

func TestWithin(t *testing.T) {
	s := &outcome.Summary{RTT: outcome.RTTStats{ShareLEIdeal: 0.9, ShareLEExpand: 0.99}}
	if _, good, fair := Within(s); good != 0.9 || fair != 0.99 {
		t.Errorf("without limits: got shares %v good and %v fair, want 0.9 and 0.99", good, fair)
	}
	s.Limits = &outcome.Limits{RTT: &outcome.RTTLimits{Classes: outcome.Classes{ShareGood: 0.33333, ShareFair: 0.33334, SharePoor: 0.33333}}}
	if _, good, fair := Within(s); good != 0.33333 || fair != 0.66667 {
		t.Errorf("with limits: got shares %v good and %v fair, want 0.33333 and 0.66667", good, fair)
	}
}

func TestShare(t *testing.T) {
	for share, want := range map[outcome.Share]string{0: "0.0 %", 0.001: "0.1 %", 0.01: "1.0 %", 0.0025: "0.25 %", 0.00001: "0.001 %", 1: "100.0 %"} {
		if got := Share(share); got != want {
			t.Errorf("Share(%v): got %q, want %q", float64(share), got, want)
		}
	}
}

func TestUnlike(t *testing.T) {
	own := func(l *outcome.Limits) *outcome.Summary {
		return &outcome.Summary{Thresholds: outcome.Thresholds{Ideal: 50, Expand: 100}, Limits: l}
	}
	counted := *limits.RTT
	counted.ShareGood = 0.7
	for _, test := range []struct {
		a, b *outcome.Limits
		want string
	}{
		{nil, nil, ""},
		{limits, limits, ""},
		{limits, &outcome.Limits{Wait: limits.Wait, RTT: &counted, Unmatched: limits.Unmatched}, ""}, // only the measured shares differ
		{nil, &outcome.Limits{RTT: &outcome.RTTLimits{Good: 50, Fair: 100}}, ""},                     // own limits that equal the thresholds
		{nil, &outcome.Limits{RTT: limits.RTT}, "RTT 50 and 100 ms in A, 30 and 60 ms in B"},
		{limits, nil, "wait 5 and 8 s in A, 10 and 30 s in B, RTT 30 and 60 ms in A, 50 and 100 ms in B, unmatched 0.0 % and 0.25 % in A, 0.1 % and 1.0 % in B"},
	} {
		if got := Unlike(own(test.a), own(test.b)); got != test.want {
			t.Errorf("Unlike(%v, %v): got %q, want %q", test.a, test.b, got, test.want)
		}
	}
	b := own(nil)
	b.Thresholds.Ideal = 20
	if got := Unlike(own(nil), b); got != "" {
		t.Errorf("different thresholds without limits: got %q, want no difference, because the thresholds are compared themselves", got)
	}
}
