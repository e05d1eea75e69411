package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
)

// Chance breaks a limit of no increase one time in forty. A regression twice as large as the
// limit allows breaks it nearly always.
func TestGateNoise(t *testing.T) {
	const experiments, runs = 1000, 6
	r := rand.New(rand.NewPCG(3, 4))
	limit := Limit{Name: "wait_s.mean", Kind: LimitMaxIncrease, Relative: true}
	alarms, missed := 0, 0
	sample := func() *Sample {
		s := &Sample{}
		for run := range runs {
			s.Runs = append(s.Runs, &outcome.Summary{Run: outcome.Run{Seed: 1, Run: run}})
		}
		return s
	}
	base, same, worse := sample(), sample(), sample()
	figureOf := func(s *Sample) map[string]*metricSample {
		f := &metricSample{Metric: outcome.Metric{Unit: outcome.UnitSeconds}}
		for _, run := range s.Runs {
			f.runs = append(f.runs, float64(run.Wait.Mean))
		}
		f.moments = estimate.MomentsOf(f.runs)
		return map[string]*metricSample{"wait_s.mean": f}
	}
	pairs, _ := pairRuns(base, same)
	for range experiments {
		for i := range runs {
			day := 2 + 0.2*r.NormFloat64() // both runs of a pair have it
			base.Runs[i].Wait.Mean = outcome.Seconds(day + 0.03*r.NormFloat64())
			same.Runs[i].Wait.Mean = outcome.Seconds(day + 0.03*r.NormFloat64())
			worse.Runs[i].Wait.Mean = outcome.Seconds(1.1*day + 0.03*r.NormFloat64())
		}
		limit.Bound = 0
		if got := limit.check(figureOf(same), figureOf(base), pairs); got.Verdict == LimitBroken {
			alarms++
		}
		limit.Bound = 0.05
		if got := limit.check(figureOf(worse), figureOf(base), pairs); got.Verdict != LimitBroken {
			missed++
		}
	}
	// The expected number of alarms is 25 in 1,000, with a standard deviation of 5.
	if alarms < 10 || alarms > 40 || missed > 50 {
		t.Errorf("got %d false alarms and %d of %d regressions missed, want 10 to 40 and at most 50", alarms, missed, experiments)
	}
	t.Logf("%d alarms at noise, %d of %d regressions missed", alarms, missed, experiments)
}

func TestExcess(t *testing.T) {
	wait := func(kind LimitKind, bound float64, relative bool) Limit {
		return Limit{Pattern: "wait_s.p95", Name: "wait_s.p95", Kind: kind, Bound: Optional(bound), Relative: relative}
	}
	nothing := math.NaN()
	for _, test := range []struct {
		limit     Limit
		x, before float64
		want      float64
	}{
		{wait(LimitMax, 10, false), 9, 5, 0}, {wait(LimitMax, 10, false), 10, 5, 0}, {wait(LimitMax, 10, false), 15, 5, 0.5},
		{wait(LimitMin, 10, false), 15, 5, 0}, {wait(LimitMin, 10, false), 5, 5, 0.5},
		{wait(LimitMaxIncrease, 2, false), 7, 5, 0}, {wait(LimitMaxIncrease, 3, false), 12, 5, 0.5},
		{wait(LimitMaxIncrease, 0, true), 5, 5, 0}, {wait(LimitMaxIncrease, 0, true), 6, 5, 0.2}, {wait(LimitMaxIncrease, 0.2, true), 6, 5, 0},
		{wait(LimitMaxDecrease, 0.2, true), 4, 5, 0}, {wait(LimitMaxDecrease, 0.2, true), 2, 5, 0.5}, {wait(LimitMaxDecrease, 1, false), 3, 5, 0.25},
		{wait(LimitMax, 10, false), nothing, 5, 1}, {wait(LimitMaxIncrease, 0, true), 6, nothing, 0},
		{Limit{Pattern: "wait_s.*", Name: "wait_s.p95", Kind: LimitMax, Bound: 1}, nothing, 5, 0},
		{Limit{Pattern: "failed_wait_s.max", Name: "failed_wait_s.max", Kind: LimitMax, Bound: 1}, nothing, 5, 0},
	} {
		if got := test.limit.excess(test.x, test.before); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s %g, relative %t: value %g (baseline %g): got excess %g, want %g",
				test.limit.Kind, test.limit.Bound, test.limit.Relative, test.x, test.before, got, test.want)
		}
	}
}
