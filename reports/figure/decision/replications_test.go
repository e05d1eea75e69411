package decision

import (
	"math"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
)

// Of waits of 1, 2 and 3 s, the lowest and the highest are 50 % from the mean of 2 s. Their standard
// deviation is 1 s, so the 95 % interval is ± 4.303 × 1 s/√3 = 2.48 s, or 124 % of the mean. Runs are
// alike if every metric is equal in all runs or 0 on average.
func TestReplications(t *testing.T) {
	sample := resulttest.Sample("", 1, 3, func(run int, s *outcome.Summary) { s.Wait.Mean = outcome.Seconds(run + 1) })
	var metrics []outcome.Spread
	for _, m := range outcome.Aggregate(sample.Runs).Replications.Metrics {
		if m.Name == "wait_s.mean" || m.Name == "rtt_ms.mean" {
			metrics = append(metrics, m)
		}
	}
	p := Replications(metrics, sample)
	if want := "Over 3 runs, the mean of wait_s.mean is the least certain: ± 124 %"; p.Title != want {
		t.Errorf("got title %q, want %q", p.Title, want)
	}
	row := replicatedRow(&metrics[0], []float64{1, 2, 3})
	if row.runs[0] != -50 || row.runs[1] != 0 || row.runs[2] != 50 || math.Abs(row.high-124.2) > 0.1 || math.Abs(row.low+124.2) > 0.1 {
		t.Errorf("got row %+v, want runs -50, 0 and 50 and an interval of ± 124.2", row)
	}
	for name, none := range map[string][]outcome.Spread{"alike": metrics[1:], "zero": {{Name: "wait_s.mean", Runs: 3}}} {
		if p := Replications(none, sample); p.Title != "All 3 runs are alike" || p.InlineSVG() == "" {
			t.Errorf("%s: got title %q, want \"All 3 runs are alike\" and a picture", name, p.Title)
		}
	}
}
