package resulttest

import (
	"math"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/outcome"
)

// Unmeasured makes package cmp treat two statistics as equal if neither was measured.
var Unmeasured = cmp.Options{both[outcome.Seconds](), both[outcome.Millis](), both[outcome.Share](), both[outcome.Average](), both[outcome.Value](), both[float64]()}

func both[T ~float64]() cmp.Option {
	return cmp.FilterValues(
		func(a, b T) bool { return math.IsNaN(float64(a)) && math.IsNaN(float64(b)) },
		cmp.Comparer(func(T, T) bool { return true }))
}
