package judge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestPaired(t *testing.T) {
	// Mean 3, sd sqrt(2.5). The 97.5 % point of t with 4 degrees of freedom is 2.77645.
	got, margin := paired([]float64{1, 2, 3, 4, 5}, precision{step: 1e-3}, 0.05), 2.77645*math.Sqrt(2.5/5)
	if got.n != 5 || !near(got.difference, 3, 1e-12) || !near(got.low, 3-margin, 1e-4) || !near(got.high, 3+margin, 1e-4) {
		t.Errorf("got interval %+v, want 3 ± %g of 5 pairs", got, margin)
	}
	// t = 3/sqrt(0.5) = 4.2426 with 4 degrees of freedom
	if !near(got.p, 0.01324, 2e-5) {
		t.Errorf("got p %g, want 0.01324", got.p)
	}
	// The law of a resampled file: the variance of the mean is 2.5/5 for the runs and 2.5 for the file.
	if law := paired([]float64{1, 2, 3, 4, 5}, precision{step: 1e-3, resampled: true}, 0.05); !near(law.high, 3+margin*math.Sqrt(6), 1e-4) {
		t.Errorf("resampled: got %+v, want 3 ± %g", law, margin*math.Sqrt(6))
	}
	if one := paired([]float64{7}, precision{}, 0.05); one.n != 1 || one.difference != 7 || one.known() || !math.IsNaN(one.p) {
		t.Errorf("one pair: got %+v, want difference 7 without an interval", one)
	}
	if none := paired([]float64{math.NaN()}, precision{}, 0.05); none.n != 0 || !math.IsNaN(none.difference) {
		t.Errorf("no pair: got %+v, want NaN", none)
	}
	if some := paired([]float64{1, math.NaN(), 2, 4}, precision{}, 0.05); some.n != 3 || some.of != 4 || some.known() {
		t.Errorf("3 of 4 pairs have the metric: got %+v, want no interval", some)
	}
}

// Equal differences have the uncertainty of their rounding: a difference of two values that are
// rounded to whole numbers has the standard deviation 1/sqrt(6).
func TestEqualDifferences(t *testing.T) {
	whole := precision{step: 1}
	// 97.5 % points of t: 4.30265 with 2, 2.36462 with 7 degrees of freedom
	for n, point := range map[int]float64{3: 4.30265, 8: 2.36462} {
		margin := point / math.Sqrt(6*float64(n))
		for _, by := range []float64{0, 2} {
			got := paired(slices.Repeat([]float64{by}, n), whole, 0.05)
			if !near(got.low, by-margin, 1e-4) || !near(got.high, by+margin, 1e-4) || got.same() != (by == 0) || (by == 0) != (got.p == 1) {
				t.Errorf("%d differences of %g: got %+v, want ± %g", n, by, got, margin)
			}
		}
	}
	if two := paired([]float64{2, 2}, whole, 0.05); two.known() || two.same() {
		t.Errorf("two equal differences: got %+v, want no interval", two)
	}
	if two := paired([]float64{0, 0}, whole, 0.05); !two.same() || !near(two.high, 12.7062/math.Sqrt(12), 1e-3) {
		t.Errorf("no difference in two pairs: got %+v, want 0 ± %g", two, 12.7062/math.Sqrt(12))
	}
	if one := paired([]float64{0}, whole, 0.05); !one.same() || one.known() {
		t.Errorf("no difference in one pair: got %+v, want the same, without an interval", one)
	}
	if close := paired([]float64{0.1 + 0.2, 0.3}, precision{step: 1e-3}, 0.05); close.known() {
		t.Errorf("two differences that are equal but for rounding: got %+v, want no interval", close)
	}
	// Percentiles that are a little below a whole number of ticks in a few runs are not the same.
	if few := paired([]float64{0, 0, 0.1, 0, 0.09}, whole, 0.05); few.constant || few.same() || !near(few.difference, 0.038, 1e-9) {
		t.Errorf("differences far below one step: got %+v, want neither constant nor the same", few)
	}
	// Without pairs, each side has the standard deviation 1/sqrt(12); 2.77645 with 4 degrees of freedom.
	margin := 2.77645 * math.Sqrt(1.0/12/3+1.0/12/3)
	if got := unpaired(moments{3, 3, 1, 0}, moments{3, 3, 2, 0}, 1, whole, 0.05); !near(got.low, 1-margin, 1e-4) || !near(got.high, 1+margin, 1e-4) {
		t.Errorf("samples without variance: got %+v, want 1 ± %g", got, margin)
	}
	if got := single(moments{3, 3, 5, 0}, whole, 0.05); !near(got.high, 5+4.30265/6, 1e-4) {
		t.Errorf("three equal values: got %+v, want 5 ± %g", got, 4.30265/6)
	}
}

func TestUnpaired(t *testing.T) {
	// The variances of the means are 4/4 and 1/9, so there are (10/9)^2 / (1/3 + 1/648) = 3.6862
	// degrees of freedom.
	a, b := moments{4, 4, 10, 2}, moments{9, 9, 12, 1}
	got := unpaired(a, b, 1, precision{}, 0.05)
	margin := 2.8724 * math.Sqrt(10.0/9) // 97.5 % point of t with 3.6862 degrees of freedom
	if got.n != 4 || got.difference != 2 || !near(got.high, 2+margin, 2e-3) || !near(got.low, 2-margin, 2e-3) {
		t.Errorf("got %+v, want 2 ± %g", got, margin)
	}
	if scaled := unpaired(a, b, 1.2, precision{}, 0.05); scaled.difference != 0 || !near(scaled.p, 1, 1e-12) {
		t.Errorf("12 against 1.2 times 10: got %+v, want difference 0 with p 1", scaled)
	}
	if one := unpaired(moments{1, 1, 10, 0}, b, 1, precision{}, 0.05); one.difference != 2 || one.known() {
		t.Errorf("a single run: got %+v, want difference 2 without an interval", one)
	}
	if some := unpaired(moments{4, 5, 10, 2}, b, 1, precision{}, 0.05); some.known() {
		t.Errorf("4 of 5 runs have the metric: got %+v, want no interval", some)
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
			if p := paired(differences, precision{}, level); p.low <= truth && truth <= p.high {
				pairedHits++
			}
			if u := unpaired(momentsOf(a), momentsOf(b), 1, precision{}, level); u.low <= truth && truth <= u.high {
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
			got := i.runsNeeded(level)
			shows := func(n int) bool { // uses p, whereas runsNeeded uses the margin
				freedom := float64(n - 1)
				if !isPaired {
					freedom *= 2
				}
				return student(interval{n: n, difference: 1, standardError: sd / math.Sqrt(float64(n))}, freedom, level).p < level
			}
			if got < 2 || !shows(got) || got > 2 && shows(got-1) {
				t.Errorf("sd %g, paired %v: got %d runs, want the smallest number that shows the difference", sd, isPaired, got)
			}
		}
	}
	if got := (&interval{n: 5, difference: 1e-9, sd: 1, paired: true}).runsNeeded(level); got != RunsMax+1 {
		t.Errorf("a difference far below its noise: got %d runs, want RunsMax+1", got)
	}
	if got := (&interval{n: 1, difference: 1, low: math.NaN(), sd: math.NaN()}).runsNeeded(level); got != 0 {
		t.Errorf("unknown standard deviation: got %d runs, want 0", got)
	}
	// More runs of one file do not show what the file does not carry.
	if got := (&interval{n: 5, difference: 1, sd: 1, paired: true, precision: precision{resampled: true}}).runsNeeded(level); got != RunsMax+1 {
		t.Errorf("resampled, a difference of one standard deviation: got %d runs, want RunsMax+1", got)
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
