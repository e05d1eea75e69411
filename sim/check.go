package sim

import (
	"fmt"
	"math"
)

// fieldCheck is a condition on one field.
type fieldCheck struct {
	ok    bool
	field string
	value any
	want  string
}

// firstFailure returns an error for the first condition that fails, or nil if none does.
func firstFailure(checks []fieldCheck) error {
	for _, c := range checks {
		if !c.ok {
			return fmt.Errorf("%s is %v, want %s", c.field, c.value, c.want)
		}
	}
	return nil
}

// finite reports whether x is finite and not negative.
func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
