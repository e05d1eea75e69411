package decision

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
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
// at equal distances. players.unmatched_share has no picture, because it is 0 everywhere.
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
			for _, fault := range resulttest.TextFaults(&p) {
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

// sweepOver returns a sweep whose mean waits are by point and run. NaN stands for no match.
func sweepOver(settings []string, values [][]string, waits [][]float64) *judge.Sweep {
	s := &judge.Sweep{Settings: settings, Metrics: []string{"wait_s.mean", "rtt_ms.mean"}}
	for i := range values {
		s.Points = append(s.Points, judge.SweepPoint{Values: values[i], Runs: resulttest.Sample("", 1, len(waits[i]), func(run int, sum *outcome.Summary) {
			sum.Wait, sum.RTT.Count, sum.RTT.Mean = outcome.WaitStats{Count: 100, Mean: outcome.Seconds(waits[i][run])}, 100, 40
			if math.IsNaN(waits[i][run]) {
				sum.Wait = outcome.WaitStats{}
			}
		}).Runs})
	}
	return s
}

// A title claims a difference only if the runs show one that matters. Otherwise it says why not.
func TestTitlesAskTheRuns(t *testing.T) {
	none := math.NaN()
	for _, test := range []struct {
		waits [3][]float64
		heat  string
		trade string
	}{
		{[3][]float64{{4, 5, 6}, {5, 6, 7.1}, {8, 9.1, 10}},
			"mean wait of all searches is lowest, 5.00 s with match size 2, order of tickets a, highest, 9.03 s with match size 8, order of tickets a", "1 of 3 combinations on the front"},
		{[3][]float64{{4, 5, 6}, {5, 6, 4}, {6, 4, 5.3}},
			"no difference in mean wait of all searches is shown", "no combination is shown to beat another"},
		{[3][]float64{{4, 5, 6}, {4, 5, 6}, {4, 5, 6}},
			"mean wait of all searches is 5.00 s in every combination", "no combination is shown to beat another"},
		{[3][]float64{{4, 5, 6}, {4.01, 5, 6}, {4.02, 5.01, 6.02}},
			"no difference in mean wait of all searches that matters", "no combination is shown to beat another"},
		{[3][]float64{{4}, {5}, {9}},
			"too few runs to tell a difference in mean wait of all searches from chance", "1 of 3 combinations on the front, but one run of each cannot tell this from chance"},
		{[3][]float64{{4, 5, 6}, {5, 6, 7.1}, {none, 1, none}},
			"mean wait of all searches is lowest, 5.00 s with match size 2, order of tickets a, highest, 6.03 s with match size 4, order of tickets a; hollow ones left out", "1 of 3 combinations on the front"},
		{[3][]float64{{4, 5, 6}, {4, 5, 6}, {none, 1, none}},
			"mean wait of all searches is 5.00 s in every combination that is not hollow", "no combination is shown to beat another"},
	} {
		s := sweepOver([]string{"match.size", "match.order"}, [][]string{{"2", "a"}, {"4", "a"}, {"8", "a"}}, test.waits[:])
		table := s.Table()
		if got := extremesTitle(s, table, 0, 0, 1); got != test.heat {
			t.Errorf("%v: got title of the heat map %q, want %q", test.waits, got, test.heat)
		}
		// The headline claims a best combination only if the title of the picture does.
		claims, headline := strings.Contains(test.heat, "is lowest"), phrase.Sweep(s)
		if len(test.waits[0]) > 1 && strings.Contains(strings.ToLower(headline), "mean wait of all searches is best") != claims {
			t.Errorf("%v: got headline %q beside the title %q, want both to claim a best combination, or neither", test.waits, headline, test.heat)
		}
		if got, want := tradeOffTitle(s, table, 0, 1, table.Front(0, 1)), "Mean wait of all searches against mean RTT: "+test.trade; got != want {
			t.Errorf("%v: got title of the trade-off %q, want %q", test.waits, got, want)
		}
	}
	s := sweepOver([]string{"match.size"}, [][]string{{"2"}}, [][]float64{{none, none}})
	if got, want := extremesTitle(s, s.Table(), 0, 0), "mean wait of all searches has no value in any combination"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Differences in percent and in percentage points have an axis each. Within both, the difference
// that matters most is at the top, and those that are not shown or do not matter are at the end.
func TestDifferencesAreRankedByWhatMatters(t *testing.T) {
	row := func(name string, in outcome.Unit, a, difference, matters float64, v judge.Verdict) *judge.Difference {
		none := judge.Optional(math.NaN())
		return &judge.Difference{Name: name, In: in, Low: none, High: none, A: judge.Optional(a), Difference: judge.Optional(difference), Matters: judge.Optional(matters), Verdict: v}
	}
	g := differences{list: []*judge.Difference{
		row("players.failed", "players", 5, -2.2, 200, judge.VerdictSmall),
		row("rtt_ms.mean", outcome.UnitMillis, 40, 2, 1, judge.VerdictWorse),
		row("wait_s.mean", outcome.UnitSeconds, 4, 1.72, 0.2, judge.VerdictWorse),
	}}
	g.sort()
	var names []string
	for _, d := range g.list {
		names = append(names, d.Name)
	}
	if want := "wait_s.mean rtt_ms.mean players.failed"; strings.Join(names, " ") != want {
		t.Errorf("got order %v, want %s", names, want)
	}
	if got := reachOf(g.list); math.Abs(got-43) > 1e-9 {
		t.Errorf("got an axis up to %g %%, want 43, the largest difference that matters", got)
	}
	a := resulttest.Sample("a", 1, 3, nil)
	b := resulttest.Sample("b", 1, 3, func(run int, s *outcome.Summary) { s.Wait.Mean *= 2; s.RTT.ShareLE50 /= 2 })
	svg := Comparison(judge.Compare(a, b, nil))[0]
	if text, _ := svg.Inline(); strings.Count(text, "% of A") != 1 || strings.Count(text, ">percentage points (pp)<") != 1 {
		t.Error("want one axis in percent of A and one in percentage points")
	}
}

// The title of the picture by number of datacenters says what the goals are at both ends, by the best set of
// each number. A goal without a value is left out.
func TestByNumberTitle(t *testing.T) {
	set := func(mean float64, datacenters ...string) judge.SweepPoint {
		return judge.SweepPoint{
			Values: []string{strings.Join(datacenters, " ")}, Set: &judge.SiteSet{Name: "s", Datacenters: datacenters},
			Runs: resulttest.Sample("", 1, 1, func(_ int, s *outcome.Summary) { s.RTT.Mean = outcome.Millis(mean) }).Runs,
		}
	}
	s := &judge.Site{Sweep: &judge.Sweep{Settings: []string{judge.UseKey}, Metrics: []string{"rtt_ms.mean", "bots_wait_s.mean"},
		Points: []judge.SweepPoint{set(90, "a"), set(81.5, "b"), set(60, "a", "b"), set(42.25, "a", "b", "c")}}, Goals: []string{judge.SitesGoal, "rtt_ms.mean", "bots_wait_s.mean"}}
	plots := Site(s)
	want := "From 1 to 3 datacenters: mean RTT from 81.5 ms to 42.2 ms"
	if got := plots[len(plots)-1].Title; got != want {
		t.Errorf("got the title %q, want %q", got, want)
	}
}
