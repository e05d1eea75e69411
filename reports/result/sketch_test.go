package result_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
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
	for _, file := range []string{result.SketchMinutesFile, result.SketchEventsFile} {
		if _, is := files[file]; is {
			t.Errorf("without events there is a file %s", file)
		}
	}
	if none, err := result.LoadSketches(resulttest.Memory{}.FS()); none != nil || err != nil {
		t.Errorf("without files: got %v and error %v, want neither", none, err)
	}
}

// Only B has an event, at 2:00 for an hour. The minutes of both sides around it, from 1:00 to before 5:00, are means over
// the runs: a minute without matches does not count. Of runs that know no event, there is no p95.
func TestSketchAroundEvents(t *testing.T) {
	const hour = 3600
	run := func(searching int, wait, p95 float64, events ...outcome.Event) *result.Result {
		r := &result.Result{Summary: outcome.Summary{Events: events}, Distributions: []result.Distribution{{Measure: result.MeasureWaitFirst}, {Measure: result.MeasureRTT}}}
		for t := 0; t < 8*hour; t += result.MinuteLength {
			m := result.Minute{T: t, Ideal: searching, WaitMean: outcome.Seconds(wait), WaitP95: outcome.Seconds(p95)}
			if t == 2*hour && wait > 2 {
				m.WaitMean = outcome.Seconds(math.NaN())
			}
			r.Series = append(r.Series, m)
		}
		return r
	}
	down := outcome.Event{Name: "1", At: 2 * hour, For: hour, Action: "a down 1 h (kill)"}
	var sides [2]result.Sketch
	sides[0].AddRun(run(2, 1, 0))
	sides[0].AddRun(run(5, 4, 0))
	sides[1].AddRun(run(7, 2, 10, down))
	sides[1].AddRun(run(8, 2, 11, down))
	files := resulttest.Memory{}
	if err := result.WriteSketches(&sides, files.Create); err != nil {
		t.Fatal(err)
	}
	back, err := result.LoadSketches(files.FS())
	if err != nil {
		t.Fatal(err)
	}
	none := outcome.Seconds(math.NaN())
	for i, want := range [2]result.SideMinute{{T: hour, Searching: 3.5, WaitMean: 2.5, WaitP95: none}, {T: hour, Searching: 7.5, WaitMean: 2, WaitP95: 10.5}} {
		rows := back[i].Minutes()
		if len(rows) != 4*60 {
			t.Fatalf("side %d has %d minutes, want 240", i, len(rows))
		}
		if fmt.Sprint(rows[0]) != fmt.Sprint(want) { // NaN does not equal itself
			t.Errorf("first minute of side %d: got %+v, want %+v", i, rows[0], want)
		}
		if i == 0 && rows[60].WaitMean != 1 {
			t.Errorf("the minute without matches in one run has a mean wait of %v s, want 1, that of the other run", rows[60].WaitMean)
		}
	}
	if len(back[0].Events) > 0 || len(back[1].Events) != 1 || back[1].Events[0] != (result.SideEvent{Name: "1", At: 2 * hour, For: hour, Action: "a down 1 h (kill)"}) {
		t.Errorf("events %+v and %+v, want none in A and that of B", back[0].Events, back[1].Events)
	}
}
