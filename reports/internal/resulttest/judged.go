package resulttest

import (
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// Sample returns n runs with one seed. Each is a good run, to which change is applied if it is not
// nil.
func Sample(name string, seed uint64, n int, change func(run int, s *outcome.Summary)) *judge.Sample {
	sample := &judge.Sample{Name: name}
	for run := range n {
		s := Synthetic(24, 5, 100_000).Summary
		s.Run.Seed, s.Run.Run = seed, run
		if change != nil {
			change(run, &s)
		}
		s.MarkUnmeasured()
		sample.Runs = append(sample.Runs, &s)
	}
	return sample
}

// Grid returns a sweep of two settings. Its mean wait and mean RTT are linear in the row and the
// column.
func Grid(rows, columns []string, runs int) *judge.Sweep {
	s := &judge.Sweep{Settings: []string{"states.ideal.rtt", "match.size"}, Metrics: []string{"wait_s.mean", "rtt_ms.mean", "failed_wait_s.mean"}}
	for i, row := range rows {
		for j, column := range columns {
			s.Points = append(s.Points, judge.SweepPoint{Values: []string{row, column}, Runs: Sample("", 1, runs, func(run int, sum *outcome.Summary) {
				sum.Wait.Mean = outcome.Seconds(1 + i + j)
				sum.Wait.Mean += outcome.Seconds(run-1) / 10
				sum.RTT.Mean = outcome.Millis(100 - 10*i)
			}).Runs})
		}
	}
	return s
}

// Tuning returns a search with one trial for each item of figures. An item has the 95th percentile
// of waits and the mean RTT of its trial. The first trial is the initial settings. The bounds may
// also limit other metrics.
func Tuning(goals []judge.Goal, bounds []judge.Limit, figures [][2]float64) *judge.Tuning {
	t := &judge.Tuning{Search: judge.Search{Settings: []string{"match.size"}, Goals: goals, Bounds: bounds}}
	for i, f := range figures {
		runs := Sample("", 1, 2, func(run int, s *outcome.Summary) {
			s.Wait.P95, s.RTT.Mean, s.RTT.Count = outcome.Seconds(f[0]), outcome.Millis(f[1]), 100
		}).Runs
		trial := judge.TuningTrial{Phase: "refine", Share: 1, Values: []string{string(rune('2' + i))}, Runs: 2, Figures: t.Figures(runs)}
		t.Trials = append(t.Trials, trial)
		t.Judge(&t.Trials[i], t.Trials[0].Figures)
	}
	return t
}
