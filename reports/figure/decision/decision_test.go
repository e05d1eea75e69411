package decision

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/internal/charttest"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// Equal comparisons give equal pictures, and every kind of comparison can be drawn.
func TestDifferencePlot(t *testing.T) {
	a := resulttest.Sample("a", 1, 3, nil)
	for _, b := range []*judge.Sample{a, resulttest.Sample("b", 1, 3, func(run int, s *outcome.Summary) { s.Wait.Mean *= outcome.Seconds(run) })} {
		files := [2]resulttest.Memory{{}, {}}
		for _, f := range files {
			if err := figure.Write(Comparison(judge.Compare(a, b, nil)), f.Create); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"differences.png", "differences.svg"} {
			if len(files[0][name].Bytes()) == 0 || !bytes.Equal(files[0][name].Bytes(), files[1][name].Bytes()) {
				t.Errorf("%s: two pictures of one result have %d and %d bytes, want equal, non-empty files", name, files[0][name].Len(), files[1][name].Len())
			}
		}
	}
}

// The pictures of a sweep depend on how many settings vary. Values that are not numbers are drawn
// at equal distances.
func TestSweepPlots(t *testing.T) {
	for _, test := range []struct {
		rows, columns []string
		want          string
	}{
		{[]string{"20ms", "30ms"}, []string{"2", "4", "8"}, "heat-wait_s-mean heat-rtt_ms-mean heat-failed_wait_s-mean trade-off"},
		{[]string{"20ms", "40ms", "50ms"}, []string{"2"}, "curves trade-off"},
		{[]string{"shuffle", "oldest"}, []string{"2"}, "curves"},
		{[]string{"20ms"}, []string{"2"}, ""},
	} {
		files := resulttest.Memory{}
		if err := figure.Write(Sweep(resulttest.Grid(test.rows, test.columns, 2)), files.Create); err != nil {
			t.Fatal(err)
		}
		names := strings.Fields(test.want)
		if len(files) != 2*len(names) {
			t.Errorf("%v: got %d files, want a PNG and an SVG of each of %d pictures", test, len(files), len(names))
		}
		for _, name := range names {
			if files[name+".png"] == nil || files[name+".svg"] == nil || files[name+".png"].Len() == 0 {
				t.Errorf("%v: picture %s is missing as PNG or SVG, or empty", test, name)
			}
		}
	}
	for _, test := range []struct {
		values []string
		want   []float64
	}{
		{[]string{"20ms", "1s"}, []float64{0.02, 1}}, {[]string{"2", "8"}, []float64{2, 8}},
		{[]string{"8", "2"}, []float64{0, 1}}, {[]string{"a", "b", "c"}, []float64{0, 1, 2}},
	} {
		got := positions(test.values)
		for i := range test.want {
			if got[i] != test.want[i] {
				t.Errorf("%v: got %v, want %v", test.values, got, test.want)
			}
		}
	}
}

func TestTuningPlots(t *testing.T) {
	rtt, wait, peak := judge.Goal{Name: "rtt_ms.mean"}, judge.Goal{Name: "wait_s.p95", Maximise: true}, judge.Goal{Name: "ccu.peak"}
	for _, test := range []struct {
		goals  []judge.Goal
		before [2]float64
		want   string
	}{
		{[]judge.Goal{rtt}, [2]float64{4, 40}, "progress"}, {[]judge.Goal{rtt, wait}, [2]float64{4, 40}, "front"}, {[]judge.Goal{rtt, wait, peak}, [2]float64{4, 40}, "front"},
		{[]judge.Goal{peak}, [2]float64{4, 40}, "progress"}, {[]judge.Goal{rtt, wait}, [2]float64{4, math.NaN()}, "front"}, {[]judge.Goal{rtt}, [2]float64{4, math.NaN()}, "progress"},
	} {
		search := resulttest.Tuning(test.goals, nil, [][2]float64{test.before, {6, 30}, {4, 36}})
		search.Front, search.Best = []int{1, 2}, 1
		files := resulttest.Memory{}
		if err := figure.Write(Tuning(search), files.Create); err != nil {
			t.Fatal(err)
		}
		if len(files) != 2 || files[test.want+".png"] == nil || files[test.want+".svg"] == nil {
			t.Errorf("%v: got %d files, want %s as PNG and SVG", test.goals, len(files), test.want)
		}
	}
}

// The legend explains the colour of trials that break a constraint only if there are constraints.
func TestLegendOfConstraints(t *testing.T) {
	rtt := judge.Goal{Name: "rtt_ms.mean"}
	for _, goals := range [][]judge.Goal{{rtt}, {rtt, {Name: "wait_s.p95"}}} {
		for bounds, want := range map[int]int{0: 3, 1: 4} {
			search := resulttest.Tuning(goals, make([]judge.Limit, bounds), [][2]float64{{4, 40}, {6, 30}})
			if key := Tuning(search)[0].Key; len(key) != want {
				t.Errorf("%d goals and %d constraints: got legend %v, want %d entries", len(goals), bounds, key, want)
			}
		}
	}
}

// No text leaves the canvas or overlaps another one, however close the points are.
func TestTextsKeepApart(t *testing.T) {
	wait, rtt := judge.Goal{Name: "wait_s.p95"}, judge.Goal{Name: "rtt_ms.mean"}
	var trials [][2]float64
	for i := range 40 {
		trials = append(trials, [2]float64{4 + 0.01*float64(i), 40 - 0.02*float64(i)})
	}
	front := resulttest.Tuning([]judge.Goal{rtt, wait}, nil, trials)
	for i := range 39 {
		front.Front = append(front.Front, i+1)
	}
	front.Best = 20
	progress := resulttest.Tuning([]judge.Goal{rtt}, nil, trials)
	progress.Best = 39
	var values []string
	for i := range 30 {
		values = append(values, strconv.Itoa(i)+"ms")
	}
	a := resulttest.Sample("a", 1, 3, nil)
	b := resulttest.Sample("b", 1, 3, func(run int, s *outcome.Summary) {
		s.Wait.Mean *= outcome.Seconds(2 + run)
		s.RTT.ShareLE50 /= 2
		s.Players.Failed, s.States.Expand.Share = 12345, 0.5
	})
	for _, plots := range [][]chart.Plot{
		Tuning(front), Tuning(progress), Sweep(resulttest.Grid(values, []string{"2", "4"}, 2)), Sweep(resulttest.Grid(values, []string{"2"}, 2)),
		Comparison(judge.Compare(a, b, nil)),
	} {
		for _, p := range plots {
			for _, fault := range charttest.TextFaults(&p) {
				t.Error(fault)
			}
		}
	}
}

// A heat map has its own colours, so that its numbers are readable on a dark page too.
func TestHeatKeepsColours(t *testing.T) {
	for _, share := range []float64{0, 0.3, 0.55, 0.6, 1} {
		fill, textColour := heat(share)
		for _, themed := range chart.Themed {
			if themed.Colour == fill || themed.Colour == textColour {
				t.Errorf("share %g of the colour scale: the dark page replaces %s, want it unchanged", share, themed.Name)
			}
		}
	}
}

// The title of a heat map says where the metric is lowest and highest.
func TestHeatTitles(t *testing.T) {
	s := resulttest.Grid([]string{"20ms", "30ms"}, []string{"2", "4", "8"}, 2)
	title := Sweep(s)[0].Title
	if !strings.HasPrefix(title, "wait_s.mean from ") || strings.Count(title, " s at ") != 2 {
		t.Errorf("title %q", title)
	}
	table := s.Table()
	for i := range table.Estimates[0] {
		table.Estimates[0][i] = judge.Estimate{Mean: 3, Low: 3, High: 3}
	}
	if got := heatTitle(s, table, 0, 0, 1); !strings.HasPrefix(got, "wait_s.mean is 3") || !strings.HasSuffix(got, " s in every combination") {
		t.Errorf("got %q for equal values", got)
	}
	for i := range table.Estimates[0] {
		table.Estimates[0][i].Mean = math.NaN()
	}
	if got, want := heatTitle(s, table, 0, 0, 1), "wait_s.mean has no value in any combination"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
