package judge_test

import (
	"math"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// Production has no noise of its own: the interval is that of the mean of the simulation. The mean of 1, 2
// and 3 is 2 ± 4.30265/√3 = 2 ± 2.484, and production has 1.5.
func TestProductionHasNoNoise(t *testing.T) {
	production := resulttest.Sample("production", 1, 1, func(_ int, s *outcome.Summary) { s.Wait.Mean, s.Run.Production = 1.5, true })
	simulated := resulttest.Sample("simulated", 1, 3, func(run int, s *outcome.Summary) { s.Wait.Mean = outcome.Seconds(1 + run) })
	find := func(c *judge.Comparison) *judge.Difference {
		for i := range c.Metrics {
			if c.Metrics[i].Name == "wait_s.mean" {
				return &c.Metrics[i]
			}
		}
		t.Fatal("the comparison has no wait_s.mean")
		return nil
	}
	near := func(got judge.Optional, want float64) bool { return math.Abs(float64(got)-want) < 1e-3 }
	c := judge.Compare(production, simulated, nil)
	if d := find(c); c.Pairs != 0 || !near(d.Difference, 0.5) || !near(d.Low, 0.5-2.4841) || !near(d.High, 0.5+2.4841) {
		t.Errorf("got %d pairs and %+v, want 0.5 ± 2.484 without pairs", c.Pairs, d)
	}
	if d := find(judge.Compare(simulated, production, nil)); !near(d.Difference, -0.5) || !near(d.Low, -0.5-2.4841) || !near(d.High, -0.5+2.4841) {
		t.Errorf("got %+v, want -0.5 ± 2.484", d)
	}
	if d := find(judge.Compare(production, production, nil)); d.Difference != 0 || d.Verdict != judge.VerdictEqual {
		t.Errorf("got %+v for production and itself, want no difference", d)
	}
	for _, warning := range c.Warnings {
		if strings.Contains(warning, "paired") || strings.Contains(warning, "seeds") || strings.Contains(warning, "only one") {
			t.Errorf("got the warning %q, want none about pairs or a single run", warning)
		}
	}
	// An increase by a third of production is 0.5: chance does not let three runs decide.
	g := judge.CheckGate(simulated, production, []judge.Limit{{Name: "wait_s.mean", Pattern: "wait_s.mean", Kind: judge.LimitMaxIncrease, Bound: 2.0, Relative: true}})
	if r := g.Limits[0]; r.Verdict != judge.LimitHeld || !near(r.Low, 0.5-2.4841) || g.Pairs != 0 {
		t.Errorf("got %+v, want a held limit: at most 4.5, and the interval ends at 4.484", r)
	}
}
