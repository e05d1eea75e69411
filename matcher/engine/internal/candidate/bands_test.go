package candidate

import (
	"math"
	"math/rand/v2"
	"testing"

	"mmsim/matcher/engine/internal/store"
)

// A candidate within its width of a seed must share a value with it, whatever the numbers are.
// Most other candidates must not.
func TestBands(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var numbers [2]float64 // numbers of the seed and the candidate
	var width float64
	b := &Bands{
		Number: func(row Row) float64 { return numbers[row] },
		Width:  func(*store.Limit, Row) float64 { return width },
	}
	near, far, kept := 0, 0, 0
	for range 100_000 {
		bound := math.Pow(10, float64(r.IntN(9)-3))
		l := &store.Limit{Bound: bound, Active: true}
		width = bound * float64(1+r.IntN(4)) / 4
		switch r.IntN(8) {
		case 0:
			l.Bound, width = 0, 0
		case 1:
			bound *= math.Pow(10, float64(r.IntN(14)))
		}
		numbers[0] = bound * float64(r.IntN(40)-20) / 4
		numbers[1] = numbers[0] + width*float64(r.IntN(33)-16)/4
		shares := b.Mask(l, 0)&b.CandidateMask(l, 1) != 0
		if math.Abs(numbers[0]-numbers[1]) <= width {
			if near++; !shares {
				t.Fatalf("numbers %v and %v: got no shared band, want one, because they are within %v (bound %v)", numbers[0], numbers[1], width, l.Bound)
			}
		} else if far++; shares {
			kept++
		}
	}
	if near < 10_000 || far < 10_000 || 2*kept > far {
		t.Errorf("got %d near candidates, and %d of %d others share a band; want at least 10,000 near and others, and at most half of the others kept", near, kept, far)
	}
}

// A rule that does not apply must not exclude any candidate.
func TestBandsWithoutLimit(t *testing.T) {
	b := &Bands{}
	if b.Filters(&store.Limit{Bound: math.Inf(1), Active: true}) || b.Certain(&store.Limit{Bound: 5}) {
		t.Error("got Filters or Certain true for a rule without a limit, want false")
	}
}
