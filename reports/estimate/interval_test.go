package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestPaired(t *testing.T) {
	// Mean 3, sd sqrt(2.5). The 97.5 % point of t with 4 degrees of freedom is 2.77645.
	got, margin := Paired([]float64{1, 2, 3, 4, 5}, Precision{Step: 1e-3}, 0.05), 2.77645*math.Sqrt(2.5/5)
	if got.N != 5 || !near(got.Difference, 3, 1e-12) || !near(got.Low, 3-margin, 1e-4) || !near(got.High, 3+margin, 1e-4) {
		t.Errorf("got interval %+v, want 3 ± %g of 5 pairs", got, margin)
	}
	// t = 3/sqrt(0.5) = 4.2426 with 4 degrees of freedom
	if !near(got.P, 0.01324, 2e-5) {
		t.Errorf("got p %g, want 0.01324", got.P)
	}
	// The law of a resampled file: the variance of the mean is 2.5/5 for the runs and 2.5 for the file.
	if law := Paired([]float64{1, 2, 3, 4, 5}, Precision{Step: 1e-3, Resampled: true}, 0.05); !near(law.High, 3+margin*math.Sqrt(6), 1e-4) {
		t.Errorf("resampled: got %+v, want 3 ± %g", law, margin*math.Sqrt(6))
	}
	if one := Paired([]float64{7}, Precision{}, 0.05); one.N != 1 || one.Difference != 7 || one.Known() || !math.IsNaN(one.P) {
		t.Errorf("one pair: got %+v, want difference 7 without an interval", one)
	}
	if none := Paired([]float64{math.NaN()}, Precision{}, 0.05); none.N != 0 || !math.IsNaN(none.Difference) {
		t.Errorf("no pair: got %+v, want NaN", none)
	}
	if some := Paired([]float64{1, math.NaN(), 2, 4}, Precision{}, 0.05); some.N != 3 || some.Of != 4 || some.Known() {
		t.Errorf("3 of 4 pairs have the metric: got %+v, want no interval", some)
	}
}

// Equal differences have the uncertainty of their rounding: a difference of two values that are
// rounded to whole numbers has the standard deviation 1/sqrt(6).
func TestEqualDifferences(t *testing.T) {
	whole := Precision{Step: 1}
	// 97.5 % points of t: 4.30265 with 2, 2.36462 with 7 degrees of freedom
	for n, point := range map[int]float64{3: 4.30265, 8: 2.36462} {
		margin := point / math.Sqrt(6*float64(n))
		for _, by := range []float64{0, 2} {
			got := Paired(slices.Repeat([]float64{by}, n), whole, 0.05)
			if !near(got.Low, by-margin, 1e-4) || !near(got.High, by+margin, 1e-4) || got.Same() != (by == 0) || (by == 0) != (got.P == 1) {
				t.Errorf("%d differences of %g: got %+v, want ± %g", n, by, got, margin)
			}
		}
	}
	if two := Paired([]float64{2, 2}, whole, 0.05); two.Known() || two.Same() {
		t.Errorf("two equal differences: got %+v, want no interval", two)
	}
	if two := Paired([]float64{0, 0}, whole, 0.05); !two.Same() || !near(two.High, 12.7062/math.Sqrt(12), 1e-3) {
		t.Errorf("no difference in two pairs: got %+v, want 0 ± %g", two, 12.7062/math.Sqrt(12))
	}
	if one := Paired([]float64{0}, whole, 0.05); !one.Same() || one.Known() {
		t.Errorf("no difference in one pair: got %+v, want the same, without an interval", one)
	}
	if close := Paired([]float64{0.1 + 0.2, 0.3}, Precision{Step: 1e-3}, 0.05); close.Known() {
		t.Errorf("two differences that are equal but for rounding: got %+v, want no interval", close)
	}
	// Percentiles that are a little below a whole number of ticks in a few runs are not the same.
	if few := Paired([]float64{0, 0, 0.1, 0, 0.09}, whole, 0.05); few.Constant || few.Same() || !near(few.Difference, 0.038, 1e-9) {
		t.Errorf("differences far below one Step: got %+v, want neither constant nor the same", few)
	}
	// Without pairs, each side has the standard deviation 1/sqrt(12); 2.77645 with 4 degrees of freedom.
	margin := 2.77645 * math.Sqrt(1.0/12/3+1.0/12/3)
	if got := Unpaired(Moments{3, 3, 1, 0}, Moments{3, 3, 2, 0}, 1, whole, 0.05); !near(got.Low, 1-margin, 1e-4) || !near(got.High, 1+margin, 1e-4) {
		t.Errorf("samples without variance: got %+v, want 1 ± %g", got, margin)
	}
	if got := Single(Moments{3, 3, 5, 0}, whole, 0.05); !near(got.High, 5+4.30265/6, 1e-4) {
		t.Errorf("three equal values: got %+v, want 5 ± %g", got, 4.30265/6)
	}
}

func TestUnpaired(t *testing.T) {
	// The variances of the means are 4/4 and 1/9, so there are (10/9)^2 / (1/3 + 1/648) = 3.6862
	// degrees of freedom.
	a, b := Moments{4, 4, 10, 2}, Moments{9, 9, 12, 1}
	got := Unpaired(a, b, 1, Precision{}, 0.05)
	margin := 2.8724 * math.Sqrt(10.0/9) // 97.5 % point of t with 3.6862 degrees of freedom
	if got.N != 4 || got.Difference != 2 || !near(got.High, 2+margin, 2e-3) || !near(got.Low, 2-margin, 2e-3) {
		t.Errorf("got %+v, want 2 ± %g", got, margin)
	}
	if scaled := Unpaired(a, b, 1.2, Precision{}, 0.05); scaled.Difference != 0 || !near(scaled.P, 1, 1e-12) {
		t.Errorf("12 against 1.2 times 10: got %+v, want difference 0 with p 1", scaled)
	}
	if one := Unpaired(Moments{1, 1, 10, 0}, b, 1, Precision{}, 0.05); one.Difference != 2 || one.Known() {
		t.Errorf("a single run: got %+v, want difference 2 without an interval", one)
	}
	if some := Unpaired(Moments{4, 5, 10, 2}, b, 1, Precision{}, 0.05); some.Known() {
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
			if p := Paired(differences, Precision{}, Level); p.Low <= truth && truth <= p.High {
				pairedHits++
			}
			if u := Unpaired(MomentsOf(a), MomentsOf(b), 1, Precision{}, Level); u.Low <= truth && truth <= u.High {
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
			i := Interval{N: 5, Difference: -1, sd: sd, isPaired: isPaired}
			got := i.RunsNeeded(Level)
			shows := func(n int) bool { // uses p, whereas RunsNeeded uses the margin
				freedom := float64(n - 1)
				if !isPaired {
					freedom *= 2
				}
				return student(Interval{N: n, Difference: 1, standardError: sd / math.Sqrt(float64(n))}, freedom, Level).P < Level
			}
			if got < 2 || !shows(got) || got > 2 && shows(got-1) {
				t.Errorf("sd %g, paired %v: got %d runs, want the smallest number that shows the difference", sd, isPaired, got)
			}
		}
	}
	if got := (&Interval{N: 5, Difference: 1e-9, sd: 1, isPaired: true}).RunsNeeded(Level); got != RunsMax+1 {
		t.Errorf("a difference far below its noise: got %d runs, want RunsMax+1", got)
	}
	if got := (&Interval{N: 1, Difference: 1, Low: math.NaN(), sd: math.NaN()}).RunsNeeded(Level); got != 0 {
		t.Errorf("unknown standard deviation: got %d runs, want 0", got)
	}
	// More runs of one file do not show what the file does not carry.
	if got := (&Interval{N: 5, Difference: 1, sd: 1, isPaired: true, precision: Precision{Resampled: true}}).RunsNeeded(Level); got != RunsMax+1 {
		t.Errorf("resampled, a difference of one standard deviation: got %d runs, want RunsMax+1", got)
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, math.NaN(), 0.06, 0.02} {
		if !near(got[i], want, 1e-12) && !(math.IsNaN(want) && math.IsNaN(got[i])) {
			t.Errorf("p-value %d: got %g, want %g", i, got[i], want)
		}
	}
	if got := Holm([]float64{0.6, 0.7}); got[0] != 1 || got[1] != 1 {
		t.Errorf("got %v, want p-values limited to 1", got)
	}
}
