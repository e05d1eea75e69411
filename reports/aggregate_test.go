package reports

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func metric(t *testing.T, s *Summary, name string) Metric {
	t.Helper()
	for _, m := range s.Replications.Metrics {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no metric %q", name)
	return Metric{}
}

func TestAggregate(t *testing.T) {
	var runs []*Result
	for i, wait := range []Seconds{0.6, 0.62, 0.67} {
		r := articleDay()
		r.Summary.Run.Run = i
		r.Summary.WaitFirst.Mean = wait
		r.Summary.Players.Joins = 100 + i*i
		runs = append(runs, r)
	}
	runs[1].Summary.ByContinent = runs[1].Summary.ByContinent[2:] // no Africa, no Antarctica
	runs[1].Summary.ByContinent[0].RTTMean = 34.2
	runs[2].Summary.Warnings = append(runs[2].Summary.Warnings, "another")
	runs[2].Summary.Complete = false
	before := *runs[0]
	s := Aggregate(runs)

	if s.WaitFirst.Mean != 0.63 || s.Players.Joins != 102 || s.Run.Run != 0 || s.Complete || len(s.Warnings) != 2 {
		t.Errorf("mean wait %v, joins %d, run %d, complete %v, warnings %q", s.WaitFirst.Mean, s.Players.Joins, s.Run.Run, s.Complete, s.Warnings)
	}
	if got := groupNamed(s.ByContinent, "EU"); got.RTTMean != 32.2 || got.Players != 2_300_000 {
		t.Errorf("Europe is %+v, want a mean RTT of 32.2 ms", got)
	}
	if got := groupNamed(s.ByContinent, "AF"); got.RTTMean != 139.8 {
		t.Errorf("Africa, which one run lacks, is %+v", got)
	}
	// sd of 0.60, 0.62, 0.67 is sqrt(0.0013); the 97.5 % point of t with 2 degrees of freedom is 4.30265
	margin := 4.30265 * math.Sqrt(0.0013/3)
	want := Metric{"wait_first_s.mean", 0.63, value(math.Sqrt(0.0013)), value(0.63 - margin), value(0.63 + margin)}
	if diff := cmp.Diff(want, metric(t, s, "wait_first_s.mean"), cmpopts.EquateApprox(1e-5, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"by_continent.EU.rtt_mean_ms", "by_hour.4.players", "states.ideal.share", "latency.cleaned.nan"} {
		metric(t, s, name)
	}
	if diff := cmp.Diff(before, *runs[0]); diff != "" {
		t.Errorf("the aggregate changed a result:\n%s", diff)
	}
	if text := s.Text(false); !strings.Contains(text, "3 replications; 95 % confidence: mean wait of first searches 0.54 to 0.72 s") {
		t.Errorf("text is\n%s", text)
	}
}

// One run is its own aggregate.
func TestAggregateOfOne(t *testing.T) {
	for seed, w := range worlds()[:15] {
		s := Aggregate([]*Result{w.Result})
		var file bytes.Buffer
		if err := s.Write(&file); err != nil {
			t.Fatal(err)
		}
		back, err := parseSummary(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		agree(t, seed, "summary read back", back, s)
		s.Replications = nil
		agree(t, seed, "summary", *s, w.Summary)
	}
}
