package experiment

import (
	"slices"
	"testing"

	"mmsim/reports/outcome"
)

// A replication counts only if every arm completed it.
func TestFinishedReplications(t *testing.T) {
	whole, other, part := &outcome.Summary{Complete: true}, &outcome.Summary{Complete: true}, &outcome.Summary{}
	got := finishedReplications{byArm: make([][]*outcome.Summary, 2)}
	for run, pair := range [][2]*outcome.Summary{{whole, other}, {part, whole}, {whole, part}, {nil, whole}, {other, nil}, {other, other}} {
		for arm, s := range pair {
			if s == nil {
				continue
			}
			if err := got.keep(Outcome{Job: Job{Arm: arm, Run: uint64(run)}, Summary: s}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := [][]*outcome.Summary{{whole, other}, {other, other}}; !slices.EqualFunc(got.byArm, want, slices.Equal) {
		t.Errorf("got summaries by arm %v, want %v", got.byArm, want)
	}
}
