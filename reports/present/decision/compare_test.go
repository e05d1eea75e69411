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
	"mmsim/reports/result"
)

func closeTo(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func differenceIn(t *testing.T, c *judge.Comparison, name string) *judge.Difference {
	t.Helper()
	for i := range c.Metrics {
		if c.Metrics[i].Name == name {
			return &c.Metrics[i]
		}
	}
	t.Fatalf("the comparison does not contain %s", name)
	return nil
}

// noise has, by run number, a large deviation that both samples of a comparison share.
var noise = []outcome.Seconds{0, 0.3, -0.2, 0.15, -0.25, 0.1}

func TestCompareEqual(t *testing.T) {
	c := judge.Compare(resulttest.Sample("a", 1, 5, nil), resulttest.Sample("b", 1, 5, nil), nil)
	for _, d := range c.Metrics {
		noPlayers := math.IsNaN(float64(d.A))
		if d.Verdict != judge.VerdictEqual && !noPlayers || noPlayers && d.Verdict != judge.VerdictUnknown {
			t.Errorf("%s: got %+v, want equal, or unknown without players", d.Name, d)
		}
	}
	if c.Pairs != 5 || len(c.Warnings) > 0 || phrase.Comparison(c) != "No difference is shown" {
		t.Errorf("got %d pairs, warnings %q and conclusion %s, want 5 pairs, no warnings and no shown difference", c.Pairs, c.Warnings, phrase.Comparison(c))
	}
}

// everything lets every difference matter.
var everything = judge.MattersList{{Pattern: "*"}}

// Noise that both runs of a pair share cancels out. Runs are paired by number, whatever their
// order.
func TestComparePairs(t *testing.T) {
	a := resulttest.Sample("a", 1, 6, func(run int, s *outcome.Summary) { s.Wait.Mean = 2 + noise[run]; s.RTT.ShareLE50 = 0.8 })
	b := resulttest.Sample("b", 1, 6, func(run int, s *outcome.Summary) {
		s.Wait.Mean = 1.9 + noise[run] + []outcome.Seconds{0.01, -0.01}[run%2]
		s.CCU.Peak += 10
		s.RTT.ShareLE50 = 0.7 + outcome.Share(run)/1000
		s.Matches.Fill = 0.9
		s.ByContinent[2].RTTMean += outcome.Millis(5 + run)
	})
	slices.Reverse(b.Runs)
	a.Matters = everything
	c := judge.Compare(a, b, []judge.SettingPair{{Key: "match.size", A: "4", B: "5"}})
	for name, want := range map[string]judge.Verdict{
		"wait_s.mean": judge.VerdictBetter, "ccu.peak": judge.VerdictHigher, "rtt_ms.share_le_50": judge.VerdictWorse, "wait_s.p95": judge.VerdictEqual,
		"matches.fill": judge.VerdictWorse, "by_continent.EU.rtt_mean_ms": judge.VerdictWorse, "by_continent.AS.rtt_mean_ms": judge.VerdictEqual,
	} {
		if d := differenceIn(t, c, name); d.Verdict != want {
			t.Errorf("%s: got %+v, want %s", name, d, want)
		}
	}
	// The differences alternate between -0.09 and -0.11: sd sqrt(6/5)/100; t with 5 degrees of
	// freedom is 2.57058.
	d, margin := differenceIn(t, c, "wait_s.mean"), 2.57058*math.Sqrt(1.2)/100/math.Sqrt(6)
	if !closeTo(float64(d.Difference), -0.1, 1e-9) || !closeTo(float64(d.High), -0.1+margin, 1e-6) || !closeTo(float64(d.A), 2+0.1/6, 1e-9) {
		t.Errorf("got %+v, want -0.1 ± %g", d, margin)
	}
	// With the same values but no pairs, the noise hides the difference.
	for _, run := range b.Runs {
		run.Run.Seed = 2
	}
	c = judge.Compare(a, b, nil)
	if d := differenceIn(t, c, "wait_s.mean"); d.Verdict != judge.VerdictUnshown || d.RunsNeeded < 20 || c.Pairs != 0 {
		t.Errorf("independent samples: got %+v and %d pairs, want no shown difference, at least 20 runs needed and no pairs", d, c.Pairs)
	}
	if !strings.Contains(strings.Join(c.Warnings, "\n"), "the seeds differ (1 and 2)") {
		t.Errorf("got warnings %q, want that the seeds differ", c.Warnings)
	}
}

// A single pair has a difference, but does not show whether it is due to chance.
func TestCompareOnePair(t *testing.T) {
	a := resulttest.Sample("a", 1, 1, nil)
	b := resulttest.Sample("b", 1, 1, func(_ int, s *outcome.Summary) { s.Wait.Mean++ })
	c := judge.Compare(a, b, nil)
	if d := differenceIn(t, c, "wait_s.mean"); d.Verdict != judge.VerdictUnknown || d.Difference != 1 || !math.IsNaN(float64(d.Low)) {
		t.Errorf("got wait_s.mean %+v, want difference 1 with an unknown verdict", d)
	}
	if d := differenceIn(t, c, "wait_s.p95"); d.Verdict != judge.VerdictEqual {
		t.Errorf("got wait_s.p95 %+v, want an equal verdict", d)
	}
	if len(c.Warnings) != 1 || !strings.HasPrefix(c.Warnings[0], "1 pair of runs: ") {
		t.Errorf("got warnings %q, want one about 1 pair of runs", c.Warnings)
	}
}

// An aggregate can be compared without its runs, by the means and deviations in it.
func TestCompareAggregate(t *testing.T) {
	shift := func(by outcome.Seconds) func(int, *outcome.Summary) {
		return func(run int, s *outcome.Summary) { s.Wait.Mean = by + noise[run]/10 }
	}
	a, b := resulttest.Sample("a", 1, 6, shift(2)), resulttest.Sample("b", 2, 6, shift(3))
	var results []*result.Result
	for _, s := range a.Runs {
		results = append(results, &result.Result{Summary: *s})
	}
	whole := differenceIn(t, judge.Compare(a, b, nil), "wait_s.mean")
	c := judge.Compare(&judge.Sample{Name: "a", Runs: []*outcome.Summary{resulttest.Aggregate(results...)}}, b, nil)
	d := differenceIn(t, c, "wait_s.mean")
	if c.RunsA != 6 || d.Runs != 6 || d.Verdict != judge.VerdictWorse ||
		!closeTo(float64(d.Low), float64(whole.Low), 1e-4) || !closeTo(float64(d.High), float64(whole.High), 1e-4) {
		t.Errorf("got %+v, want the difference of the runs: %+v", d, whole)
	}
}

// A part that a sample or a run does not have is 0 there, not unknown.
func TestCompareParts(t *testing.T) {
	with := func(stages ...outcome.Part) *outcome.Rules {
		return &outcome.Rules{Matches: 10, Relaxation: outcome.Relaxations{{Name: "skill", Stages: stages}}}
	}
	a := resulttest.Sample("a", 1, 2, func(run int, s *outcome.Summary) {
		s.Rules = with(outcome.Part{Name: "0", Count: 10, Share: 1})
		if run == 1 {
			s.Rules = with(outcome.Part{Name: "0", Count: 6, Share: 0.6}, outcome.Part{Name: "1", Count: 4, Share: 0.4})
		}
	})
	b := resulttest.Sample("b", 1, 2, func(_ int, s *outcome.Summary) { s.Rules = with(outcome.Part{Name: "2", Count: 10, Share: 1}) })
	c := judge.Compare(a, b, nil)
	for name, want := range map[string][2]judge.Optional{"0": {8, 0}, "1": {2, 0}, "2": {0, 10}} {
		d := differenceIn(t, c, "rules.relaxation.skill.stages."+name+".count")
		if d.A != want[0] || d.B != want[1] || d.Runs != 2 {
			t.Errorf("stage %s: got %v and %v of %d runs, want %v of 2 runs", name, d.A, d.B, d.Runs, want)
		}
	}
	if text := strings.Join(c.Warnings, "\n"); strings.Contains(text, "not compared") {
		t.Errorf("got warnings %s, want none about metrics that are not compared", text)
	}
}

func TestCompareWarns(t *testing.T) {
	a := resulttest.Sample("a", 1, 3, func(_ int, s *outcome.Summary) { s.Warnings = []string{"both"} })
	b := resulttest.Sample("b", 1, 2, func(_ int, s *outcome.Summary) {
		s.Run.Version, s.Run.Duration, s.Run.Warmup, s.Run.DatasetSHA256 = "other", 3600, 60, "da7b"
		s.ByContinent[0].Name = "XX"
		s.Warnings = []string{"both", "one"}
	})
	got := strings.Join(judge.Compare(a, b, nil).Warnings, "\n")
	for _, want := range []string{
		"1 run without a partner: no run of the other sample has the same number", "the versions of mmsim differ: test and other", "the durations differ (24 h and 1 h)",
		"the warm-up periods differ: 2 h and 1 min", "the datasets differ", "2 pairs of runs: intervals are wide", "only A has by_continent.AF, which is not compared", "only B has by_continent.XX", "\nboth\nB: one",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want warning %q in:\n%s", want, got)
		}
	}
	whole := func(dataset string) *judge.Sample {
		var results []*result.Result
		for run, s := range resulttest.Sample("", 1, 2, nil).Runs {
			s.Run.Run, s.Run.DatasetSHA256 = run, dataset
			results = append(results, &result.Result{Summary: *s})
		}
		return &judge.Sample{Name: dataset, Runs: []*outcome.Summary{resulttest.Aggregate(results...)}}
	}
	for other, want := range map[string]bool{"one": false, "another": true} {
		got := strings.Join(judge.Compare(whole("one"), whole(other), nil).Warnings, "\n")
		if strings.Contains(got, "the datasets differ") != want {
			t.Errorf("aggregates of one dataset and %s: want a warning only if they differ, got:\n%s", other, got)
		}
	}
}

// Holm's correction: if one of 24 hours shows a difference with p = 1 %, it counts as chance.
func TestCompareCorrectsGroups(t *testing.T) {
	few := []outcome.Seconds{0.02, 0.05, 0.01, 0.04, 0.03} // t = 4.24 with 4 degrees of freedom: p is 0.013
	change := func(run int, s *outcome.Summary) {
		s.ByHour[7].WaitMean += few[run]
		s.Wait.Mean += few[run]
	}
	a := resulttest.Sample("a", 1, 5, func(run int, s *outcome.Summary) {
		for i := range s.ByHour { // hours without a difference are tests too
			s.ByHour[i].WaitMean += noise[run]
		}
	})
	a.Matters = everything
	c := judge.Compare(a, resulttest.Sample("b", 1, 5, func(run int, s *outcome.Summary) {
		for i := range s.ByHour {
			s.ByHour[i].WaitMean += noise[run]
		}
		change(run, s)
	}), nil)
	if d := differenceIn(t, c, "by_hour.7.wait_mean_s"); d.Verdict != judge.VerdictUnshown || !closeTo(float64(d.PHolm), 24*float64(d.P), 1e-9) {
		t.Errorf("by_hour.7.wait_mean_s: got %+v, want no shown difference, because p is corrected for 24 hours", d)
	}
	if d := differenceIn(t, c, "wait_s.mean"); d.Verdict != judge.VerdictWorse || !math.IsNaN(float64(d.PHolm)) {
		t.Errorf("wait_s.mean: got %+v, want worse without a corrected p", d)
	}
}

func TestComparisonForms(t *testing.T) {
	a := resulttest.Sample("base|line.yaml", 1, 6, nil)
	b := resulttest.Sample("b", 1, 6, func(run int, s *outcome.Summary) {
		s.Wait.Mean += 1 + outcome.Seconds(run)/100
		s.Players.Failed = 1234
		for i := range s.ByDatacenter {
			s.ByDatacenter[i].WaitMean += 1 + outcome.Seconds(run)/1000
		}
	})
	c := judge.Compare(a, b, []judge.SettingPair{{Key: "match.size", A: "4", B: "5"}})
	c.Complete = false
	text, page := Comparison(c, nil).Text(false), Comparison(c, nil).Markdown()
	for _, want := range []string{"Interrupted", "B is worse: failed players 1,234 instead of 0, mean wait of all searches 452 % longer.\n", "match.size  4  5", "+1.025 s  +451.5 %      +1.005 to +1.045 s  worse",
		"1,234", "by_datacenter.newyork"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	if !strings.Contains(Comparison(c, nil).Text(true), "\x1b[1;31mworse\x1b[0m") || strings.Contains(text, "\x1b") {
		t.Error("want the verdict in colour if colours are on, and no escape sequences otherwise")
	}
	for _, want := range []string{"### B is worse: failed players 1,234 instead of 0, mean wait of all searches 452 % longer\n", `base\|line.yaml`, "| match.size | 4 | 5 |", `| wait\_s.mean | 0.227 s | 1.252 s |`} {
		if !strings.Contains(page, want) {
			t.Errorf("want %q in:\n%s", want, page)
		}
	}
	var out bytes.Buffer
	if err := c.Write(&out); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Schema   int
		Complete bool
		Metrics  map[string]struct {
			Difference, Low *float64
			Verdict         string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if m := read.Metrics["wait_s.mean"]; read.Schema != 1 || read.Complete || *m.Difference != 1.025 || m.Verdict != "worse" {
		t.Errorf("comparison read back: got schema %+v and wait_s.mean %+v, want schema 1, not complete, 1.025 and worse", read.Schema, m)
	}
	// Players are whole, so the interval is 0 ± 2.57058/√6/√6 (5 degrees of freedom).
	if m := read.Metrics["by_datacenter.newyork.players"]; *m.Difference != 0 || !closeTo(*m.Low, -2.57058/6, 1e-5) || m.Verdict != "the same" {
		t.Errorf("comparison read back: got newyork.players %+v, want difference 0 ± %g", m, 2.57058/6)
	}
}

// Differences that are smaller than what matters are not ranked and promise nothing.
func TestCompareWhatMatters(t *testing.T) {
	a := resulttest.Sample("a", 1, 6, func(run int, s *outcome.Summary) { s.Wait.Mean, s.RTT.Mean = 2+noise[run], 40 })
	b := resulttest.Sample("b", 1, 6, func(run int, s *outcome.Summary) {
		s.Wait.Mean, s.RTT.Mean = 2.1+noise[run]+[]outcome.Seconds{0.01, -0.01}[run%2], 40+outcome.Millis(6*noise[run])
		s.WaitFirst.Mean += 5 * noise[run]
	})
	for _, test := range []struct {
		own  judge.MattersList
		want judge.Verdict
	}{
		{nil, judge.VerdictSmall}, // 0.1 s, less than 0.2 s
		{judge.MattersList{{Pattern: "wait_s.*", Matters: outcome.Matters{Absolute: 0.09}}}, judge.VerdictWorse},
		{judge.MattersList{{Pattern: "*"}, {Pattern: "wait_s.mean", Matters: outcome.Matters{Relative: 0.06}}}, judge.VerdictSmall}, // 0.12 s
	} {
		b.Matters = test.own
		c := judge.Compare(a, b, nil)
		d := differenceIn(t, c, "wait_s.mean")
		if d.Verdict != test.want || (phrase.Comparison(c) == "No difference that matters is shown") != (test.want == judge.VerdictSmall) {
			t.Errorf("matters %+v: got %+v and %q, want %s", test.own, d, phrase.Comparison(c), test.want)
		}
	}
	b.Matters = nil
	c := judge.Compare(a, b, nil)
	if d := differenceIn(t, c, "rtt_ms.mean"); d.Verdict != judge.VerdictUnshown || d.RunsNeeded != 0 {
		t.Errorf("rtt_ms.mean: got %+v, want no shown difference and no promise, because the estimate is below 1 ms", d)
	}
}

// A metric that only some pairs have is not known: the others lack it for a reason.
func TestCompareMissingRuns(t *testing.T) {
	a := resulttest.Sample("a", 1, 3, func(run int, s *outcome.Summary) { s.FailedWait = outcome.WaitStats{Count: 10, Mean: 30} })
	b := resulttest.Sample("b", 1, 3, func(run int, s *outcome.Summary) {
		if s.FailedWait = (outcome.WaitStats{}); run == 1 {
			s.FailedWait = outcome.WaitStats{Count: 10, Mean: 40}
		}
	})
	d := differenceIn(t, judge.Compare(a, b, nil), "failed_wait_s.mean")
	if d.Verdict != judge.VerdictUnknown || d.Difference != 10 || !slices.Contains(phrase.DifferenceCells(d), "1 of 3 runs") {
		t.Errorf("one of three runs has failed searches: got %+v and %q, want 10 s, not known, and 1 of 3 runs", d, phrase.DifferenceCells(d))
	}
}

// Every name in Headline matches a declared metric.
func TestHeadlineIsDeclared(t *testing.T) {
	for _, name := range slices.Concat(judge.Headline, judge.SweepHeadline) {
		declared := func(m outcome.Metric) bool { return outcome.PatternsMeet(name, m.Name) }
		if !slices.ContainsFunc(outcome.Metrics(), declared) {
			t.Errorf("the headline contains %s, which is not a declared metric", name)
		}
	}
}

// The values of settings in sweeps and tuning may be text, so they are guarded against formulas.
func TestSettingsAreGuarded(t *testing.T) {
	var file bytes.Buffer
	s := &judge.Sweep{Settings: []string{"=a", "b"}, Metrics: []string{"rtt_ms.mean"}, Points: []judge.SweepPoint{{Values: []string{"-1.5", "@x"}}}}
	if err := s.WriteCSV(&file, phrase.Marks); err != nil {
		t.Fatal(err)
	}
	if want := "'=a,b,runs,rtt_ms.mean,rtt_ms.mean.low,rtt_ms.mean.high,rtt_ms.mean.runs,players.unmatched_share,players.unmatched_share.low,players.unmatched_share.high,players.unmatched_share.runs,marks\n-1.5,'@x,0,,,,0,,,,0,\n"; file.String() != want {
		t.Errorf("sweep: got %q, want %q", file.String(), want)
	}
	file.Reset()
	tuning := &judge.Tuning{Search: judge.Search{Settings: []string{"=a"}, Trials: []judge.TuningTrial{{Phase: "grid", Values: []string{"-2"}, Refused: "=no"}}}}
	if err := tuning.WriteCSV(&file, phrase.Marks); err != nil {
		t.Fatal(err)
	}
	if want := "trial,phase,share,runs,'=a,violation,front,refused,marks\n0,grid,0,0,-2,,,'=no,\n"; file.String() != want {
		t.Errorf("tuning: got %q, want %q", file.String(), want)
	}
}

// limitedTo gives runs RTT limits, and shares of good RTTs that grow with the run number.
func limitedTo(good, fair outcome.Millis, share outcome.Share) func(run int, s *outcome.Summary) {
	return func(run int, s *outcome.Summary) {
		s.Limits = &outcome.Limits{RTT: &outcome.RTTLimits{Good: good, Fair: fair, Classes: outcome.Classes{ShareGood: share + outcome.Share(run)/1000}}}
	}
}

// Shares within different limits are not compared, and a warning says so.
func TestCompareUnlikeLimits(t *testing.T) {
	a := resulttest.Sample("a", 1, 5, limitedTo(30, 60, 0.5))
	c := judge.Compare(a, resulttest.Sample("b", 1, 5, limitedTo(30, 60, 0.6)), nil)
	if d := differenceIn(t, c, "limits.rtt.share_good"); d.Verdict != judge.VerdictBetter || !closeTo(float64(d.Difference), 0.1, 1e-9) || len(c.Warnings) > 0 {
		t.Errorf("equal limits: got %+v and warnings %q, want better by 0.1 without warnings", d, c.Warnings)
	}
	if text := Comparison(c, nil).Text(false); !strings.Contains(text, "limits.rtt.share_good") {
		t.Errorf("the headline does not contain the share of good RTTs:\n%s", text)
	}
	for name, b := range map[string]*judge.Sample{"30 and 70": resulttest.Sample("b", 1, 5, limitedTo(30, 70, 0.6)), "50 and 100": resulttest.Sample("b", 1, 5, nil)} {
		c := judge.Compare(a, b, nil)
		for _, d := range c.Metrics {
			if strings.HasPrefix(d.Name, "limits.") {
				t.Errorf("different limits: %s is compared, want it left out", d.Name)
			}
		}
		want := "the limits of good and fair differ, so limits.* is not compared: RTT 30 and 60 ms in A, " + name + " ms in B"
		if len(c.Warnings) != 1 || c.Warnings[0] != want {
			t.Errorf("%s: got warnings %q, want %q", name, c.Warnings, want)
		}
	}
}

// A gate does not compare shares with those of a baseline that has other limits.
func TestGateOfUnlikeLimits(t *testing.T) {
	limit := judge.Limit{Name: "limits.rtt.share_good", Kind: judge.LimitMaxDecrease, Bound: 0.05}
	s := resulttest.Sample("x", 1, 5, limitedTo(30, 60, 0.5))
	if got := held(t, s, resulttest.Sample("base", 1, 5, limitedTo(30, 60, 0.54)), limit); got.Verdict != judge.LimitHeld {
		t.Errorf("equal limits: got %+v, want held", got)
	}
	if got := held(t, s, resulttest.Sample("base", 1, 5, limitedTo(30, 60, 0.6)), limit); got.Verdict != judge.LimitBroken || got.Reason != "" {
		t.Errorf("equal limits, better baseline: got %+v, want broken without a reason", got)
	}
	base := resulttest.Sample("base", 1, 5, limitedTo(20, 60, 0.5))
	if got := held(t, s, base, limit); got.Verdict != judge.LimitBroken || got.Reason != "not measured in the baseline by the same limits" {
		t.Errorf("other limits: got %+v, want broken, because the baseline was not measured by them", got)
	}
	g := judge.CheckGate(s, base, nil)
	if want := "the limits of good and fair differ, so limits.* is not compared: RTT 20 and 60 ms in A, 30 and 60 ms in B (A is the baseline)"; !slices.Contains(g.Warnings, want) {
		t.Errorf("got warnings %q, want %q", g.Warnings, want)
	}
}

// A decile that differs shows the range of its values, and whose range it is if A and B differ.
func TestDecilesShowRanges(t *testing.T) {
	metric := func(name string, a, b float64, verdict judge.Verdict) judge.Difference {
		return judge.Difference{Name: name, A: judge.Optional(a), B: judge.Optional(b), Difference: judge.Optional(b - a), Verdict: verdict}
	}
	c := &judge.Comparison{Metrics: judge.Differences{
		metric("by_hour.0.wait_mean_s", 1, 2, judge.VerdictWorse), metric("by_hour.1.wait_mean_s", 1, 1, judge.VerdictEqual),
		metric("by_attribute_decile.mmr.0.from", 100, 100, judge.VerdictEqual), metric("by_attribute_decile.mmr.0.to", 199, 199, judge.VerdictEqual),
		metric("by_attribute_decile.mmr.0.wait_mean_s", 9, 5, judge.VerdictBetter),
		metric("by_attribute_decile.mmr.1.from", 200, 210, judge.VerdictEqual), metric("by_attribute_decile.mmr.1.to", 299, 320, judge.VerdictEqual),
		metric("by_attribute_decile.mmr.1.wait_mean_s", 8, 5, judge.VerdictBetter),
	}}
	groups := groupPairs(c)
	var names []string
	for _, row := range groupDifferenceTable(groups).Rows {
		names = append(names, row[1])
	}
	if got, want := strings.Join(names, "; "), "by_hour.0; by_attribute_decile.mmr.0 (100 to 199); by_attribute_decile.mmr.1 (200 to 299 in A)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
