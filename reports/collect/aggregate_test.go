package collect

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

func metric(t *testing.T, s *outcome.Summary, name string) outcome.Spread {
	t.Helper()
	for _, m := range s.Replications.Metrics {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("the summary has no metric %q", name)
	return outcome.Spread{}
}

func TestAggregate(t *testing.T) {
	var runs []*result.Result
	for i, wait := range []outcome.Seconds{0.6, 0.62, 0.67} {
		r := resulttest.Article()
		r.Summary.Run.Run = i
		r.Summary.WaitFirst.Mean = wait
		r.Summary.Players.Joins = outcome.Count(100 + i*i)
		runs = append(runs, r)
	}
	runs[1].Summary.ByContinent = runs[1].Summary.ByContinent[2:] // remove Africa and Antarctica
	runs[1].Summary.ByContinent[0].RTTMean = 34.2
	runs[2].Summary.Warnings = append(runs[2].Summary.Warnings, "another")
	runs[2].Summary.Complete = false
	before := *runs[0]
	s := resulttest.Aggregate(runs...)

	if s.WaitFirst.Mean != 0.63 || s.Players.Joins != 101.667 || s.Run.Run != 0 || s.Complete || len(s.Warnings) != 2 {
		t.Errorf("got mean wait %v, joins %v, run %d, complete %v and warnings %q, want 0.63, 101.667, 0, false and two warnings", s.WaitFirst.Mean, s.Players.Joins, s.Run.Run, s.Complete, s.Warnings)
	}
	if got := groupNamed(s.ByContinent, "EU"); got.RTTMean != 32.2 || got.Players != 2_300_000 {
		t.Errorf("Europe: got %+v, want a mean RTT of 32.2 ms and 2,300,000 players", got)
	}
	if got := groupNamed(s.ByContinent, "AF"); got.RTTMean != 139.8 || got.Players != 53_600 {
		t.Errorf("Africa, which one run lacks: got %+v, want a mean RTT of 139.8 ms and 53,600 players", got)
	}
	// The standard deviation of 0.60, 0.62 and 0.67 is sqrt(0.0013). The 97.5 % point of t with 2
	// degrees of freedom is 4.30265.
	margin := 4.30265 * math.Sqrt(0.0013/3)
	want := outcome.Spread{Name: "wait_first_s.mean", Runs: 3, Mean: 0.63, SD: outcome.RoundValue(math.Sqrt(0.0013)), Low: new(outcome.RoundValue(0.63 - margin)), High: new(outcome.RoundValue(0.63 + margin))}
	if diff := cmp.Diff(want, metric(t, s, "wait_first_s.mean"), cmpopts.EquateApprox(1e-5, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"by_continent.EU.rtt_mean_ms", "by_hour.4.players", "states.ideal.share", "latency.cleaned.nan"} {
		metric(t, s, name)
	}
	if diff := cmp.Diff(before, *runs[0], resulttest.Unmeasured); diff != "" {
		t.Errorf("aggregating changed a result (-before +after):\n%s", diff)
	}
}

// The runs of a resampled file vary as the file itself does around the law of the day, so the
// variance of one run is added to that of their mean.
func TestAggregateOfResampledRuns(t *testing.T) {
	runs := make([]*result.Result, 3)
	for i, mean := range []outcome.Seconds{0.60, 0.62, 0.67} {
		runs[i] = resulttest.Article()
		runs[i].Summary.WaitFirst.Mean = mean
		runs[i].Summary.Run.Resample = true
	}
	margin := 4.30265 * math.Sqrt(0.0013) * math.Sqrt(1+1.0/3) // as in the test of plain runs
	s := resulttest.Aggregate(runs...)
	want := outcome.Spread{Name: "wait_first_s.mean", Runs: 3, Mean: 0.63, SD: outcome.RoundValue(math.Sqrt(0.0013)), Low: new(outcome.RoundValue(0.63 - margin)), High: new(outcome.RoundValue(0.63 + margin))}
	if diff := cmp.Diff(want, metric(t, s, "wait_first_s.mean"), cmpopts.EquateApprox(1e-5, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// How the joins of runs are related is known from their summaries, and from their aggregate.
func TestJoinsOf(t *testing.T) {
	run := func(dataset string, resample bool) *result.Result {
		r := resulttest.Article()
		r.Summary.Run.DatasetSHA256, r.Summary.Run.Resample = dataset, resample
		return r
	}
	for name, test := range map[string]struct {
		runs []*result.Result
		want outcome.Joins
	}{
		"one run":              {[]*result.Result{run("da7a", false)}, ""},
		"a file":               {[]*result.Result{run("da7a", false), run("da7a", false)}, outcome.JoinsReplayed},
		"a resampled file":     {[]*result.Result{run("da7a", true), run("da7a", true)}, outcome.JoinsResampled},
		"one of two resampled": {[]*result.Result{run("da7a", true), run("da7a", false)}, outcome.JoinsReplayed},
		"the built-in day":     {[]*result.Result{run("da7a", false), run("5e7", false)}, ""},
		"unknown datasets":     {[]*result.Result{run("", false), run("", false)}, ""},
	} {
		var summaries []*outcome.Summary
		for _, r := range test.runs {
			summaries = append(summaries, &r.Summary)
		}
		if got := outcome.JoinsOf(summaries); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		if got := outcome.JoinsOf([]*outcome.Summary{resulttest.Aggregate(test.runs...)}); got != test.want {
			t.Errorf("the aggregate of %s: got %q, want %q", name, got, test.want)
		}
	}
}

// The aggregate of one run has the numbers of that run.
func TestAggregateOfOne(t *testing.T) {
	for seed, w := range randomRuns()[:15] {
		s := resulttest.Aggregate(w.Result)
		var file bytes.Buffer
		if err := s.Write(&file); err != nil {
			t.Fatal(err)
		}
		back, err := outcome.ParseSummary(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		checkEqual(t, seed, "summary read back", back, s)
		s.Replications = nil
		checkEqual(t, seed, "summary", *s, w.Summary)
	}
}

// A run without players in a block does not count in the means of the block.
func TestAggregateIncludesGroupsOfOneRun(t *testing.T) {
	busy, empty := resulttest.Article(), resulttest.Article()
	s := &empty.Summary
	s.Players, s.Matches = outcome.Players{Joins: 100, Entries: 100, Losses: outcome.Losses{Failed: 100}}, outcome.Matches{}
	s.WaitFirst, s.WaitRepeat, s.RTT, s.DeltaRTT = outcome.WaitStats{}, outcome.WaitStats{}, outcome.RTTStats{}, outcome.DeltaStats{}
	s.States, s.ByContinent, s.ByHour = outcome.States{}, outcome.Groups{}, make([]outcome.Group, 24)
	busy.Summary.FailedWait = outcome.WaitStats{}
	s.FailedWait = outcome.WaitStats{Count: 100, Mean: 30, P50: 30}
	busy.Summary.Attributes = outcome.Attributes{{Name: "mmr", Matches: 10, SpreadMean: 300}}
	s.Attributes = outcome.Attributes{{Name: "mmr"}}

	got, was := resulttest.Aggregate(busy, empty), &busy.Summary
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"mean wait", got.WaitFirst.Mean, was.WaitFirst.Mean},
		{"p99 of waits", got.WaitFirst.P99, was.WaitFirst.P99},
		{"count of waits", got.WaitFirst.Count, was.WaitFirst.Count / 2},
		{"failed wait", got.FailedWait, outcome.WaitStats{Count: 50, Mean: 30, P50: 30}},
		{"mean RTT", got.RTT.Mean, was.RTT.Mean},
		{"RTT above best", got.DeltaRTT, was.DeltaRTT},
		{"fill", got.Matches.Fill, was.Matches.Fill},
		{"repeat share", got.Matches.RepeatShare, was.Matches.RepeatShare},
		{"share of ideal", got.States.Ideal.Share, was.States.Ideal.Share},
		{"RTT of warm bodies", got.States.WarmBody.RTTMean, was.States.WarmBody.RTTMean},
		{"wait of an hour", got.ByHour[4].WaitMean, was.ByHour[4].WaitMean},
		{"RTT of Africa", groupNamed(got.ByContinent, "AF").RTTMean, was.ByContinent[0].RTTMean},
		{"players of Africa", groupNamed(got.ByContinent, "AF").Players, was.ByContinent[0].Players / 2},
		{"spread", got.Attributes[0], outcome.Attribute{Name: "mmr", Matches: 5, SpreadMean: 300}},
		{"metric", metric(t, got, "rtt_ms.mean"), outcome.Spread{Name: "rtt_ms.mean", Runs: 1, Mean: 48.8, SD: 0}}, // no interval: half of the runs do not have it
		{"a wait without players", got.BotsWait.Mean, outcome.Seconds(math.NaN())},
	} {
		if diff := cmp.Diff(c.want, c.got, resulttest.Unmeasured); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	var file bytes.Buffer
	if err := got.Write(&file); err != nil {
		t.Fatal(err)
	}
	if back, err := outcome.ParseSummary(file.Bytes()); err != nil {
		t.Error(err)
	} else if diff := cmp.Diff(got, back, cmpopts.EquateEmpty(), resulttest.Unmeasured); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	for _, m := range got.Replications.Metrics {
		if m.Name == "bots_wait_s.mean" {
			t.Errorf("got metric %+v, want none, because no player has this wait", m)
		}
	}
}

// If nobody was matched in a state during a run, the state's share counts as 0 in the mean.
func TestAggregateKeepsShares(t *testing.T) {
	a, b := resulttest.Article(), resulttest.Article()
	b.Summary.States.WarmBody = outcome.StateStats{}
	got := resulttest.Aggregate(a, b).States.WarmBody
	if want := (outcome.StateStats{Matched: 206_000, Share: 0.038, WaitMean: 1.2, RTTMean: 193}); got != want {
		t.Errorf("warm bodies: got %+v, want %+v", got, want)
	}
}

// Sums that are equal in every run are equal in the aggregate: exactly if the number of runs
// divides 1,000, otherwise to within the last digit of every term.
func TestAggregateKeepsSums(t *testing.T) {
	for _, runs := range []int{2, 3, 4, 5, 7, 8} {
		var results []*result.Result
		inStates := outcome.Count(0) // players matched in queues that have states
		for _, w := range randomRuns()[:runs] {
			r := *w.Result
			// These blocks depend on the configuration, and these runs have different ones.
			r.Summary.RTTEstimate, r.Summary.Rules, r.Summary.QueueStatistics = nil, nil, nil
			results = append(results, &r)
			if w.Setup.Queues[0].Rules == nil {
				inStates += w.Summary.Players.Matched / outcome.Count(runs)
			}
		}
		s := resulttest.Aggregate(results...)
		off := 0.0005
		if 1000%runs == 0 {
			off = 1e-7 // floating-point rounding
		}
		check := func(name string, terms int, sum, want outcome.Count) {
			t.Helper()
			if math.Abs(float64(sum-want)) > off*float64(terms+1) {
				t.Errorf("%d runs: got sum %[3]v of %[2]s, want %[4]v", runs, name, sum, want)
			}
		}
		p := &s.Players
		check("entries", 2, p.Joins+p.Returns, p.Entries)
		check("outcomes", 8, p.Matched+p.Failed+p.Expired+p.Bots+p.Rejected+outcome.Given(p.Declined)+outcome.Given(p.Cancelled)+p.SearchingAtEnd, p.Entries+p.SearchingAtStart)
		check("waits", 2, s.WaitFirst.Count+s.WaitRepeat.Count, s.Wait.Count)
		check("states", 3, s.States.Ideal.Matched+s.States.Expand.Matched+s.States.WarmBody.Matched, inStates)
		if p.Balance() != 0 {
			t.Errorf("%d runs: got balance %d of players, want 0", runs, p.Balance())
		}
		for name, groups := range map[string][]outcome.Group{"continents": s.ByContinent, "hours": s.ByHour, "sizes": s.ByPartySize} {
			var sum outcome.Group
			for _, g := range groups {
				sum.Players, sum.Matches, sum.Entries = sum.Players+g.Players, sum.Matches+g.Matches, sum.Entries+g.Entries
				sum.Bots += g.Bots
			}
			check("players of "+name, len(groups), sum.Players, p.Matched)
			check("matches of "+name, len(groups), sum.Matches, s.Matches.Count)
			check("entries of "+name, len(groups), sum.Entries, p.Entries)
			check("bots of "+name, len(groups), sum.Bots, p.Bots)
		}
	}
}

// The interval of every metric that differs between the runs contains its mean, and a count equals the
// summary's.
func TestAggregateMetrics(t *testing.T) {
	a, b := resulttest.Article(), resulttest.Article()
	b.Summary.Players.Joins++
	b.Summary.CCU.Peak, b.Summary.CCU.PeakAt = 26_607, 3600
	s := resulttest.Aggregate(a, b)
	for _, m := range s.Replications.Metrics {
		low, high := m.Interval()
		if differs := m.SD > 0; differs != (m.Low != nil) || differs && !(low <= float64(m.Mean) && float64(m.Mean) <= high) {
			t.Errorf("got metric %+v, want its mean inside its interval, or no interval if the runs are equal", m)
		}
		if strings.HasPrefix(m.Name, "thresholds_ms") || m.Name == "ccu.peak_at_s" {
			t.Errorf("got a metric %s, want none", m.Name)
		}
	}
	if m := metric(t, s, "players.joins"); m.Mean != 1_372_411.5 || s.Players.Joins != 1_372_411.5 {
		t.Errorf("joins: got metric %+v and summary value %v, want 1,372,411.5", m, s.Players.Joins)
	}
	if s.CCU.Peak != 26_605.5 || s.CCU.PeakAt != 3600 || s.Thresholds != a.Summary.Thresholds {
		t.Errorf("got peak %v at %v s and thresholds %v, want 26,605.5 at 3600 s and unchanged thresholds", s.CCU.Peak, s.CCU.PeakAt, s.Thresholds)
	}
}

func TestCountText(t *testing.T) {
	for x, want := range map[outcome.Count]string{0: "0", 12: "12", 0.333: "0.333", 5_426_700: "5426700", 1_372_411.667: "1372411.667"} {
		if text, err := x.MarshalJSON(); err != nil || string(text) != want {
			t.Errorf("%v as JSON: got %s, want %s", float64(x), text, want)
		}
	}
	if got := words.Thousands(outcome.Count(0.333)) + " " + words.Thousands(outcome.Count(1234.5)) + " " + words.Plural(outcome.Count(1), "join"); got != "0.333 1,234 1 join" {
		t.Errorf("got %s", got)
	}
}
