package result

import (
	"math"
	"testing"
)

// bins returns adjacent bins between the edges 0, to[0], to[1] and so on.
func bins(to []float64, players ...int) (list []Bin) {
	from := 0.0
	for i, n := range players {
		list = append(list, Bin{From: from, To: to[i], Players: n})
		from = to[i]
	}
	return list
}

// TestDistance: the gaps of two distributions by hand, at the edges that both have.
func TestDistance(t *testing.T) {
	ones, twos := []float64{1, 2, 3, 4}, []float64{2, 4}
	for name, test := range map[string]struct {
		a, b []Bin
		want float64
	}{
		"equal":                  {bins(ones, 1, 2, 3, 4), bins(ones, 1, 2, 3, 4), 0},
		"equal shares":           {bins(ones, 1, 2, 3, 4), bins(ones, 10, 20, 30, 40), 0},
		"shifted by one bin":     {bins(ones, 5, 5, 0, 0), bins(ones, 0, 5, 5, 0), 0.5},                          // at 1 and 2: 0.5 against 0, 1 against 0.5
		"different totals":       {bins(ones, 1, 1, 1, 1), bins(ones, 1, 0, 0, 1), 0.25},                         // at 1: 0.25 against 0.5; at 3: 0.75 against 0.5
		"wider bins":             {bins(ones, 8, 0, 1, 1), bins(twos, 7, 3), 0.1},                                // only 2 (0.8 against 0.7) and 4 are in both
		"a shorter one":          {bins(ones, 5, 5), bins(ones, 4, 3, 2, 1), 0.3},                                // at 2: 1 against 0.7
		"waits of 0 are an edge": {bins([]float64{0, 1}, 9, 1), bins([]float64{0, 1}, 6, 4), 0.3},                // at 0: 0.9 against 0.6
		"rounded edges":          {bins([]float64{0.1, 0.1 + 0.2}, 1, 1), bins([]float64{0.1, 0.3}, 1, 3), 0.25}, // at 0.1: 0.5 against 0.25
		"nobody":                 {nil, bins(ones, 1), math.NaN()},
	} {
		for _, got := range []float64{Distance(test.a, test.b), Distance(test.b, test.a)} {
			if math.Abs(got-test.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(test.want) {
				t.Errorf("%s: got a distance of %v, want %v", name, got, test.want)
			}
		}
	}
}

// TestPooled: runs add up by players, and a run that ends early has all its players below later edges.
func TestPooled(t *testing.T) {
	ones := []float64{1, 2, 3, 4}
	got := Pooled(bins(ones, 1, 2), nil, bins(ones, 1, 0, 0, 4), bins([]float64{2, 3}, 5, 1))
	// Up to 2: 3 + 1 + 5, up to 3: 3 + 1 + 6, up to 4: 3 + 5 + 6. The third run does not have the edge 1.
	want := []Bin{{0, 2, 9}, {2, 3, 1}, {3, 4, 4}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}
