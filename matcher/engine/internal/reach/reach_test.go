package reach_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
)

var none = math.NaN()

// schemaOf returns a schema that learned regions in the given order.
func schemaOf(t *testing.T, names ...string) *matcher.Schema {
	t.Helper()
	schema := new(matcher.Schema)
	for _, name := range names {
		if _, err := schema.Region(name); err != nil {
			t.Fatal(err)
		}
	}
	return schema
}

// The schema learned the regions b, a, c and d in this order, and the times of a row are in the order
// of the names. The second player has no measurements, and only the first player has measured c. The
// other players' times end before d. The expected values were computed by hand.
func TestReductions(t *testing.T) {
	party := []matcher.Player{{RTTMS: []float64{40, 30, 10}}, {RTTMS: []float64{none, none}}, {RTTMS: []float64{60, 70, none}}}
	far := math.Inf(1)
	for _, c := range []struct {
		by       reach.Reduction
		players  []matcher.Player
		want     []float64
		best     float64
		measured bool
	}{
		{reach.MeanOfMeasured, party, []float64{50, 50, far, far}, 50, true},
		{reach.MeanOfMeasured, party[1:2], []float64{far, far, far, far}, far, false},
		{reach.Mean, party, []float64{far, far, far, far}, far, true},
		{reach.Mean, []matcher.Player{party[0], party[2]}, []float64{50, 50, far, far}, 50, true},
		{reach.Worst, []matcher.Player{party[0], party[2]}, []float64{70, 60, far, far}, 60, true},
		{reach.Lowest, []matcher.Player{party[0], party[2]}, []float64{30, 40, far, far}, 30, true},
		{reach.Sum, []matcher.Player{party[0], party[2]}, []float64{100, 100, far, far}, 100, true},
		{reach.Worst, party[:1], []float64{30, 40, 10, far}, 10, true},
		{reach.Worst, nil, []float64{far, far, far, far}, far, false},
	} {
		x := reach.New(schemaOf(t, "b", "a", "c", "d"), c.by, nil, nil)
		x.Load(3, c.players, matcher.NoPlace)
		if got := x.Of(3); !slices.Equal(got, c.want) || x.Best(3) != c.best || x.Measured(3) != c.measured {
			t.Errorf("reduction %d of %d players: got times %v, lowest %v, measured %v; want %v, %v, %v", c.by, len(c.players), got, x.Best(3), x.Measured(3), c.want, c.best, c.measured)
		}
	}
}

// A mask must be the same whether the table stores it or computes it. The table stores the masks of
// at most 32 thresholds.
func TestMasks(t *testing.T) {
	schedule := matcher.Linear(0, 1, 100, 1000)
	thresholds := reach.Thresholds(&schedule, 40)
	if len(thresholds) != 32 || thresholds[0] != 0 || thresholds[31] != 31 {
		t.Fatalf("got thresholds %v, want 0 to 31", thresholds)
	}
	x := reach.New(schemaOf(t, "b", "a"), reach.Worst, thresholds, nil)
	x.Load(0, nil, reach.AddPlace([]float64{5, 15}, x))
	x.Load(1, []matcher.Player{{RTTMS: []float64{5, 35}}}, matcher.NoPlace)
	for limit := range 50 {
		l, want := store.Limit{Bound: float64(limit), Level: x.Level(float64(limit))}, [2]uint64{}
		if limit >= 5 {
			want[0], want[1] = 2, 2 // bit 1 is region b
		}
		if limit >= 15 {
			want[0] |= 1
		}
		if limit >= 35 {
			want[1] |= 1
		}
		var got [2]uint64
		x.Masks(got[:], &l, []reach.Row{0, 1})
		if got != want || x.Mask(&l, 0) != want[0] || x.Mask(&l, 1) != want[1] || (l.Level > 0) != (limit < 32) {
			t.Errorf("within %d ms: got masks %b with level %d, want %b", limit, got, l.Level, want)
		}
	}
}

// A threshold may depend on the lowest time of a row.
func TestThresholdBeyondTheLowest(t *testing.T) {
	x := reach.New(schemaOf(t, "a", "b", "c"), reach.Mean, []float64{0, 20}, func(threshold, best float64) float64 { return min(threshold+best, 65) })
	x.Load(0, []matcher.Player{{RTTMS: []float64{50, 65, 69}}}, matcher.NoPlace)
	if got := x.ByLevel(0); !slices.Equal(got, []uint64{1, 3}) {
		t.Errorf("got masks %b, want a, then a and b", got)
	}
}

// A table that learns regions later must be equal to one that knew them from the start.
func TestRegionsLearnedLater(t *testing.T) {
	var want string
	for _, known := range []int{4, 2, 0} {
		names := []string{"west", "east", "north", "alpha"}
		schema := schemaOf(t, names[:known]...)
		x := reach.New(schema, reach.Worst, []float64{50}, nil)
		x.Load(0, []matcher.Player{{RTTMS: []float64{10, 60, 20, 30}[:known]}}, matcher.NoPlace)
		x.LoadSession(1, matcher.NoRegion)
		for _, name := range names[known:] {
			_, _ = schema.Region(name)
		}
		x.LoadSession(2, 1)
		x.Load(3, []matcher.Player{{RTTMS: []float64{10, 60, 20, 30}}}, matcher.NoPlace)
		got := fmt.Sprint(x.Of(1), x.ByLevel(1), x.Of(2), x.ByLevel(2), x.Of(3), x.ByLevel(3), x.Append(nil, 15, x.Of(3), nil))
		if want == "" {
			want = "[0 0 0 0] [15] [+Inf 0 +Inf +Inf] [2] [30 60 20 10] [13] [0 2 3 1]"
		}
		if got != want {
			t.Errorf("%d regions known from the start: got %s, want %s", known, got, want)
		}
		for i, region := range []matcher.Region{3, 1, 2, 0} { // alpha, east, north, west
			rtt := math.Inf(1)
			if int(region) < known {
				rtt = []float64{10, 60, 20, 30}[region]
			}
			if x.Of(0)[i] != rtt {
				t.Errorf("%d regions known from the start: got %v ms to region %d, want %v", known, x.Of(0)[i], region, rtt)
			}
		}
	}
}

// Equal times are ordered by the second list, and then by name.
func TestAppend(t *testing.T) {
	x := reach.New(schemaOf(t, "c", "a", "b"), reach.Worst, nil, nil)
	x.Learn()
	for _, c := range []struct {
		rtts, ties []float64
		mask       uint64
		want       []matcher.Region
	}{
		{[]float64{20, 20, 10}, nil, 7, []matcher.Region{0, 1, 2}},
		{[]float64{20, 20, 20}, []float64{3, 2, 2}, 7, []matcher.Region{2, 0, 1}},
		{[]float64{20, 20, 10}, nil, 3, []matcher.Region{1, 2}},
	} {
		if got := x.Append(nil, c.mask, c.rtts, c.ties); !slices.Equal(got, c.want) {
			t.Errorf("times %v, ties %v: got %v, want %v", c.rtts, c.ties, got, c.want)
		}
	}
	if x.Only(matcher.NoRegion) != 0 || x.Only(0) != 4 || x.Region(0) != 1 {
		t.Errorf("got masks %b of no region and %b of c, and region %d of bit 0; want 0, 100 and 1", x.Only(matcher.NoRegion), x.Only(0), x.Region(0))
	}
}

// A bit must mean the same region for tickets and for session players, even if only one of the two
// was loaded after the schema learned a region. A session player reaches no region but the
// session's, or every region if the player has no times.
func TestEntriesLearnTogether(t *testing.T) {
	schema := schemaOf(t, "west")
	x := reach.NewEntries(schema, matcher.PartyAvg, matcher.Steps[float64]{{Value: 50}})
	x.Load(0, []matcher.Player{{RTTMS: []float64{40}}}, matcher.NoPlace)
	x.Enter(-1, matcher.Player{RTTMS: []float64{30}}, 0)
	x.Enter(-2, matcher.Player{}, 0)
	check := func(entry reach.Row, within50, within uint64) {
		t.Helper()
		if got := x.ByLevel(entry); !slices.Equal(got, []uint64{within50, within}) {
			t.Errorf("%d regions, entry %d: got masks %b, want %b and %b", schema.Regions(), entry, got, within50, within)
		}
	}
	if _, err := schema.Region("east"); err != nil {
		t.Fatal(err)
	}
	x.Load(1, []matcher.Player{{RTTMS: []float64{60, 40}}}, matcher.NoPlace)
	check(0, 2, 2) // west now has bit 1
	check(1, 1, 3)
	check(-1, 2, 2)
	check(-2, 3, 3)
	if _, err := schema.Region("alpha"); err != nil {
		t.Fatal(err)
	}
	x.Enter(-3, matcher.Player{RTTMS: []float64{10, 20, 30}}, 1)
	check(0, 4, 4) // west now has bit 2
	check(1, 2, 6)
	check(-2, 7, 7)
	check(-3, 2, 2)
	if rtts, measured := x.Of(-2); measured || rtts[1] != 0 {
		t.Errorf("got times %v, measured: %v, want 0 and not measured", rtts, measured)
	}
	if x.Level(50) != 1 || x.Level(math.Inf(1)) != 2 || x.Level(none) != 2 {
		t.Errorf("got levels %d of 50 ms, %d of +Inf and %d of NaN, want 1, 2 and 2", x.Level(50), x.Level(math.Inf(1)), x.Level(none))
	}
}
