package result_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/result"
)

// A sketch adds the players of all runs by bin and by cell, in any order, and weighs RTTs by players.
// Its files read back as they were written.
func TestSketch(t *testing.T) {
	one, two := &result.Result{
		Distributions: []result.Distribution{{Measure: result.MeasureWaitFirst, Bins: []result.Bin{{From: 0, To: 0, Players: 1}}}, {Measure: result.MeasureRTT, Bins: []result.Bin{{From: 0, To: 1, Players: 2}}}},
		Map:           []result.Cell{{Latitude: 50, Longitude: 8, Players: 1, RTTMean: 10}},
	}, &result.Result{
		Distributions: []result.Distribution{{Measure: result.MeasureWaitFirst, Bins: []result.Bin{{From: 0, To: 0, Players: 3}, {From: 0, To: 0.1, Players: 4}}}},
		Map:           []result.Cell{{Latitude: 50, Longitude: 8, Players: 3, RTTMean: 20}, {Latitude: -1, Longitude: -70, Players: 5, RTTMean: 7}},
	}
	var sides [2]result.Sketch
	sides[0].AddRun(one)
	sides[0].AddRun(two)
	sides[1].AddRun(two)
	sides[1].AddRun(one)
	files := resulttest.Memory{}
	if err := result.WriteSketches(&sides, files.Create); err != nil {
		t.Fatal(err)
	}
	back, err := result.LoadSketches(files.FS())
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range []*result.Sketch{&sides[0], &sides[1], &back[0], &back[1]} {
		if diff := cmp.Diff([]result.Bin{{From: 0, To: 0, Players: 4}, {From: 0, To: 0.1, Players: 4}}, side.Waits); diff != "" {
			t.Errorf("waits of sketch %d (-want +got):\n%s", i, diff)
		}
		if diff := cmp.Diff([]result.Bin{{From: 0, To: 1, Players: 2}}, side.RTTs); diff != "" {
			t.Errorf("RTTs of sketch %d (-want +got):\n%s", i, diff)
		}
		want := []result.Cell{{Latitude: -1, Longitude: -70, Players: 5, RTTMean: 7}, {Latitude: 50, Longitude: 8, Players: 4, RTTMean: 17.5}}
		if diff := cmp.Diff(want, side.Map()); diff != "" {
			t.Errorf("map of sketch %d (-want +got):\n%s", i, diff)
		}
	}
	if none, err := result.LoadSketches(resulttest.Memory{}.FS()); none != nil || err != nil {
		t.Errorf("without files: got %v and error %v, want neither", none, err)
	}
}
