package decision

import (
	"strings"
	"testing"

	"mmsim/reports/figure/season"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// Several queues are shown together. RTTs over all queues are no result, so no title is about them.
func TestSidesOfQueues(t *testing.T) {
	sample := func(name string, wait float64) *judge.Sample {
		return resulttest.Sample(name, 1, 6, func(_ int, s *outcome.Summary) {
			*s = resulttest.Queues().Summary
			s.WaitFirst.P90 = outcome.Seconds(wait)
		})
	}
	c := judge.Compare(sample("A", 10), sample("B", 12), nil)
	var sides [2]result.Sketch
	for i := range sides {
		sides[i].AddRun(resulttest.Queues())
	}
	want := []string{"B: p90 wait of first searches 20 % longer (12.0 s instead of 10.0 s)", "A and B, all queues together"}
	for i, p := range Sides(c, &sides, resulttest.Square) {
		if p.Title != want[i] || !strings.HasPrefix(p.Note, "all queues together; ") {
			t.Errorf("got title %q and note %q, want %q and all queues together", p.Title, p.Note, want[i])
		}
		want[i] = ""
	}
	if want[0] != "" || want[1] != "" {
		t.Errorf("the pictures titled %q are missing", want)
	}
}

// The titles of the pictures of both sides agree with the verdicts of the comparison. A side without
// matched players has no pictures.
func TestSides(t *testing.T) {
	a := resulttest.Sample("A", 1, 6, func(run int, s *outcome.Summary) { s.WaitFirst.P90 = 10; s.RTT.P90, s.RTT.Mean = 80, 40 })
	b := resulttest.Sample("B", 1, 6, func(run int, s *outcome.Summary) { s.WaitFirst.P90 = 12; s.RTT.P90, s.RTT.Mean = 80, 20 })
	c := judge.Compare(a, b, nil)
	var sides [2]result.Sketch
	if plots := Sides(c, &sides, nil); len(plots) != 0 {
		t.Errorf("nobody was matched: got %d pictures, want none", len(plots))
	}
	sides[0].AddRun(resulttest.Synthetic(24, 24, 100_000))
	sides[1].AddRun(resulttest.Synthetic(24, 24, 50_000))
	plots := Sides(c, &sides, resulttest.Square)
	want := []string{"B: p90 wait of first searches 20 % longer (12.0 s instead of 10.0 s); p90 RTT is the same", "B: mean RTT 50 % lower (20 ms instead of 40 ms)"}
	if len(plots) != len(want) {
		t.Fatalf("got %d pictures, want %d", len(plots), len(want))
	}
	for i := range plots {
		if plots[i].Title != want[i] {
			t.Errorf("got title %q, want %q", plots[i].Title, want[i])
		}
		for _, fault := range resulttest.TextFaults(&plots[i]) {
			t.Error(fault)
		}
		if svg, shown := plots[i].Inline(); len(shown) != 2 || len(svg) > 300_000 {
			t.Errorf("%s: got %d parts in %d bytes, want 2 in at most 300,000", plots[i].Name, len(shown), len(svg))
		}
	}
}

// The pictures of both seasons have titles that agree with the verdicts. The scales of two rating systems
// are not compared.
func TestSidesOfSeasons(t *testing.T) {
	sample := func(name string, slope, perfect float64) *judge.Sample {
		return resulttest.Sample(name, 1, 6, func(_ int, s *outcome.Summary) {
			*s = resulttest.Season().Summary
			s.Season.Rating.Slope, s.Season.Rating.SlopePerfect = outcome.Value(slope), outcome.Value(perfect)
		})
	}
	for _, test := range []struct {
		perfect float64
		want    string
	}{
		{1, "B: correlation of rating and skill is the same; slope of the rating 50 % lower (0.40 instead of 0.80)"},
		{0.5, "B: correlation of rating and skill is the same"},
	} {
		c := judge.Compare(sample("A", 0.8, 1), sample("B", 0.4, test.perfect), nil)
		var sides [2]result.Sketch
		for i := range sides {
			sides[i].AddRun(resulttest.Season())
		}
		found := 0
		for _, p := range Sides(c, &sides, resulttest.Square) {
			if strings.HasPrefix(p.Name, "season-") {
				found++
			}
			if p.Name == season.Rating && p.Title != test.want {
				t.Errorf("got title %q, want %q", p.Title, test.want)
			}
		}
		if found != 5 {
			t.Errorf("got %d pictures of seasons, want 5", found)
		}
	}
}

// The picture of the minutes around an event names the side that has the event, once if both have it, and has a band for
// it. The mean wait is that of the minutes from 1:00 to before 1:30.
func TestSidesAroundEvents(t *testing.T) {
	side := func(wait float64, events ...outcome.Event) (k result.Sketch) {
		r := resulttest.Synthetic(24, 24, 100_000)
		r.Summary.Events = events
		for i := range r.Series {
			m := &r.Series[i]
			m.WaitMean, m.WaitP95 = 1, 2
			if m.T >= 3600 && m.T < 5400 {
				m.WaitMean = outcome.Seconds(wait)
			}
		}
		k.AddRun(r)
		return k
	}
	down := outcome.Event{Name: "1", At: 3600, For: 1800, Action: "paris down 30 min (kill)"}
	c := judge.Compare(resulttest.Sample("A", 1, 6, nil), resulttest.Sample("B", 1, 6, nil), nil)
	for _, test := range []struct {
		sides [2]result.Sketch
		title string
		band  string
	}{
		{[2]result.Sketch{side(1), side(4, down)}, "paris down 30 min (kill) in B: the mean wait of its minutes is 1.00 s in A, 4.00 s in B", "paris down 30 min (kill) in B"},
		{[2]result.Sketch{side(3, down), side(4, down)}, "paris down 30 min (kill): the mean wait of its minutes is 3.00 s in A, 4.00 s in B", "paris down 30 min (kill)"},
	} {
		plots := Sides(c, &test.sides, resulttest.Square)
		p := plots[len(plots)-1]
		if p.Name != "events" || p.Title != test.title || len(p.Bands) != 1 || p.Bands[0].Name != test.band {
			t.Errorf("got picture %s with title %q and bands %+v, want %q and %q", p.Name, p.Title, p.Bands, test.title, test.band)
		}
		for _, fault := range resulttest.TextFaults(&p) {
			t.Errorf("%s: %s", p.Name, fault)
		}
	}
}
