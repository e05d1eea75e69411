package reports

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// held judges one limit on a number of samples.
func held(t *testing.T, s, baseline *Sample, l Limit) LimitResult {
	t.Helper()
	l.Pattern = l.Name
	g := CheckGate(s, baseline, []Limit{l})
	if g.Passed != (g.Limits[0].Verdict != LimitBroken) {
		t.Errorf("passed is %v, the limit %s", g.Passed, g.Limits[0].Verdict)
	}
	return g.Limits[0]
}

// waits makes a sample whose mean waits are given.
func waits(seed uint64, means ...Seconds) *Sample {
	return sampleOf("x", seed, len(means), func(run int, s *Summary) { s.Wait.Mean = means[run] })
}

func TestGateBounds(t *testing.T) {
	s := waits(1, 1, 2, 3)
	for _, test := range []struct {
		kind  LimitKind
		bound float64
		want  LimitVerdict
	}{
		{LimitMax, 2, LimitHeld}, {LimitMax, 1.999, LimitBroken}, {LimitMin, 2, LimitHeld}, {LimitMin, 2.001, LimitBroken},
	} {
		if got := held(t, s, nil, Limit{Name: "wait_s.mean", Kind: test.kind, Bound: test.bound}); got.Verdict != test.want || got.Value != 2 {
			t.Errorf("%s %g: %+v", test.kind, test.bound, got)
		}
	}
	// A mean of decimal fractions is not quite one: 0.1, 0.2 and 0.3 are at most 0.2.
	if got := held(t, waits(1, 0.1, 0.2, 0.3), nil, Limit{Name: "wait_s.mean", Kind: LimitMax, Bound: 0.2}); got.Verdict != LimitHeld {
		t.Errorf("%+v", got)
	}
}

// Against a baseline the whole interval must lie beyond the limit.
func TestGateAgainstBaseline(t *testing.T) {
	base := waits(1, 2, 2.4, 1.8, 2.2) // mean 2.1
	for name, test := range map[string]struct {
		s        *Sample
		kind     LimitKind
		bound    float64
		relative bool
		want     LimitVerdict
	}{
		// Differences 0.2 ± 0.01: their interval is 0.2 ± 3.18245*0.011547/2 = 0.2 ± 0.01837.
		"paired, clear":           {waits(1, 2.21, 2.59, 2.01, 2.39), LimitMaxIncrease, 0.18, false, LimitBroken},
		"paired, within noise":    {waits(1, 2.21, 2.59, 2.01, 2.39), LimitMaxIncrease, 0.182, false, LimitHeld},
		"paired, share":           {waits(1, 2.21, 2.61, 2.01, 2.41), LimitMaxIncrease, 0.05, true, LimitBroken},
		"paired, share with room": {waits(1, 2.21, 2.61, 2.01, 2.41), LimitMaxIncrease, 0.12, true, LimitHeld},
		"the other way":           {waits(1, 2.21, 2.61, 2.01, 2.41), LimitMaxDecrease, 0, false, LimitHeld},
		"decrease":                {waits(1, 1.81, 2.19, 1.61, 1.99), LimitMaxDecrease, 0.18, false, LimitBroken},
		"decrease, within noise":  {waits(1, 1.81, 2.19, 1.61, 1.99), LimitMaxDecrease, 0.182, false, LimitHeld},
		"decrease, share":         {waits(1, 1.81, 2.19, 1.61, 1.99), LimitMaxDecrease, 0.05, true, LimitBroken},
		"equal":                   {base, LimitMaxIncrease, 0, false, LimitHeld},
		// The same values as independent samples: the days hide the difference.
		"unpaired":          {waits(2, 2.21, 2.59, 2.01, 2.39), LimitMaxIncrease, 0, false, LimitHeld},
		"unpaired, large":   {waits(2, 4, 4.4, 3.8, 4.2), LimitMaxIncrease, 0.5, true, LimitBroken},
		"single":            {waits(1, 2.21), LimitMaxIncrease, 0.1, true, LimitBroken}, // of 2 in the same run
		"single, with room": {waits(1, 2.21), LimitMaxIncrease, 0.11, true, LimitHeld},
		"single decrease":   {waits(1, 1.79), LimitMaxDecrease, 0.1, true, LimitBroken},
	} {
		got := held(t, test.s, base, Limit{Name: "wait_s.mean", Kind: test.kind, Bound: test.bound, Relative: test.relative})
		if got.Verdict != test.want {
			t.Errorf("%s: %+v, want %s", name, got, test.want)
		}
	}
	// A share of a number below 0, such as a mean advantage of -2, allows what it does above.
	for name, test := range map[string]struct {
		mean Seconds
		kind LimitKind
		want LimitVerdict
	}{
		"equal, increase": {-2, LimitMaxIncrease, LimitHeld},
		"equal, decrease": {-2, LimitMaxDecrease, LimitHeld},
		"above":           {-1.79, LimitMaxIncrease, LimitBroken},
		"below":           {-2.21, LimitMaxDecrease, LimitBroken},
	} {
		if got := held(t, waits(1, test.mean), waits(1, -2), Limit{Name: "wait_s.mean", Kind: test.kind, Bound: 0.1, Relative: true}); got.Verdict != test.want {
			t.Errorf("below 0, %s: %+v, want %s", name, got, test.want)
		}
	}
	// A line with many numbers shares its chance of a false alarm among them.
	l := Limit{Name: "wait_s.mean", Kind: LimitMaxIncrease, Bound: 0.18, Among: 30}
	if got := held(t, waits(1, 2.21, 2.59, 2.01, 2.39), base, l); got.Verdict != LimitHeld {
		t.Errorf("one of thirty: %+v", got)
	}
}

// Noise breaks a limit of no increase one time in forty, a regression twice as large as
// what is allowed nearly always.
func TestGateNoise(t *testing.T) {
	const experiments, runs = 1000, 6
	r := rand.New(rand.NewPCG(3, 4))
	limit := Limit{Name: "wait_s.mean", Kind: LimitMaxIncrease, Relative: true}
	alarms, missed := 0, 0
	base, same, worse := waits(1, make([]Seconds, runs)...), waits(1, make([]Seconds, runs)...), waits(1, make([]Seconds, runs)...)
	figureOf := func(s *Sample) map[string]*figure {
		f := &figure{unit: UnitSeconds}
		for _, run := range s.Runs {
			f.runs = append(f.runs, float64(run.Wait.Mean))
		}
		f.moments = momentsOf(f.runs)
		return map[string]*figure{"wait_s.mean": f}
	}
	pairs, _ := pairRuns(base, same)
	for range experiments {
		for i := range runs {
			day := 2 + 0.2*r.NormFloat64() // what both share
			base.Runs[i].Wait.Mean = Seconds(day + 0.03*r.NormFloat64())
			same.Runs[i].Wait.Mean = Seconds(day + 0.03*r.NormFloat64())
			worse.Runs[i].Wait.Mean = Seconds(1.1*day + 0.03*r.NormFloat64())
		}
		limit.Bound = 0
		if got := limit.hold(figureOf(same), figureOf(base), pairs); got.Verdict == LimitBroken {
			alarms++
		}
		limit.Bound = 0.05
		if got := limit.hold(figureOf(worse), figureOf(base), pairs); got.Verdict != LimitBroken {
			missed++
		}
	}
	// 25 of 1000 are expected, with a standard deviation of 5.
	if alarms < 10 || alarms > 40 || missed > 50 {
		t.Errorf("%d alarms at noise, %d of %d regressions missed", alarms, missed, experiments)
	}
	t.Logf("%d alarms at noise, %d of %d regressions missed", alarms, missed, experiments)
}

// A gate does not pass because there is nothing to look at: a number that was not measured
// breaks its limit, unless the gate says how many players it takes.
func TestGateNotMeasured(t *testing.T) {
	s := sampleOf("x", 1, 2, func(_ int, s *Summary) {
		s.RTT = RTTStats{}
		s.ByContinent[0].Served = Served{}
		s.ByContinent[2].Served.Players = 10
	})
	base := sampleOf("x", 1, 2, func(_ int, s *Summary) { s.Wait = WaitStats{} })
	for _, test := range []struct {
		limit  Limit
		want   LimitVerdict
		reason string
	}{
		{Limit{Name: "rtt_ms.mean", Kind: LimitMax, Bound: 1e9}, LimitBroken, "not measured"},
		{Limit{Name: "rtt_ms.mean", Kind: LimitMax, Bound: 1e9, MinPlayers: 1}, LimitSkipped, "0 players, fewer than 1"},
		{Limit{Name: "failed_wait_s.p95", Kind: LimitMax, Bound: 1}, LimitBroken, "not measured"},
		{Limit{Name: "failed_wait_s.p95", Kind: LimitMax, Bound: 1, MinPlayers: 1}, LimitSkipped, "0 players, fewer than 1"},
		{Limit{Name: "failed_wait_s.count", Kind: LimitMax}, LimitHeld, ""}, // a count of 0 is measured
		{Limit{Name: "by_continent.EU.rtt_mean_ms", Kind: LimitMax, Bound: 1, MinPlayers: 11}, LimitSkipped, "10 players, fewer than 11"},
		{Limit{Name: "by_continent.EU.rtt_mean_ms", Kind: LimitMax, Bound: 1, MinPlayers: 10}, LimitBroken, ""},
		{Limit{Name: "wait_s.mean", Kind: LimitMaxIncrease}, LimitBroken, "not measured in the baseline"},
	} {
		test.limit.Pattern = test.limit.Name
		g := CheckGate(s, base, []Limit{test.limit})
		if got := g.Limits[0]; got.Verdict != test.want || got.Reason != test.reason || g.Passed != (test.want != LimitBroken) {
			t.Errorf("%+v: got %s, %q, passed is %v", test.limit, got.Verdict, got.Reason, g.Passed)
		}
	}
}

// A star leaves out groups that were not measured, unless that is all of them.
func TestGateStarNotMeasured(t *testing.T) {
	star := func(s *Sample, bound, minPlayers float64) *GateResult {
		var limits []Limit
		for _, continent := range []string{"AF", "NA", "EU"} {
			limits = append(limits, Limit{Name: "by_continent." + continent + ".rtt_mean_ms", Pattern: "by_continent.*.rtt_mean_ms",
				Kind: LimitMax, Bound: bound, MinPlayers: minPlayers, Among: 3})
		}
		return CheckGate(s, nil, limits)
	}
	one := sampleOf("x", 1, 2, func(_ int, s *Summary) {
		for i := range s.ByContinent {
			s.ByContinent[i].Served = Served{}
		}
		s.ByContinent[2].Served = Served{Players: 10, RTTMean: 50} // EU
	})
	none := sampleOf("x", 1, 2, func(_ int, s *Summary) {
		for i := range s.ByContinent {
			s.ByContinent[i].Served = Served{}
		}
	})
	for name, test := range map[string]struct {
		g      *GateResult
		passed bool
		want   [3]int // held, broken, skipped
	}{
		"one measured":         {star(one, 60, 0), true, [3]int{1, 0, 2}},
		"one measured, broken": {star(one, 40, 0), false, [3]int{0, 1, 2}},
		"none measured":        {star(none, 1e9, 0), false, [3]int{0, 3, 0}},
		"one large enough":     {star(one, 60, 10), true, [3]int{1, 0, 2}},
		"none large enough":    {star(one, 60, 11), false, [3]int{0, 3, 0}},
	} {
		if got := [3]int{test.g.Count(LimitHeld), test.g.Count(LimitBroken), test.g.Count(LimitSkipped)}; got != test.want || test.g.Passed != test.passed {
			t.Errorf("%s: got %v, passed is %v\n%s", name, got, test.g.Passed, test.g.Text(false))
		}
	}
	if text := star(none, 50, 0).Text(false); !strings.Contains(text, "broken  by_continent.AF.rtt_mean_ms         at most 50 ms: not measured") {
		t.Errorf("got:\n%s", text)
	}
}

func TestPlayersOf(t *testing.T) {
	for name, want := range map[string]string{
		"by_continent.EU.rtt_mean_ms": "by_continent.EU.players", "by_hour.3.failed": "by_hour.3.players",
		"wait_s.p95": "wait_s.count", "x": "x",
	} {
		if got := PlayersOf(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestGateForms(t *testing.T) {
	base, s := waits(1, 2, 2.4, 1.8), waits(1, 2.21, 2.59, 2.01)
	limits := []Limit{
		{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: LimitMax, Bound: 2.5, Line: 1, Column: 1},
		{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: LimitMaxIncrease, Bound: 0.05, Relative: true, Line: 2, Column: 1},
	}
	for i := range 24 {
		name := strings.ReplaceAll("by_hour.N.rtt_mean_ms", "N", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
			"13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23"}[i])
		bound := 47.0 // of 48
		if i >= 20 {
			bound = 48
		}
		limits = append(limits, Limit{Pattern: "by_hour.*.rtt_mean_ms", Name: name, Kind: LimitMax, Bound: bound, Among: 24, Line: 3, Column: 1})
	}
	g := CheckGate(s, base, limits)
	text, page := g.Text(false), g.Markdown()
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
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "by_hour.8.") || len(g.Lines()) != 3 || len(g.Lines()[2].Broken()) != 20 {
		t.Errorf("lines of the gate: %d\n%s", len(g.Lines()), text)
	}
	if !strings.Contains(page, `| broken | wait\_s.mean | 2.270 s | at most 5 % above`) {
		t.Errorf("got:\n%s", page)
	}
	if want := "wait_s.mean is 2.270 s, at most 5 % above the baseline, 2.067 s: +0.203 s (+9.8 %), interval +0.175 to +0.232 s"; g.Limits[1].Message() != want {
		t.Errorf("got %s", g.Limits[1].Message())
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
		t.Errorf("%v, %+v", err, read)
	}
	if slices.ContainsFunc(g.Limits, func(r LimitResult) bool { return math.IsNaN(float64(r.Value)) }) {
		t.Error("a limit has no value")
	}
}
