package datasets

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// testDraw is a keyed stream of SplitMix64, as the simulator's are.
func testDraw(stream uint64) Draw {
	return func(entity, k uint64) uint64 {
		return mix(mix(mix(stream+0x9e3779b97f4a7c15)+entity*0x9e3779b97f4a7c15) + k*0x9e3779b97f4a7c15)
	}
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func testDraws(seed uint64) Draws {
	stream := func(purpose uint64) Draw { return testDraw(mix(seed) + purpose) }
	return Draws{
		Thin: stream(1), Copies: stream(2), Jitter: stream(3), Spread: stream(4), Party: stream(5), Arrivals: stream(6),
	}
}

func TestLogarithm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0x1p-53, 1e6).Draw(t, "x")
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 1e-15*max(1, math.Abs(want))*2 {
			t.Fatalf("logarithm(%v) = %v, want %v", x, got, want)
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
		if got := newChance(test.p).holds(test.draw); got != test.want {
			t.Errorf("chance %v with draw %x: %v, want %v", test.p, test.draw, got, test.want)
		}
	}
}

// Mean and variance of the distributions, from their definitions.
func TestDistributions(t *testing.T) {
	const n = 200_000
	draw := testDraw(7)
	for name, test := range map[string]struct {
		of             func(uint64) float64
		mean, variance float64
	}{
		"exponential": {exponential, 1, 1},
		"bell":        {bell, 0, 1},
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
			t.Errorf("%s: mean %.4f and variance %.4f, want %v and %v", name, mean, variance, test.mean, test.variance)
		}
	}
	for _, end := range []uint64{0, math.MaxUint64} {
		if x := exponential(end); !(x > 0) || math.IsInf(x, 0) {
			t.Errorf("exponential(%x) = %v", end, x)
		}
		if x := bell(end); math.Abs(x) > 3.5 {
			t.Errorf("bell(%x) = %v", end, x)
		}
	}
}
