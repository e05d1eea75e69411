package experiment

import (
	"math"
	"slices"
	"testing"

	"mmsim/cmd/mmsim/config"
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

// Only B has an event, from 1:00 to 1:10. Both arms of a comparison have the 95th percentile of waits in the minutes
// around it, from 0:00 to before 3:10, and in no other minute.
func TestArmsDescribeMinutesAroundEventsOfAll(t *testing.T) {
	configs := make([]*config.Config, 2)
	for i, events := range []string{"[]", `[{at: "01:00", for: 10m, outage: [frankfurt]}]`} {
		c, err := config.Load("", []config.Override{
			{Key: "dataset", Text: "{builtin: {preset: eu, joins: 100000}}"}, {Key: "clock", Text: "{warmup: 10m, duration: 4h}"}, {Key: "events", Text: events},
		})
		if err != nil {
			t.Fatal(err)
		}
		configs[i] = c
	}
	cache := NewCache(1)
	arms, err := LoadArms(cache, configs...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = MeasureAll(t.Context(), arms, FirstRuns(1), Options{Cache: cache}, func(byArm []*result.Result) {
		for arm, r := range byArm {
			if len(r.Series) != 4*60 {
				t.Fatalf("arm %d has %d minutes, want 240", arm, len(r.Series))
			}
			for i := range r.Series {
				if measured := !math.IsNaN(float64(r.Series[i].WaitP95)); measured != (i < 190) {
					t.Fatalf("arm %d, minute %d: p95 %v", arm, i, r.Series[i].WaitP95)
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
