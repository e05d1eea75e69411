package judge

import (
	"bytes"
	"math"
	"testing"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// distributed returns a sample whose runs have these numbers of players with a first wait of up to 1 s,
// 2 s and so on.
func distributed(runs ...[]int) *Sample {
	s := &Sample{Name: "s"}
	for number, players := range runs {
		d := result.Distribution{Measure: result.MeasureWaitFirst}
		run := &outcome.Summary{Complete: true, Run: outcome.Run{Run: number}}
		for i, n := range players {
			d.Bins = append(d.Bins, result.Bin{From: float64(i), To: float64(i + 1), Players: n})
			run.WaitFirst.Count += outcome.Count(n)
		}
		s.Runs, s.Distributions = append(s.Runs, run), append(s.Distributions, []result.Distribution{d})
	}
	return s
}

// TestMaxDistance: the distance of pooled runs from the baseline, its noise and its verdict, by hand.
func TestMaxDistance(t *testing.T) {
	// Together 30 of 50, 40 of 50 and 50 of 50 players wait at most 1, 2 and 3 s.
	runs := distributed([]int{4, 4, 2}, []int{16, 2, 2}, []int{10, 4, 6})
	base := distributed([]int{5, 3, 2}) // 0.5, 0.8 and 1
	none := math.NaN()
	for name, test := range map[string]struct {
		s, baseline  *Sample
		limit        Limit
		value, noise float64
		verdict      LimitVerdict
		excess       float64
	}{
		// One run against the others: 4/10 against 26/40, 16/20 against 14/30, and 10/20 against 20/30.
		"beyond":     {s: runs, baseline: base, limit: Limit{Bound: 0.09}, value: 0.1, noise: 1. / 3, verdict: LimitBroken, excess: 0.01},
		"at":         {s: runs, baseline: base, limit: Limit{Bound: 0.1}, value: 0.1, noise: 1. / 3, verdict: LimitHeld},
		"identity":   {s: base, baseline: base, limit: Limit{Bound: 0}, value: 0, noise: none, verdict: LimitHeld},
		"too few":    {s: runs, baseline: base, limit: Limit{Bound: 0, MinPlayers: 18}, value: 0.1, noise: none, verdict: LimitSkipped, excess: none},
		"unmeasured": {s: distributed([]int{}), baseline: base, limit: Limit{Bound: 1}, value: none, noise: none, verdict: LimitBroken, excess: none},
		"no base":    {s: runs, baseline: distributed([]int{0}), limit: Limit{Bound: 1}, value: none, noise: none, verdict: LimitBroken, excess: none},
	} {
		l := test.limit
		l.Name, l.Pattern, l.Kind, l.Among = "wait_first_s", "wait_first_s", LimitMaxDistance, 1
		g := CheckGate(test.s, test.baseline, []Limit{l})
		r := &g.Limits[0]
		noise := none
		if r.Noise != nil {
			noise = float64(*r.Noise)
		}
		same := func(got, want float64) bool { return math.Abs(got-want) < 1e-12 || math.IsNaN(got) && math.IsNaN(want) }
		if !same(float64(r.Value), test.value) || !same(noise, test.noise) || r.Verdict != test.verdict || !same(float64(r.Excess), test.excess) {
			t.Errorf("%s: got %v, noise %v, %v by %v, want %v, %v, %v by %v", name, r.Value, noise, r.Verdict, r.Excess, test.value, test.noise, test.verdict, test.excess)
		}
		var text bytes.Buffer
		if err := g.Write(&text); err != nil {
			t.Fatal(err)
		}
		back, err := ParseGate("gate.json", text.Bytes())
		if err != nil || back.Limits[0].In != outcome.UnitShare || (back.Limits[0].Noise == nil) != (r.Noise == nil) {
			t.Errorf("%s: got error %v and %+v after reading, want what was written", name, err, back)
		}
	}
}
