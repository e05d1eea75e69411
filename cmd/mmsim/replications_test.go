package main

import (
	"slices"
	"testing"

	"mmsim/reports"
)

// Interrupted replications count only where no finished one is.
func TestCountable(t *testing.T) {
	whole, other, part := &reports.Result{}, &reports.Result{}, &reports.Result{}
	whole.Summary.Complete, other.Summary.Complete = true, true
	for _, test := range []struct{ results, want []*reports.Result }{
		{[]*reports.Result{whole, other}, []*reports.Result{whole, other}},
		{[]*reports.Result{whole, part, nil, other}, []*reports.Result{whole, other}},
		{[]*reports.Result{nil, part, nil}, []*reports.Result{part}},
		{[]*reports.Result{nil, nil}, nil},
	} {
		if got := countable(test.results); !slices.Equal(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.results, got, test.want)
		}
	}
}
