package results

import (
	"slices"
	"testing"

	"mmsim/reports/outcome"
)

// Interrupted replications count only if none has finished.
func TestCountable(t *testing.T) {
	whole, other, part := &outcome.Summary{Complete: true}, &outcome.Summary{Complete: true}, &outcome.Summary{}
	for _, test := range []struct{ started, want []*outcome.Summary }{
		{[]*outcome.Summary{whole, other}, []*outcome.Summary{whole, other}},
		{[]*outcome.Summary{whole, part, other}, []*outcome.Summary{whole, other}},
		{[]*outcome.Summary{part}, []*outcome.Summary{part}},
		{nil, nil},
	} {
		if got := countable(test.started); !slices.Equal(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.started, got, test.want)
		}
	}
}
