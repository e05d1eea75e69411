package histogram

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"mmsim/reports/outcome"
)

// Encoding and decoding a number keeps five significant digits, whatever its size.
func TestDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 100_000 {
		x := math.Exp(r.Float64()*60 - 30)
		want, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 4, 64), 64)
		if got := decodeDecimal(encodeDecimal(x)); float64(outcome.RoundValue(got)) != float64(outcome.RoundValue(want)) && x > 1e-15 {
			t.Fatalf("decodeDecimal(encodeDecimal(%v)): got %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{0, 0.25, 1. / 8, 1, 10, 1000, 99999, 1e12, 250} {
		if got := float64(outcome.RoundValue(decodeDecimal(encodeDecimal(x)))); got != x {
			t.Errorf("decodeDecimal(encodeDecimal(%v)): got %v, want the same after rounding", x, got)
		}
	}
	if encodeDecimal(0.1) >= encodeDecimal(0.2) || encodeDecimal(9.9999) >= encodeDecimal(10) || encodeDecimal(0) >= encodeDecimal(1e-14) {
		t.Error("the codes of ascending numbers are not ascending")
	}
}
