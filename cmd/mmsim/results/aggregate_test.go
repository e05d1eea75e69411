package results

import (
	"slices"
	"testing"

	"mmsim/reports"
)

// Interrupted replications count only where no finished one is.
func TestCountable(t *testing.T) {
	whole, other, part := &reports.Summary{Complete: true}, &reports.Summary{Complete: true}, &reports.Summary{}
	for _, test := range []struct{ begun, want []*reports.Summary }{
		{[]*reports.Summary{whole, other}, []*reports.Summary{whole, other}},
		{[]*reports.Summary{whole, part, other}, []*reports.Summary{whole, other}},
		{[]*reports.Summary{part}, []*reports.Summary{part}},
		{nil, nil},
	} {
		if got := countable(test.begun); !slices.Equal(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.begun, got, test.want)
		}
	}
}
