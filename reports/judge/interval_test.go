package judge

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestPaired(t *testing.T) {
	// Mean 3, sd sqrt(2.5). The 97.5 % point of t with 4 degrees of freedom is 2.77645.
	got, margin := paired([]float64{1, math.NaN(), 2, 3, 4, 5}, 0.05), 2.77645*math.Sqrt(2.5/5)
	if got.n != 5 || !near(got.difference, 3, 1e-12) || !near(got.low, 3-margin, 1e-4) || !near(got.high, 3+margin, 1e-4) {
		t.Errorf("got interval %+v, want 3 ± %g of 5 pairs", got, margin)
	}
	// t = 3/sqrt(0.5) = 4.2426 with 4 degrees of freedom
	if !near(got.p, 0.01324, 2e-5) {
		t.Errorf("got p %g, want 0.01324", got.p)
	}
	if one := paired([]float64{7}, 0.05); one.n != 1 || one.difference != 7 || !math.IsNaN(one.low) || !math.IsNaN(one.p) {
		t.Errorf("one pair: got %+v, want difference 7 without an interval", one)
	}
	if none := paired([]float64{math.NaN()}, 0.05); none.n != 0 || !math.IsNaN(none.difference) {
		t.Errorf("no pair: got %+v, want NaN", none)
	}
	if same := paired([]float64{2, 2, 2}, 0.05); same.low != 2 || same.high != 2 || same.p != 0 {
		t.Errorf("equal differences: got %+v, want 2 to 2 with p 0", same)
	}
	if zero := paired([]float64{0, 0}, 0.05); zero.low != 0 || zero.high != 0 || zero.p != 1 {
		t.Errorf("no differences: got %+v, want 0 to 0 with p 1", zero)
	}
}

func TestUnpaired(t *testing.T) {
	// The variances of the means are 4/4 and 1/9, so there are (10/9)^2 / (1/3 + 1/648) = 3.6862
	// degrees of freedom.
	a, b := moments{4, 10, 2}, moments{9, 12, 1}
	got := unpaired(a, b, 1, 0.05)
	margin := 2.8724 * math.Sqrt(10.0/9) // 97.5 % point of t with 3.6862 degrees of freedom
	if got.n != 4 || got.difference != 2 || !near(got.high, 2+margin, 2e-3) || !near(got.low, 2-margin, 2e-3) {
		t.Errorf("got %+v, want 2 ± %g", got, margin)
	}
	if scaled := unpaired(a, b, 1.2, 0.05); scaled.difference != 0 || !near(scaled.p, 1, 1e-12) {
		t.Errorf("12 against 1.2 times 10: got %+v, want difference 0 with p 1", scaled)
	}
	if exact := unpaired(moments{3, 1, 0}, moments{3, 2, 0}, 1, 0.05); exact.low != 1 || exact.high != 1 || exact.p != 0 {
		t.Errorf("samples without variance: got %+v, want 1 to 1 with p 0", exact)
	}
	if one := unpaired(moments{1, 10, 0}, b, 1, 0.05); one.difference != 2 || !math.IsNaN(one.low) {
		t.Errorf("a single run: got %+v, want difference 2 without an interval", one)
	}
}

// Intervals contain the true value as often as they should, for samples that share most of their
// noise and for independent samples with different variances.
func TestIntervalCoverage(t *testing.T) {
	const experiments, truth = 4000, 0.3
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 8, 30} {
		var pairedHits, unpairedHits int
		for range experiments {
			differences, a, b := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range n {
				shared := 5 * r.NormFloat64()
				differences[i] = (shared + truth + r.NormFloat64()) - (shared + r.NormFloat64())
				a[i], b[i] = 3*r.NormFloat64(), truth+r.NormFloat64()
			}
			if p := paired(differences, level); p.low <= truth && truth <= p.high {
				pairedHits++
			}
			if u := unpaired(momentsOf(a), momentsOf(b), 1, level); u.low <= truth && truth <= u.high {
				unpairedHits++
			}
		}
		// Three standard errors of a share of 0.95 are 0.0103. With two or three values, Welch's
		// interval is only close to its level.
		if share := float64(pairedHits) / experiments; !near(share, 0.95, 0.0103) {
			t.Errorf("%d pairs: a share of %.3f of the intervals contains the true value, want 0.95", n, share)
		}
		if share := float64(unpairedHits) / experiments; share < 0.925 || share > 0.98 {
			t.Errorf("%d values each: a share of %.3f of the intervals contains the true value, want 0.925 to 0.98", n, share)
		}
	}
}

func TestRunsNeeded(t *testing.T) {
	for _, sd := range []float64{0.1, 1, 3, 40} {
		for _, isPaired := range []bool{true, false} {
			i := interval{n: 5, difference: -1, sd: sd, paired: isPaired}
			got := i.runsNeeded()
			shows := func(n int) bool { // uses p, whereas runsNeeded uses the margin
				freedom := float64(n - 1)
				if !isPaired {
					freedom *= 2
				}
				return student(interval{n: n, difference: 1}, sd/math.Sqrt(float64(n)), freedom, level).p < level
			}
			if got < 2 || !shows(got) || got > 2 && shows(got-1) {
				t.Errorf("sd %g, paired %v: got %d runs, want the smallest number that shows the difference", sd, isPaired, got)
			}
		}
	}
	if got := (interval{n: 5, difference: 1e-9, sd: 1}).runsNeeded(); got != RunsMax+1 {
		t.Errorf("a difference far below its noise: got %d runs, want RunsMax+1", got)
	}
	if got := (interval{n: 1, difference: 1, sd: math.NaN()}).runsNeeded(); got != 0 {
		t.Errorf("unknown standard deviation: got %d runs, want 0", got)
	}
}

func TestHolm(t *testing.T) {
	got := holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, math.NaN(), 0.06, 0.02} {
		if !near(got[i], want, 1e-12) && !(math.IsNaN(want) && math.IsNaN(got[i])) {
			t.Errorf("p-value %d: got %g, want %g", i, got[i], want)
		}
	}
	if got := holm([]float64{0.6, 0.7}); got[0] != 1 || got[1] != 1 {
		t.Errorf("got %v, want p-values limited to 1", got)
	}
}
