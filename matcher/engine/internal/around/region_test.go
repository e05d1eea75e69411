package around

import (
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// The expected values were computed by hand. The regions are a to d, in another order in the schema.
func TestReached(t *testing.T) {
	none := math.NaN()
	schema := new(matcher.Schema)
	for _, name := range []string{"b", "a", "c", "d"} {
		_, _ = schema.Region(name)
	}
	rule := &matcher.PivotRegion{Relative: true, MaxMS: 100, ReachMS: matcher.Linear(0, 10, math.Inf(1), 1000), OneWayAfterMS: matcher.Never}
	g := newRegions(rule, schema, false, 0)
	rows := store.New(func(waitMS int64) store.Stage {
		return store.Stage{UntilMS: waitMS + 1, Limits: []store.Limit{g.limitAt(waitMS)}}
	})
	g.rows = rows
	row := rows.Add(store.Ticket, 0, matcher.Never, 3)
	party := []matcher.Player{{RTTMS: []float64{40, 30, 10}}, {RTTMS: []float64{none, none}}, {RTTMS: []float64{60, 70, none}}}
	if best, tooFar := g.TooFar(party, matcher.NoPlace); best != 50 || tooFar {
		t.Errorf("got %v ms to the nearest region, too far: %v; want 50 ms, not too far", best, tooFar)
	}
	g.load(row, party, matcher.NoPlace)
	rows.Advance(0)
	if got := g.Reached(row); !slices.Equal(got, []matcher.Region{1, 0}) {
		t.Errorf("got regions by distance %v, want [1 0]", got)
	}

	// From this place, the round-trip times are 20, 60, 110 and 30 ms. The cases are its regions
	// within 0, 10, 40 and 1,000 ms of the lowest.
	g.load(row, nil, g.AddPlace([]float64{20, 60, 110, 30}))
	for waitMS, want := range map[int64][]matcher.Region{0: {0}, 1000: {0, 3}, 4000: {0, 3, 1}, 100_000: {0, 3, 1}} {
		rows.Advance(waitMS)
		if got := g.Reached(row); !slices.Equal(got, want) {
			t.Errorf("after %d ms: got reached regions %v, want %v", waitMS, got, want)
		}
	}
	if near := g.Nearest(row); near != 0 {
		t.Errorf("got nearest region %v, want 0", near)
	}
	rule.Ignored = true
	if best, tooFar := g.TooFar([]matcher.Player{{RTTMS: []float64{200}}}, matcher.NoPlace); tooFar || !math.IsInf(best, 1) {
		t.Errorf("got %v ms to the nearest region, too far: %v; want no region, because the rules ignore RTTs", best, tooFar)
	}
}
