package outcome

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestQuantitiesHaveFixedDigits(t *testing.T) {
	for _, test := range []struct {
		number json.Marshaler
		want   string
	}{
		{RoundSeconds(0), "0.000"},
		{RoundSeconds(1.0005), "1.001"},
		{RoundSeconds(86400), "86400.000"},
		{RoundSeconds(-0.25), "-0.250"},
		{RoundMillis(55.7449), "55.74"},
		{RoundMillis(0.125), "0.13"},
		{RoundShare(1.0 / 3), "0.33333"},
		{RoundShare(1), "1.00000"},
		{RoundAverage(20449.8765), "20449.877"},
		{RoundDegrees(-33.86882), "-33.8688"},
		{RoundValue(1234567), "1.23457e+06"},
		{RoundValue(0.00012345678), "0.000123457"},
		{RoundValue(617.6432), "617.643"},
		{RoundValue(0), "0"},
	} {
		text, err := json.Marshal(test.number)
		if err != nil || string(text) != test.want {
			t.Errorf("%T as JSON: got %s (error %v), want %s", test.number, text, err, test.want)
		}
		if got := fmt.Sprint(test.number); got != test.want {
			t.Errorf("%T as text: got %s, want %s", test.number, got, test.want)
		}
	}
}

// Reading a written number returns the same number.
func TestQuantitiesRoundTrip(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		x := draw.ExpFloat64() * math.Pow(10, float64(draw.IntN(9)-3))
		survives(t, RoundSeconds(x))
		survives(t, RoundMillis(x))
		survives(t, RoundShare(x))
		survives(t, RoundAverage(x))
		survives(t, RoundDegrees(x))
		survives(t, RoundValue(x))
	}
}

func survives[T comparable](t *testing.T, number T) {
	t.Helper()
	text, err := json.Marshal(number)
	if err != nil {
		t.Fatal(err)
	}
	var back T
	if err := json.Unmarshal(text, &back); err != nil || back != number {
		t.Fatalf("%T %v as JSON is %s: got %v when read (error %v), want the same number", number, number, text, back, err)
	}
}
