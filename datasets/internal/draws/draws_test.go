package draws

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"mmsim/datasets/internal/draws/drawstest"
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

// The distributions have the mean and variance from their definitions.
func TestDistributions(t *testing.T) {
	const n = 200_000
	draw := drawstest.Stream(7)
	for name, test := range map[string]struct {
		of             func(uint64) float64
		mean, variance float64
	}{
		"exponential": {Exponential, 1, 1},
		"bell":        {Bell, 0, 1},
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
