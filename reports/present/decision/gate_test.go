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
	"mmsim/reports/phrase"
)

// held checks a sample against one limit.
func held(t *testing.T, s, baseline *judge.Sample, l judge.Limit) judge.LimitResult {
	t.Helper()
	l.Pattern = l.Name
	g := judge.CheckGate(s, baseline, []judge.Limit{l})
	verdict := g.Limits[0].Verdict
	if g.Passed != (verdict == judge.LimitHeld) {
		t.Errorf("got passed %v with the limit %s, want it true only for a held limit", g.Passed, verdict)
	}
	if g.PassUndecided(); g.Passed != (verdict != judge.LimitBroken) {
		t.Errorf("undecided limits pass: got passed %v with the limit %s, want it false only for a broken limit", g.Passed, verdict)
	}
	return g.Limits[0]
}

// waits returns a sample whose runs have these mean waits.
func waits(seed uint64, means ...outcome.Seconds) *judge.Sample {
	return resulttest.Sample("x", seed, len(means), func(run int, s *outcome.Summary) { s.Wait.Mean = means[run] })
}

// The mean of 1, 2 and 3 is 2 ± 4.30265/√3 = 2 ± 2.484. A limit inside the interval is undecided.
func TestGateBounds(t *testing.T) {
	s := waits(1, 1, 2, 3)
	for _, test := range []struct {
		kind  judge.LimitKind
		bound float64
		want  judge.LimitVerdict
	}{
		{judge.LimitMax, 4.49, judge.LimitHeld}, {judge.LimitMax, 4.48, judge.LimitUndecided}, {judge.LimitMax, 2, judge.LimitUndecided},
		{judge.LimitMin, 2, judge.LimitUndecided}, {judge.LimitMin, 4.48, judge.LimitUndecided}, {judge.LimitMin, 4.49, judge.LimitBroken},
	} {
		got := held(t, s, nil, judge.Limit{Name: "wait_s.mean", Kind: test.kind, Bound: judge.Optional(test.bound)})
		if got.Verdict != test.want || got.Value != 2 || math.Abs(float64(got.High)-4.4841) > 1e-3 {
			t.Errorf("%s %g: got %+v, want value 2, interval up to 4.484 and the verdict of the case", test.kind, test.bound, got)
		}
	}
	// A bound 1.5 away is decided by n runs if t*1/√n < 1.5: 4.30265/√3 = 2.484 for 3 runs,
	// 3.18245/√4 = 1.591 for 4, and 2.77645/√5 = 1.242 for 5.
	if got := held(t, s, nil, judge.Limit{Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 3.5}); got.RunsNeeded != 5 {
		t.Errorf("1.5 below the limit with a standard deviation of 1: got %d runs, want 5", got.RunsNeeded)
	}
	// Without an interval, and if no run differs from another, the value decides.
	for _, equal := range []*judge.Sample{waits(1, 2), waits(1, 2, 2), waits(1, 2, 2, 2)} {
		if got := held(t, equal, nil, judge.Limit{Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 2}); got.Verdict != judge.LimitHeld {
			t.Errorf("%d runs equal to the limit: got %+v, want held", equal.Replications(), got)
		}
		if got := held(t, equal, nil, judge.Limit{Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 1.999}); got.Verdict != judge.LimitBroken {
			t.Errorf("%d runs above the limit: got %+v, want broken", equal.Replications(), got)
		}
	}
	// In floating point, the mean of 0.1, 0.2 and 0.3 may exceed 0.2, and 3 * 0.1 exceeds 0.3.
	if got := held(t, waits(1, 0.1+0.2), nil, judge.Limit{Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 0.3}); got.Verdict != judge.LimitHeld {
		t.Errorf("maximum equal to the mean: got %+v, want held", got)
	}
}

// A limit on the change from a baseline is broken if the whole interval is beyond it, held if the
// whole interval is within it, and otherwise undecided.
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
		"paired, within noise":            {waits(1, 2.21, 2.59, 2.01, 2.39), judge.LimitMaxIncrease, 0.182, false, judge.LimitUndecided},
		"paired, estimate within":         {waits(1, 2.21, 2.59, 2.01, 2.39), judge.LimitMaxIncrease, 0.218, false, judge.LimitUndecided},
		"paired, interval within":         {waits(1, 2.21, 2.59, 2.01, 2.39), judge.LimitMaxIncrease, 0.219, false, judge.LimitHeld},
		"paired, share":                   {waits(1, 2.21, 2.61, 2.01, 2.41), judge.LimitMaxIncrease, 0.05, true, judge.LimitBroken},
		"paired, share in doubt":          {waits(1, 2.21, 2.61, 2.01, 2.41), judge.LimitMaxIncrease, 0.12, true, judge.LimitUndecided}, // -0.042 ± 0.0495
		"paired, share with room":         {waits(1, 2.21, 2.61, 2.01, 2.41), judge.LimitMaxIncrease, 0.13, true, judge.LimitHeld},      // -0.063 ± 0.0528,
		"change in the allowed direction": {waits(1, 2.21, 2.61, 2.01, 2.41), judge.LimitMaxDecrease, 0, false, judge.LimitHeld},
		"decrease":                        {waits(1, 1.81, 2.19, 1.61, 1.99), judge.LimitMaxDecrease, 0.18, false, judge.LimitBroken},
		"decrease, within noise":          {waits(1, 1.81, 2.19, 1.61, 1.99), judge.LimitMaxDecrease, 0.182, false, judge.LimitUndecided},
		"decrease, share":                 {waits(1, 1.81, 2.19, 1.61, 1.99), judge.LimitMaxDecrease, 0.05, true, judge.LimitBroken},
		"equal":                           {base, judge.LimitMaxIncrease, 0, false, judge.LimitHeld},
		// The same values as independent samples: the variation between runs hides the
		// difference.
		"unpaired":          {waits(2, 2.21, 2.59, 2.01, 2.39), judge.LimitMaxIncrease, 0, false, judge.LimitUndecided},
		"unpaired, large":   {waits(2, 4, 4.4, 3.8, 4.2), judge.LimitMaxIncrease, 0.5, true, judge.LimitBroken},
		"single":            {waits(1, 2.21), judge.LimitMaxIncrease, 0.1, true, judge.LimitUndecided}, // the same run of the baseline has 2
		"single, with room": {waits(1, 2.21), judge.LimitMaxIncrease, 0.11, true, judge.LimitHeld},
		"single decrease":   {waits(1, 1.79), judge.LimitMaxDecrease, 0.1, true, judge.LimitUndecided},
		// Two equal changes have no interval, three have one: 0.3 ± 4.30265 * 0.001/√18 = 0.3 ± 0.001.
		"two equal":          {waits(1, 2.3, 2.7), judge.LimitMaxIncrease, 0.2, false, judge.LimitUndecided},
		"two equal, within":  {waits(1, 2.3, 2.7), judge.LimitMaxIncrease, 0.4, false, judge.LimitHeld},
		"three equal":        {waits(1, 2.3, 2.7, 2.1), judge.LimitMaxIncrease, 0.2, false, judge.LimitBroken},
		"three equal, close": {waits(1, 2.3, 2.7, 2.1), judge.LimitMaxIncrease, 0.2995, false, judge.LimitUndecided},
	} {
		got := held(t, test.s, base, judge.Limit{Name: "wait_s.mean", Kind: test.kind, Bound: judge.Optional(test.bound), Relative: test.relative})
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
		"above":           {-1.79, judge.LimitMaxIncrease, judge.LimitUndecided},
		"below":           {-2.21, judge.LimitMaxDecrease, judge.LimitUndecided},
	} {
		if got := held(t, waits(1, test.mean), waits(1, -2), judge.Limit{Name: "wait_s.mean", Kind: test.kind, Bound: 0.1, Relative: true}); got.Verdict != test.want {
			t.Errorf("baseline below 0, %s: got %+v, want %s", name, got, test.want)
		}
	}
	// The metrics of a limit with stars share the chance of a false alarm, but each must hold by its
	// own interval. With 30 metrics the interval is 0.2 ± 0.073 (the 99.917 % point of t is 12.6).
	for bound, want := range map[float64]judge.LimitVerdict{0.12: judge.LimitBroken, 0.18: judge.LimitUndecided, 0.218: judge.LimitUndecided, 0.219: judge.LimitHeld} {
		l := judge.Limit{Name: "wait_s.mean", Kind: judge.LimitMaxIncrease, Bound: judge.Optional(bound), Among: 30}
		if got := held(t, waits(1, 2.21, 2.59, 2.01, 2.39), base, l); got.Verdict != want {
			t.Errorf("one of thirty limits of %g: got %+v, want %s", bound, got, want)
		}
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
		if got := g.Limits[0]; got.Verdict != test.want || got.Reason != test.reason || g.Passed != (test.want == judge.LimitHeld || test.want == judge.LimitSkipped) {
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
				Kind: judge.LimitMax, Bound: judge.Optional(bound), MinPlayers: minPlayers, Among: 3})
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
			t.Errorf("%s: got held, broken and skipped %v and passed %v\n%s", name, got, test.g.Passed, Gate(test.g, nil).Text(false))
		}
	}
	if text := Gate(star(none, 50, 0), nil).Text(false); !strings.Contains(text, "by_continent.AF.rtt_mean_ms  broken          at most 50 ms  not measured") {
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
		limits = append(limits, judge.Limit{Pattern: "by_hour.*.rtt_mean_ms", Name: name, Kind: judge.LimitMax, Bound: judge.Optional(bound), Among: 24, Line: 3, Column: 1})
	}
	g := judge.CheckGate(s, base, limits)
	text, page := Gate(g, nil).Text(false), Gate(g, nil).Markdown()
	for _, want := range []string{
		"x, mean of 3 runs, against x in 3 paired runs.",
		"wait_s.mean            undecided   2.270 s  at most 2.5 s                                                       1.54 to 3.00 s  9 runs might decide\n", // 2.27 ± 4.30265*0.2946/√3
		"wait_s.mean            broken      2.270 s  at most 5 % above the baseline   2.067 s    +0.203 s    +9.8 %  +0.175 to +0.232 s\n",
		"by_hour.7.rtt_mean_ms  broken     48.00 ms  at most 47 ms\n",
		"more, which --json lists\n",
		"the worst is by_hour.20.rtt_mean_ms with 48.00 ms\n",
		"Warning             3 pairs of runs: intervals are wide",
		"The gate is broken: 4 limits held, 21 broken, 1 undecided; mean wait of all searches is 2.270 s, at most 5 % above the baseline.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "by_hour.8.") || len(g.Lines()) != 3 || len(g.Lines()[2].With(judge.LimitBroken)) != 20 {
		t.Errorf("got %d lines of the gate, want 3, the last with 20 broken limits:\n%s", len(g.Lines()), text)
	}
	if !strings.Contains(page, `| wait\_s.mean | broken | 2.270 s | at most 5 % above`) {
		t.Errorf("want the row of wait_s.mean in the markdown, got:\n%s", page)
	}
	if want := "wait_s.mean is 2.270 s, at most 5 % above the baseline, 2.067 s: +0.203 s (+9.8 %), interval +0.175 to +0.232 s"; phrase.LimitMessage(&g.Limits[1]) != want {
		t.Errorf("got %s, want %s", phrase.LimitMessage(&g.Limits[1]), want)
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
