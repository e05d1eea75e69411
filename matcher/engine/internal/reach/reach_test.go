package reach_test

import (
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
)

// By hand: a party of three in regions a to d. The second player measured nothing, and
// only the first measured c. d is behind the end of what the others measured.
func TestReach(t *testing.T) {
	none := math.NaN()
	schema := new(matcher.Schema)
	for _, name := range []string{"b", "a", "c", "d"} {
		_, _ = schema.Region(name)
	}
	g := reach.New(schema)
	g.LimitMS = func(reachMS, bestMS float64) float64 { return min(bestMS+reachMS, 100) }
	rows := store.New(func(waitMS int64) store.Stage {
		bound := float64(waitMS)
		return store.Stage{UntilMS: waitMS + 1, Limits: []store.Limit{{Bound: bound, Level: g.Level(bound)}}}
	})
	g.Attach(rows)
	p := g.Measure([]matcher.Player{{RTTMS: []float64{40, 30, 10}}, {RTTMS: []float64{none, none}}, {RTTMS: []float64{60, 70, none}}})
	if !p.Measured || p.BestMS != 50 || p.To(0) != 50 || p.To(1) != 50 || !math.IsInf(p.To(2), 1) || !math.IsInf(p.To(3), 1) {
		t.Errorf("%+v, want means of 50 to the first two regions and no others", p)
	}
	row := rows.Add(store.Ticket, 0, matcher.Never, 3)
	g.Load(row, matcher.NoPlace)
	if got := g.Nearest(row); !slices.Equal(got, []matcher.Region{1, 0}) {
		t.Errorf("nearest %v, want a before b", got)
	}

	// A place at 20, 60, 110 and 30 ms: the regions within 0, 10, 40 and 1,000 ms of its best.
	g.Measure([]matcher.Player{{RTTMS: []float64{20, 60, 110, 30}}})
	from := matcher.Place(g.AddPlace())
	g.Load(row, from)
	for waitMS, want := range map[int64][]matcher.Region{0: {0}, 10: {0, 3}, 40: {0, 3, 1}, 1000: {0, 3, 1}} {
		rows.Advance(waitMS)
		if got := g.Reached(row); !slices.Equal(got, want) {
			t.Errorf("after %d ms %v, want %v", waitMS, got, want)
		}
	}
	if got := g.Of(from).Available(); got != 0b1111 {
		t.Errorf("available %b, want all four", got)
	}

	g.Ignored = true
	if p := g.Measure([]matcher.Player{{RTTMS: []float64{20}}}); p.Measured || g.Within(p, 1000, reach.Unkept) != 0 {
		t.Errorf("%+v, want nothing measured where it is ignored", p)
	}
}

// A reach beyond the levels that are kept is computed each time, alike.
func TestManyReaches(t *testing.T) {
	schema := new(matcher.Schema)
	_, _ = schema.Region("a")
	_, _ = schema.Region("b")
	g := reach.New(schema)
	g.LimitMS = func(reachMS, bestMS float64) float64 { return reachMS }
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
			if got := g.Within(p, float64(reachMS), g.Level(float64(reachMS))); got != want {
				t.Errorf("within %d ms %b, want %b", reachMS, got, want)
			}
		}
	}
}
