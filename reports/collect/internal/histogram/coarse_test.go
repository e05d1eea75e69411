package histogram

import (
	"math"
	"testing"
)

func TestCoarseKeepsOrderAndSize(t *testing.T) {
	last := uint64(0)
	for v := uint64(0); v < 1<<40; v += 1 + v/700 {
		key := Coarse(v)
		if key < last || key > last+1 {
			t.Fatalf("coarse(%d): got key %d after key %d, want the same or the next", v, key, last)
		}
		last = key
		if off := math.Abs(float64(Fine(key)) - float64(v)); off > 0.004*float64(v) {
			t.Fatalf("Fine of the key of %d: got %d, want at most 0.4 %% of difference", v, Fine(key))
		}
	}
}

func TestSpreadKey(t *testing.T) {
	for _, whole := range []float64{0, 1, 2, 3, 1500, 8191, 16383} {
		if got := SpreadOf(SpreadKey(whole)); got != whole {
			t.Errorf("SpreadOf(SpreadKey(%v)): got %v, want the same", whole, got)
		}
	}
	for _, x := range []float64{0.1, 1e-9, 123456.789, 1e300} {
		if got := SpreadOf(SpreadKey(x)); got > x || got < x*(1-0.0002) {
			t.Errorf("SpreadOf(SpreadKey(%v)): got %v, want at most 0.02 %% less", x, got)
		}
	}
}
