package sim

import (
	"math"
	"testing"
)

// The mean and standard deviation of drawn sessions match their distribution.
func TestSessionLengths(t *testing.T) {
	const n = 200_000
	for _, test := range []struct {
		length   SessionLength
		mean, sd float64 // ms
	}{
		{SessionLength{Kind: SessionConstant, Scale: 5000}, 5000, 0},
		{SessionLength{Kind: SessionExponential, Scale: 60_000}, 60_000, 60_000},
		{SessionLength{Kind: SessionLogNormal, Scale: 60_000, SD: 30_000}, 60_000, 30_000},
		{SessionLength{Kind: SessionWeibull, Scale: 60_000, Shape: 2}, 60_000 * math.Gamma(1.5), 60_000 * math.Sqrt(1-math.Pow(math.Gamma(1.5), 2))},
		{SessionLength{Kind: SessionWeibull, Scale: 60_000, Shape: 0.5}, 120_000, 120_000 * math.Sqrt(5)},
	} {
		s := NewStream(1, 0, PurposeSession)
		sum, squares := 0.0, 0.0
		for i := range uint64(n) {
			x := float64(test.length.Draw(s, mix(i)))
			sum += x
			squares += x * x
		}
		mean := sum / n
		sd := math.Sqrt(max(0, squares/n-mean*mean))
		if math.Abs(mean-test.mean) > 4*test.sd/math.Sqrt(n) || math.Abs(sd-test.sd) > 0.05*test.sd {
			t.Errorf("%+v: got mean %.0f and standard deviation %.0f, want %.0f and %.0f", test.length, mean, sd, test.mean, test.sd)
		}
	}
}
