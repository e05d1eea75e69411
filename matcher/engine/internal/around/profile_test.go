package around

import (
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// The expected values were computed by hand. The ticket is a party of three, and the regions are
// a to d. The second player has no measurements, and only the first player has measured c. The
// other players' slices end before d.
func TestReach(t *testing.T) {
	none := math.NaN()
	schema := new(matcher.Schema)
	for _, name := range []string{"b", "a", "c", "d"} {
		_, _ = schema.Region(name)
	}
	g := newRegions(&matcher.PivotRegion{Relative: true, MaxMS: 100, OneWayAfterMS: matcher.Never}, schema, false, 0)
	rows := store.New(func(waitMS int64) store.Stage {
		bound := float64(waitMS)
		return store.Stage{UntilMS: waitMS + 1, Limits: []store.Limit{{Bound: bound, Level: g.level(bound)}}}
	})
	g.rows = rows
	p := g.Measure([]matcher.Player{{RTTMS: []float64{40, 30, 10}}, {RTTMS: []float64{none, none}}, {RTTMS: []float64{60, 70, none}}})
	if !p.Measured || p.BestMS != 50 || p.To(0) != 50 || p.To(1) != 50 || !math.IsInf(p.To(2), 1) || !math.IsInf(p.To(3), 1) {
		t.Errorf("got profile %+v, want means of 50 ms to the first two regions and no others", p)
	}
	row := rows.Add(store.Ticket, 0, matcher.Never, 3)
	g.Load(row, matcher.NoPlace)
	if got := g.inOrder(row); !slices.Equal(got, []matcher.Region{1, 0}) {
		t.Errorf("got regions by distance %v, want [1 0]", got)
	}

	// From this place, the round-trip times are 20, 60, 110 and 30 ms. The cases are its regions
	// within 0, 10, 40 and 1,000 ms of the lowest.
	g.Measure([]matcher.Player{{RTTMS: []float64{20, 60, 110, 30}}})
	from := matcher.Place(g.AddPlace())
	g.Load(row, from)
	for waitMS, want := range map[int64][]matcher.Region{0: {0}, 10: {0, 3}, 40: {0, 3, 1}, 1000: {0, 3, 1}} {
		rows.Advance(waitMS)
		if got := g.Reached(row); !slices.Equal(got, want) {
			t.Errorf("after %d ms: got reached regions %v, want %v", waitMS, got, want)
		}
	}
	g.ignored = true
	if p := g.Measure([]matcher.Player{{RTTMS: []float64{20}}}); p.Measured || g.within(p, 1000, uncached) != 0 {
		t.Errorf("got profile %+v, want it not measured, because the rules ignore RTTs", p)
	}
}

// A reach has the same regions whether or not profiles cache them. The cache is full after
// maxLevels reaches.
func TestManyReaches(t *testing.T) {
	schema := new(matcher.Schema)
	_, _ = schema.Region("a")
	_, _ = schema.Region("b")
	g := newRegions(&matcher.PivotRegion{MaxMS: 100, OneWayAfterMS: matcher.Never}, schema, false, 0)
	p := g.Measure([]matcher.Player{{RTTMS: []float64{5, 15}}})
	for reachMS := range 20 {
		want := uint64(0)
		if reachMS >= 5 {
			want |= 1
		}
		if reachMS >= 15 {
			want |= 2
		}
		for range 2 {
			if got := g.within(p, float64(reachMS), g.level(float64(reachMS))); got != want {
				t.Errorf("within %d ms: got regions %b, want %b", reachMS, got, want)
			}
		}
	}
}
