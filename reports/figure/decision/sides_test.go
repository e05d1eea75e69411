package decision

import (
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

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
