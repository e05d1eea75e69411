package decision

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// held checks a sample against one limit.
func held(t *testing.T, s, baseline *judge.Sample, l judge.Limit) judge.LimitResult {
	t.Helper()
	l.Pattern = l.Name
	g := judge.CheckGate(s, baseline, []judge.Limit{l})
	if g.Passed != (g.Limits[0].Verdict != judge.LimitBroken) {
		t.Errorf("got passed %v with the limit %s, want it false only for a broken limit", g.Passed, g.Limits[0].Verdict)
	}
	return g.Limits[0]
}

// waits returns a sample whose runs have these mean waits.
func waits(seed uint64, means ...outcome.Seconds) *judge.Sample {
	return resulttest.Sample("x", seed, len(means), func(run int, s *outcome.Summary) { s.Wait.Mean = means[run] })
}

func TestGateBounds(t *testing.T) {
	s := waits(1, 1, 2, 3)
	for _, test := range []struct {
		kind  judge.LimitKind
		bound float64
		want  judge.LimitVerdict
	}{
		{judge.LimitMax, 2, judge.LimitHeld}, {judge.LimitMax, 1.999, judge.LimitBroken}, {judge.LimitMin, 2, judge.LimitHeld}, {judge.LimitMin, 2.001, judge.LimitBroken},
	} {
		if got := held(t, s, nil, judge.Limit{Name: "wait_s.mean", Kind: test.kind, Bound: test.bound}); got.Verdict != test.want || got.Value != 2 {
			t.Errorf("%s %g: got %+v, want value 2 and the verdict of the case", test.kind, test.bound, got)
		}
	}
	// In floating point, the mean of 0.1, 0.2 and 0.3 may exceed 0.2; the limit holds all the
	// same.
	if got := held(t, waits(1, 0.1, 0.2, 0.3), nil, judge.Limit{Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 0.2}); got.Verdict != judge.LimitHeld {
		t.Errorf("maximum equal to the mean: got %+v, want held", got)
	}
}

// A limit on the change from a baseline is broken only if the whole interval is beyond it.
func TestGateAgainstBaseline(t *testing.T) {
	base := waits(1, 2, 2.4, 1.8, 2.2) // mean 2.1
	for name, test := range map[string]struct {
		s        *judge.Sample
		kind     judge.LimitKind
		bound    float64
		relative bool
		want     judge.LimitVerdict
	}{
		// The differences are 0.2 ± 0.01, so their interval is 0.2 ± 3.18245*0.011547/2 = 0.2 ±
		// 0.01837.
		"paired, clear":                   {waits(1, 2.21, 2.59, 2.01, 2.39), judge.LimitMaxIncrease, 0.18, false, judge.LimitBroken},
		"paired, within noise":            {waits(1, 2.21, 2.59, 2.01, 2.39), judge.LimitMaxIncrease, 0.182, false, judge.LimitHeld},
		"paired, share":                   {waits(1, 2.21, 2.61, 2.01, 2.41), judge.LimitMaxIncrease, 0.05, true, judge.LimitBroken},
		"paired, share with room":         {waits(1, 2.21, 2.61, 2.01, 2.41), judge.LimitMaxIncrease, 0.12, true, judge.LimitHeld},
		"change in the allowed direction": {waits(1, 2.21, 2.61, 2.01, 2.41), judge.LimitMaxDecrease, 0, false, judge.LimitHeld},
		"decrease":                        {waits(1, 1.81, 2.19, 1.61, 1.99), judge.LimitMaxDecrease, 0.18, false, judge.LimitBroken},
		"decrease, within noise":          {waits(1, 1.81, 2.19, 1.61, 1.99), judge.LimitMaxDecrease, 0.182, false, judge.LimitHeld},
		"decrease, share":                 {waits(1, 1.81, 2.19, 1.61, 1.99), judge.LimitMaxDecrease, 0.05, true, judge.LimitBroken},
		"equal":                           {base, judge.LimitMaxIncrease, 0, false, judge.LimitHeld},
		// The same values as independent samples: the variation between runs hides the
		// difference.
		"unpaired":          {waits(2, 2.21, 2.59, 2.01, 2.39), judge.LimitMaxIncrease, 0, false, judge.LimitHeld},
		"unpaired, large":   {waits(2, 4, 4.4, 3.8, 4.2), judge.LimitMaxIncrease, 0.5, true, judge.LimitBroken},
		"single":            {waits(1, 2.21), judge.LimitMaxIncrease, 0.1, true, judge.LimitBroken}, // the same run of the baseline has 2
		"single, with room": {waits(1, 2.21), judge.LimitMaxIncrease, 0.11, true, judge.LimitHeld},
		"single decrease":   {waits(1, 1.79), judge.LimitMaxDecrease, 0.1, true, judge.LimitBroken},
	} {
		got := held(t, test.s, base, judge.Limit{Name: "wait_s.mean", Kind: test.kind, Bound: test.bound, Relative: test.relative})
		if got.Verdict != test.want {
			t.Errorf("%s: got %+v, want %s", name, got, test.want)
		}
	}
	// A relative limit on a negative metric, such as a mean advantage of -2, allows a share of
	// its absolute value.
	for name, test := range map[string]struct {
		mean outcome.Seconds
		kind judge.LimitKind
		want judge.LimitVerdict
	}{
		"equal, increase": {-2, judge.LimitMaxIncrease, judge.LimitHeld},
		"equal, decrease": {-2, judge.LimitMaxDecrease, judge.LimitHeld},
		"above":           {-1.79, judge.LimitMaxIncrease, judge.LimitBroken},
		"below":           {-2.21, judge.LimitMaxDecrease, judge.LimitBroken},
	} {
		if got := held(t, waits(1, test.mean), waits(1, -2), judge.Limit{Name: "wait_s.mean", Kind: test.kind, Bound: 0.1, Relative: true}); got.Verdict != test.want {
			t.Errorf("baseline below 0, %s: got %+v, want %s", name, got, test.want)
		}
	}
	// The metrics of a limit with stars share the chance of a false alarm.
	l := judge.Limit{Name: "wait_s.mean", Kind: judge.LimitMaxIncrease, Bound: 0.18, Among: 30}
	if got := held(t, waits(1, 2.21, 2.59, 2.01, 2.39), base, l); got.Verdict != judge.LimitHeld {
		t.Errorf("one of thirty limits: got %+v, want held", got)
	}
}

// A gate must not pass because there is nothing to judge: a metric that was not measured breaks
// its limit, unless the limit sets a minimum number of players.
func TestGateNotMeasured(t *testing.T) {
	s := resulttest.Sample("x", 1, 2, func(_ int, s *outcome.Summary) {
		s.RTT = outcome.RTTStats{}
		s.ByContinent[0].Served = outcome.Served{}
		s.ByContinent[2].Served.Players = 10
	})
	base := resulttest.Sample("x", 1, 2, func(_ int, s *outcome.Summary) { s.Wait = outcome.WaitStats{} })
	for _, test := range []struct {
		limit  judge.Limit
		want   judge.LimitVerdict
		reason string
	}{
		{judge.Limit{Name: "rtt_ms.mean", Kind: judge.LimitMax, Bound: 1e9}, judge.LimitBroken, "not measured"},
		{judge.Limit{Name: "rtt_ms.mean", Kind: judge.LimitMax, Bound: 1e9, MinPlayers: 1}, judge.LimitSkipped, "0 players, fewer than 1"},
		{judge.Limit{Name: "failed_wait_s.p95", Kind: judge.LimitMax, Bound: 1}, judge.LimitBroken, "not measured"},
		{judge.Limit{Name: "failed_wait_s.p95", Kind: judge.LimitMax, Bound: 1, MinPlayers: 1}, judge.LimitSkipped, "0 players, fewer than 1"},
		{judge.Limit{Name: "failed_wait_s.count", Kind: judge.LimitMax}, judge.LimitHeld, ""}, // a count of 0 is measured
		{judge.Limit{Name: "by_continent.EU.rtt_mean_ms", Kind: judge.LimitMax, Bound: 1, MinPlayers: 11}, judge.LimitSkipped, "10 players, fewer than 11"},
		{judge.Limit{Name: "by_continent.EU.rtt_mean_ms", Kind: judge.LimitMax, Bound: 1, MinPlayers: 10}, judge.LimitBroken, ""},
		{judge.Limit{Name: "wait_s.mean", Kind: judge.LimitMaxIncrease}, judge.LimitBroken, "not measured in the baseline"},
	} {
		test.limit.Pattern = test.limit.Name
		g := judge.CheckGate(s, base, []judge.Limit{test.limit})
		if got := g.Limits[0]; got.Verdict != test.want || got.Reason != test.reason || g.Passed != (test.want != judge.LimitBroken) {
			t.Errorf("%+v: got verdict %s, reason %q and passed %v", test.limit, got.Verdict, got.Reason, g.Passed)
		}
	}
}

// A limit with stars skips groups that were not measured, unless no group was.
func TestGateStarNotMeasured(t *testing.T) {
	star := func(s *judge.Sample, bound, minPlayers float64) *judge.GateResult {
		var limits []judge.Limit
		for _, continent := range []string{"AF", "NA", "EU"} {
			limits = append(limits, judge.Limit{Name: "by_continent." + continent + ".rtt_mean_ms", Pattern: "by_continent.*.rtt_mean_ms",
				Kind: judge.LimitMax, Bound: bound, MinPlayers: minPlayers, Among: 3})
		}
		return judge.CheckGate(s, nil, limits)
	}
	one := resulttest.Sample("x", 1, 2, func(_ int, s *outcome.Summary) {
		for i := range s.ByContinent {
			s.ByContinent[i].Served = outcome.Served{}
		}
		s.ByContinent[2].Served = outcome.Served{Players: 10, RTTMean: 50} // EU
	})
	none := resulttest.Sample("x", 1, 2, func(_ int, s *outcome.Summary) {
		for i := range s.ByContinent {
			s.ByContinent[i].Served = outcome.Served{}
		}
	})
	for name, test := range map[string]struct {
		g      *judge.GateResult
		passed bool
		want   [3]int // held, broken, skipped
	}{
		"one measured":           {star(one, 60, 0), true, [3]int{1, 0, 2}},
		"one measured, broken":   {star(one, 40, 0), false, [3]int{0, 1, 2}},
		"none measured":          {star(none, 1e9, 0), false, [3]int{0, 3, 0}},
		"one group large enough": {star(one, 60, 10), true, [3]int{1, 0, 2}},
		"no group large enough":  {star(one, 60, 11), false, [3]int{0, 3, 0}},
	} {
		if got := [3]int{test.g.Count(judge.LimitHeld), test.g.Count(judge.LimitBroken), test.g.Count(judge.LimitSkipped)}; got != test.want || test.g.Passed != test.passed {
			t.Errorf("%s: got held, broken and skipped %v and passed %v\n%s", name, got, test.g.Passed, GateText(test.g, false))
		}
	}
	if text := GateText(star(none, 50, 0), false); !strings.Contains(text, "broken  by_continent.AF.rtt_mean_ms         at most 50 ms: not measured") {
		t.Errorf("want the limit broken, because it was not measured, got:\n%s", text)
	}
}

func TestGateForms(t *testing.T) {
	base, s := waits(1, 2, 2.4, 1.8), waits(1, 2.21, 2.59, 2.01)
	limits := []judge.Limit{
		{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 2.5, Line: 1, Column: 1},
		{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: judge.LimitMaxIncrease, Bound: 0.05, Relative: true, Line: 2, Column: 1},
	}
	for i := range 24 {
		name := strings.ReplaceAll("by_hour.N.rtt_mean_ms", "N", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
			"13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23"}[i])
		bound := 47.0 // the metric is 48
		if i >= 20 {
			bound = 48
		}
		limits = append(limits, judge.Limit{Pattern: "by_hour.*.rtt_mean_ms", Name: name, Kind: judge.LimitMax, Bound: bound, Among: 24, Line: 3, Column: 1})
	}
	g := judge.CheckGate(s, base, limits)
	text, page := GateText(g, false), GateMarkdown(g)
	for _, want := range []string{
		"x, mean of 3 runs, against x in 3 paired runs",
		"held    wait_s.mean             2.270 s  at most 2.5 s\n",
		"broken  wait_s.mean             2.270 s  at most 5 % above the baseline, 2.067 s: +0.203 s (+9.8 %), interval +0.175 to +0.232 s\n",
		"broken  by_hour.7.rtt_mean_ms  48.00 ms  at most 47 ms\n",
		"broken  by_hour.*.rtt_mean_ms  12 of 24  more, which --json lists\n",
		"held    by_hour.*.rtt_mean_ms   4 of 24  at most 47 ms\n",
		"Warning             3 pairs of runs: intervals are wide",
		"\n5 limits held, 21 broken\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "by_hour.8.") || len(g.Lines()) != 3 || len(g.Lines()[2].Broken()) != 20 {
		t.Errorf("got %d lines of the gate, want 3, the last with 20 broken limits:\n%s", len(g.Lines()), text)
	}
	if !strings.Contains(page, `| broken | wait\_s.mean | 2.270 s | at most 5 % above`) {
		t.Errorf("want the row of wait_s.mean in the markdown, got:\n%s", page)
	}
	if want := "wait_s.mean is 2.270 s, at most 5 % above the baseline, 2.067 s: +0.203 s (+9.8 %), interval +0.175 to +0.232 s"; LimitMessage(&g.Limits[1]) != want {
		t.Errorf("got %s, want %s", LimitMessage(&g.Limits[1]), want)
	}
	var out bytes.Buffer
	if err := g.Write(&out); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Passed bool
		Limits []struct{ Metric, Verdict string }
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil || read.Passed || len(read.Limits) != 26 || read.Limits[1].Verdict != "broken" {
		t.Errorf("gate read back: got %+[2]v (error %[1]v), want 26 limits, the second broken, and not passed", err, read)
	}
	if slices.ContainsFunc(g.Limits, func(r judge.LimitResult) bool { return math.IsNaN(float64(r.Value)) }) {
		t.Error("a limit has the value NaN, want a number")
	}
}
