package outcome

import (
	"math"
	"testing"
)

func TestMatters(t *testing.T) {
	values := map[string]float64{"players.entries": 200_000, "gone": math.NaN()}
	valueOf := func(name string) float64 { return values[name] }
	for _, test := range []struct {
		name         string
		before, want float64
	}{
		{"wait_s.mean", 2, 0.2}, {"wait_s.p95", 10, 0.5}, {"rtt_ms.mean", 40, 1}, {"rtt_ms.p95", 200, 4},
		{"rtt_ms.share_le_50", 0.9, 0.005}, {"matches.count", 5000, 50}, {"matches.count", 0, 0},
		{"players.failed", 0, 200}, {"players.failed", 30_000, 300}, {"players.unmatched_share", 0.01, 0.001},
	} {
		m, is := Find(test.name)
		if got := m.Matters.Least(test.before, valueOf); !is || math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s, before %g: got %g, want %g", test.name, test.before, got, test.want)
		}
	}
	of := Matters{Relative: 0.01, Share: 0.001, Of: "players.entries"}
	if got := of.Least(100, valueOf); got != 200 {
		t.Errorf("1%% and 0.1%% of 200,000: got %g, want 200", got)
	}
	if got := of.Least(30_000, valueOf); got != 300 {
		t.Errorf("1%% of 30,000 and 0.1%% of 200,000: got %g, want 300", got)
	}
	of.Of = "gone"
	if got := of.Least(100, valueOf); got != 1 {
		t.Errorf("1%% of 100 and a share of an unknown number: got %g, want 1", got)
	}
}

func TestParseMatters(t *testing.T) {
	resolve := func(key string) string { return "players." + key }
	for tag, want := range map[string]Matters{
		"0.1pp":                  {Absolute: 0.001},
		"5% and 0.2":             {Relative: 0.05, Absolute: 0.2},
		"1% and 0.1% of entries": {Relative: 0.01, Share: 0.001, Of: "players.entries"},
	} {
		if got := parseMatters(tag, resolve); got != want {
			t.Errorf("%q: got %+v, want %+v", tag, got, want)
		}
	}
}

// Percentiles are as coarse as what they are percentiles of: RTTs are stored in 1/16 ms, and the
// waits of returning players are whole ticks. The other numbers are as coarse as their digits.
func TestStep(t *testing.T) {
	for name, want := range map[string]Step{
		"wait_s.p95": {0.001, true}, "by_hour.3.wait_p95_s": {0.001, true}, "queues.duel.wait_first_s.max": {0.001, true}, "wait_s.mean": {0.001, false},
		"rtt_ms.p95": {1.0 / 16, false}, "by_continent.EU.rtt_p95_ms": {1.0 / 16, false}, "rtt_ms.mean": {0.01, false},
		"rtt_ms.share_le_50": {1e-5, false}, "players.failed": {1, false}, "players.declined": {1, false}, "ccu.mean": {0.001, false}, "attributes.mmr.spread_p95": {0, false},
	} {
		if m, is := Find(name); !is || m.Step != want {
			t.Errorf("%s: got %+v, want %+v", name, m.Step, want)
		}
	}
}
