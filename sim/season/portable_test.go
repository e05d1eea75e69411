package season

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestPortableFunctions compares the functions of this package with those of package math.
func TestPortableFunctions(t *testing.T) {
	near := func(t *rapid.T, name string, x, got, want, tolerance float64) {
		if got != want && !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
			t.Fatalf("%s(%v) = %v, want %v", name, x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-707, 709.7).Draw(t, "exponent")
		near(t, "exp", x, exp(x), math.Exp(x), 4e-16)
		near(t, "logistic", x, logistic(x), 1/(1+math.Exp(-x)), 1e-15)
		x = math.Exp(x)
		near(t, "log", x, log(x), math.Log(x), 4e-16)
		x = rapid.Float64Range(0.5, 2).Draw(t, "near 1")
		near(t, "log", x, log(x), math.Log(x), 4e-16)
		x = rapid.Float64Range(-37, 37).Draw(t, "normal")
		near(t, "below", x, below(x), math.Erfc(-x/math.Sqrt2)/2, 1e-12)
		near(t, "densityOverBelow", x, densityOverBelow(x), math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)/(math.Erfc(-x/math.Sqrt2)/2), 1e-12)
	})
}

func TestPortableLimits(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"exp(0)", exp(0), 1},
		{"exp(-1000)", exp(-1000), 0},
		{"exp(1000)", exp(1000), math.Inf(1)},
		{"log(1)", log(1), 0},
		{"below(0)", below(0), 0.5},
		{"below(-1000)", below(-1000), 0},
		{"below(1000)", below(1000), 1},
		{"densityOverBelow(1000)", densityOverBelow(1000), 0},
		{"normalQuantile(1/2)", normalQuantile(0.5), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	// density(x)/below(x) approaches -x - 1/x + 2/x³ for a very negative x, where both are 0.
	if got, want := densityOverBelow(-1000), 1000+1e-3-2e-9; math.Abs(got-want) > 1e-12*want {
		t.Errorf("densityOverBelow(-1000) = %v, want %v", got, want)
	}
	if got, want := normalQuantile(0.975), 1.959963984540054; math.Abs(got-want) > 1e-13 {
		t.Errorf("normalQuantile(0.975) = %v, want %v", got, want)
	}
}
