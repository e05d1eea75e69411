package ranges_test

import (
	"math"
	"testing"

	"mmsim/matcher/internal/ranges"
)

// Exceeds must give the result of its definition for all numbers, also for NaN, for infinite numbers and
// for the empty span.
func TestExceedsLikeAdd(t *testing.T) {
	numbers := []float64{math.NaN(), math.Inf(-1), -2, -0.5, 0, 1e-9, 0.5, 1, 2, math.Inf(1)}
	spans := []ranges.Span{ranges.None(), ranges.Anywhere(), {Low: math.NaN(), High: math.NaN()}}
	for _, low := range numbers {
		for _, high := range numbers {
			if low <= high {
				spans = append(spans, ranges.Span{Low: low, High: high})
			}
		}
	}
	for _, s := range spans {
		for _, x := range numbers {
			for _, width := range numbers {
				with := s
				with.Add(x)
				if got, want := s.Exceeds(x, width), with.High-with.Low > width; got != want {
					t.Errorf("%v with %v is wider than %v: got %v, want %v", s, x, width, got, want)
				}
			}
		}
	}
}
