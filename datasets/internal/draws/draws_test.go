package draws

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestLogarithm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0x1p-53, 1e6).Draw(t, "x")
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 1e-15*max(1, math.Abs(want))*2 {
			t.Fatalf("logarithm(%v): got %v, want %v", x, got, want)
		}
	})
}

func TestChance(t *testing.T) {
	for _, test := range []struct {
		p    float64
		draw uint64
		want bool
	}{
		{0, 0, false},
		{1, math.MaxUint64, true},
		{0.5, 1<<63 - 1, true},
		{0.5, 1 << 63, false},
		{1e-30, 0, false},
	} {
		if got := NewChance(test.p).Holds(test.draw); got != test.want {
			t.Errorf("chance %v with draw %x: got %v, want %v", test.p, test.draw, got, test.want)
		}
	}
}

// The chances are e^-1 / k!. Over the lowest and the highest bits, Poisson has its extremes.
func TestPoisson(t *testing.T) {
	sum := 0.0
	for k, factorial := 0, 1.0; k < 10; k++ {
		factorial *= max(1, float64(k))
		sum += math.Exp(-1) / factorial
		below, above := uint64((sum-1e-12)*0x1p64), uint64((sum+1e-12)*0x1p64)
		if got := Poisson(below); got != k {
			t.Errorf("draw %x: got %d, want %d", below, got, k)
		}
		if got := Poisson(above); got != k+1 {
			t.Errorf("draw %x: got %d, want %d", above, got, k+1)
		}
	}
	if low, high := Poisson(0), Poisson(math.MaxUint64); low != 0 || high < 16 || high > PoissonMax {
		t.Errorf("got %d to %d, want 0 to at most PoissonMax = %d", low, high, PoissonMax)
	}
}

// The distributions have the mean and variance from their definitions.
func TestDistributions(t *testing.T) {
	const n = 200_000
	draw := Stream(7)
	for name, test := range map[string]struct {
		of             func(uint64) float64
		mean, variance float64
	}{
		"exponential": {Exponential, 1, 1},
		"bell":        {Bell, 0, 1},
		"poisson":     {func(draw uint64) float64 { return float64(Poisson(draw)) }, 1, 1},
	} {
		sum, squares := 0.0, 0.0
		for k := range uint64(n) {
			x := test.of(draw(1, k))
			sum += x
			squares += x * x
		}
		mean := sum / n
		variance := squares/n - mean*mean
		if math.Abs(mean-test.mean) > 0.01 || math.Abs(variance-test.variance) > 0.03 {
			t.Errorf("%s: got mean %.4f and variance %.4f, want %v and %v", name, mean, variance, test.mean, test.variance)
		}
	}
	for _, end := range []uint64{0, math.MaxUint64} {
		if x := Exponential(end); !(x > 0) || math.IsInf(x, 0) {
			t.Errorf("Exponential(%x): got %v, want a finite number above 0", end, x)
		}
		if x := Bell(end); math.Abs(x) > 3.5 {
			t.Errorf("Bell(%x): got %v, want -3.5 to 3.5", end, x)
		}
	}
}
