package collect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// twinAttributes returns how far apart the values of players in a match are.
func (f facts) twinAttributes() outcome.Attributes {
	values := f.Setup.Attributes[0].Sample
	var spreads []float64
	total, gaps := 0.0, 0.0
	for _, m := range f.Matches {
		have, teams := valuesOf(&m, values)
		if len(have) < 2 || m.Backfill {
			continue
		}
		spreads = append(spreads, slices.Max(have)-slices.Min(have))
		total += spreads[len(spreads)-1]
		var means []float64
		for _, team := range teams {
			sum := 0.0
			for _, v := range team {
				sum += v
			}
			means = append(means, sum/float64(len(team)))
		}
		if len(means) > 1 {
			gaps += slices.Max(means) - slices.Min(means)
		}
	}
	nobody := outcome.Attribute{Name: "nobody has it", SpreadMean: outcome.Value(math.NaN()), SpreadP95: outcome.Value(math.NaN()), TeamGapMean: outcome.Value(math.NaN())}
	want := outcome.Attributes{nobody, nobody}
	want[0].Name = "mmr"
	if n := len(spreads); n > 0 {
		slices.Sort(spreads)
		want[0].Matches = outcome.Count(n)
		want[0].SpreadMean = outcome.RoundValue(total / float64(n))
		want[0].SpreadP95 = outcome.Value(spreads[int(math.Ceil(0.95*float64(n)-1e-9))-1])
		want[0].TeamGapMean = outcome.RoundValue(gaps / float64(n))
	}
	for _, name := range []string{"drawn", "drawn without a sample"} {
		drawn := want[0]
		drawn.Name = name
		want = append(want, drawn)
	}
	want[0].Rules = []string{"skill"}
	return want
}

// valuesOf returns the values of the players who have one, all together and by team.
func valuesOf(m *sim.Match, values []float64) (all []float64, teams map[int16][]float64) {
	teams = map[int16][]float64{}
	for _, p := range m.Players {
		if int(p.Row) < len(values) && !math.IsNaN(values[p.Row]) {
			all = append(all, values[p.Row])
			teams[p.Team] = append(teams[p.Team], values[p.Row])
		}
	}
	return all, teams
}

// twinOverlaps returns what the players of a match have in common.
func (f facts) twinOverlaps() outcome.Overlaps {
	of := f.Setup.Texts[0].Of
	matches, shared, some := 0, 0, 0
	for _, m := range f.Matches {
		players, holders := 0, map[uint32]int{}
		for _, p := range m.Players {
			texts := of(&p.Player)
			if len(texts) > 0 {
				players++
			}
			for _, text := range texts {
				holders[text]++
			}
		}
		if players < 2 || m.Backfill {
			continue
		}
		matches++
		before := shared
		for _, n := range holders {
			if n == players {
				shared++
			}
		}
		if shared > before {
			some++
		}
	}
	want := outcome.Overlap{Name: "maps", Rules: []string{"same map"}, Matches: outcome.Count(matches), ShareAny: twinShare(some, matches)}
	want.SharedMean = outcome.Average(math.Round(float64(shared)/float64(matches)*1000) / 1000) // NaN without matches
	return outcome.Overlaps{want}
}

// With few distinct values, all players with the same value are in one decile: the one that
// contains the median player of that group.
func TestDecilesAgreeWithTwin(t *testing.T) {
	for seed, w := range randomRuns() {
		values := w.Setup.Attributes[0].Sample
		has := func(row uint32) bool { return int(row) < len(values) && !math.IsNaN(values[row]) }
		matched := w.all.where(func(p *twinPlayer) bool { return has(p.Row) })
		players, entries, bots, rejected := outcome.Count(0), outcome.Count(0), outcome.Count(0), outcome.Count(0)
		for _, d := range w.Summary.ByAttributeDecile[0].Deciles {
			in := matched.where(func(p *twinPlayer) bool {
				return values[p.Row] >= float64(d.From) && values[p.Row] <= float64(d.To)
			})
			want := in.served()
			checkEqual(t, seed, "players", d.Players, want.Players)
			checkEqual(t, seed, "matches", d.Matches, want.Matches)
			checkEqual(t, seed, "wait_mean_s", d.WaitMean, want.WaitMean)
			checkEqual(t, seed, "rtt_mean_ms", d.RTTMean, want.RTTMean)
			spread, n := 0.0, 0
			for _, m := range w.Matches {
				have, _ := valuesOf(&m, values)
				for _, v := range have {
					if len(have) > 1 && !m.Backfill && v >= float64(d.From) && v <= float64(d.To) {
						spread, n = spread+slices.Max(have)-slices.Min(have), n+1
					}
				}
			}
			checkEqual(t, seed, "spread_mean", d.SpreadMean, outcome.RoundValue(spread/float64(n)))
			if off := math.Abs(float64(d.WaitP95 - want.WaitP95)); off > 0.004*float64(want.WaitP95)+0.0005 {
				t.Errorf("seed %d: wait_p95_s: got %v, want %v within 0.4 %%", seed, d.WaitP95, want.WaitP95)
			}
			players += d.Players
			entries += d.Entries
			bots += d.Bots
			rejected += d.Rejected
		}
		checkEqual(t, seed, "players of all deciles", players, outcome.Count(len(matched)))
		want := outcome.Count(0)
		for _, s := range w.Entered {
			for _, p := range s.Players {
				if has(p.Row) {
					want++
				}
			}
		}
		checkEqual(t, seed, "entries of all deciles", entries, want)
		ended := map[sim.State]outcome.Count{}
		for _, e := range w.Ended {
			for _, p := range e.Players {
				if has(p.Row) {
					ended[e.Into]++
				}
			}
		}
		checkEqual(t, seed, "bots of all deciles", bots, ended[sim.StateBots])
		checkEqual(t, seed, "rejected of all deciles", rejected, ended[sim.StateRejected])
		if got := w.Summary.ByAttributeDecile[1].Deciles; len(got) != 0 {
			t.Errorf("seed %d: got deciles %v, want none, because no player has the attribute", seed, got)
		}
		checkEqual(t, seed, "deciles of drawn values", w.Summary.ByAttributeDecile[2].Deciles, w.Summary.ByAttributeDecile[0].Deciles)
	}
}

// With many distinct values, a decile differs from a tenth by at most one bin. If values are
// drawn, the bins are chosen from a part of them, so the sizes of the bins vary by chance.
func TestDecilesOfManyValues(t *testing.T) {
	const rows, part = 50_000, 5
	draw := rand.New(rand.NewPCG(1, 1))
	values := make([]float64, rows)
	for i := range values {
		values[i] = 1500 + 300*draw.NormFloat64()
	}
	of := func(p *sim.Player) float64 { return values[p.Row] }
	for name, a := range map[string]*attributeTally{
		"column": newAttributeTally(setup.Attribute{Name: "mmr", Sample: values}, 1),
		"drawn":  newAttributeTally(setup.Attribute{Name: "mmr", Sample: values[:rows/part], Of: of}, 1),
	} {
		t.Run(name, func(t *testing.T) {
			tolerance := 1.0
			if a.Of != nil {
				tolerance = 4
			}
			testDeciles(t, a, values, tolerance/maxBins)
		})
	}
}

// testDeciles counts one match per row and compares the deciles with the ranks of the values.
func testDeciles(t *testing.T, a *attributeTally, values []float64, tolerance float64) {
	rows := len(values)
	for row := range values {
		p := sim.Player{Person: sim.Person{Row: uint32(row)}}
		a.entered(&p)
		a.matched(&sim.Match{Players: []sim.Matched{{Player: p}}}, 0)
	}
	deciles := a.deciles().Deciles
	if len(deciles) != 10 {
		t.Fatalf("got %d deciles, want 10", len(deciles))
	}
	sorted := slices.Sorted(slices.Values(values))
	if deciles[0].From != outcome.RoundValue(sorted[0]) || deciles[9].To != outcome.RoundValue(sorted[rows-1]) {
		t.Errorf("got deciles from %v to %v, want them to begin at the lowest and end at the highest value", deciles[0].From, deciles[9].To)
	}
	for i, d := range deciles {
		if math.Abs(float64(d.Players)/float64(rows)-0.1) > tolerance+1/float64(rows) {
			t.Errorf("decile %d: got %v of %d players, want a tenth", i, d.Players, rows)
		}
		at, _ := slices.BinarySearch(sorted, float64(d.To))
		if off := math.Abs(float64(at)/float64(rows) - float64(i+1)/10); off > tolerance {
			t.Errorf("decile %d: got its end at rank %.4f, want the end of its tenth", i, float64(at)/float64(rows))
		}
	}
}

// In random groups of k normally distributed values, the mean range is d2(k) standard deviations
// (T12 of the theory tests in cmd/mmsim).
func TestSpreadOfNormalValues(t *testing.T) {
	draw := rand.New(rand.NewPCG(2, 2))
	values := make([]float64, 50_000)
	for i := range values {
		values[i] = 300 * draw.NormFloat64()
	}
	for _, test := range []struct {
		k  int
		d2 float64
	}{{2, 1.1284}, {4, 2.0588}, {10, 3.0775}} {
		k, d2 := test.k, test.d2
		a := newAttributeTally(setup.Attribute{Name: "mmr", Sample: values}, 1)
		match := sim.Match{Players: make([]sim.Matched, k)}
		for range 40_000 {
			for i := range match.Players {
				match.Players[i].Row = uint32(draw.IntN(len(values)))
			}
			a.matched(&match, 0)
		}
		if got := float64(a.attribute(0, 1).SpreadMean) / 300; math.Abs(got/d2-1) > 0.01 {
			t.Errorf("k %d: mean spread is %.4f sd, want %.4f", k, got, d2)
		}
	}
}
