package experiment

import (
	"slices"
	"testing"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// A replication counts only if every arm completed it.
func TestFinishedReplications(t *testing.T) {
	whole, other, part := &result.Result{}, &result.Result{}, &result.Result{}
	whole.Summary.Complete, other.Summary.Complete = true, true
	var each [][]*result.Result
	got := finishedReplications{byArm: make([][]*outcome.Summary, 2), each: func(byArm []*result.Result) { each = append(each, byArm) }}
	for run, pair := range [][2]*result.Result{{whole, other}, {part, whole}, {whole, part}, {nil, whole}, {other, nil}, {other, other}} {
		for arm, r := range pair {
			if r == nil {
				continue
			}
			if err := got.keep(Outcome{Job: Job{Arm: arm, Run: uint64(run)}, Result: r}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := [][]*result.Result{{whole, other}, {other, other}}; !slices.EqualFunc(each, want, slices.Equal) {
		t.Errorf("got results by run %v, want %v", each, want)
	}
	if len(got.byArm[0]) != 2 || len(got.byArm[1]) != 2 {
		t.Errorf("got summaries by arm %v, want two of each", got.byArm)
	}
}
