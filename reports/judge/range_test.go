package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// TestRange: 1, 2 and 3 s have the mean 2 and the standard deviation 1, so that a fourth run is within
// 4.30265·√(1 + 1/3) = 4.968 of the mean. One run is 1.5, 0 and 1.5 s from the mean of the two others.
func TestRange(t *testing.T) {
	s := &Sample{}
	for run := range 3 {
		sum := &outcome.Summary{Run: outcome.Run{Run: run}}
		sum.FailedWait.Mean, sum.FailedWait.Count = outcome.Seconds(1+run), 1
		s.Runs = append(s.Runs, sum)
	}
	r := s.Ranges()["failed_wait_s.mean"]
	if r.Mean != 2 || r.Low != 0 || math.Abs(r.High-6.968) > 1e-3 || r.Noise != 1.5 {
		t.Errorf("got %+v, want 2 from 0 (no wait is negative) to 6.968, and a noise of 1.5", r)
	}
	if !r.Outside(7) || r.Outside(6.9) || r.Outside(0) {
		t.Error("got another result, want only 7 s outside")
	}
	s.Runs = s.Runs[:1]
	if r := s.Ranges()["failed_wait_s.mean"]; r.Mean != 1 || !math.IsNaN(r.Low) || !math.IsNaN(r.Noise) || r.Outside(7) {
		t.Errorf("got %+v for one run, want no range", r)
	}
}

// TestRangeCovers: of normal values, 95 % are in the range of those before. Of 2,000, these are 1,870 to
// 1,929 (binomial, 99.8 %).
func TestRangeCovers(t *testing.T) {
	draws, inside := rand.New(rand.NewPCG(1, 2)), 0
	for range 2000 {
		f := metricSample{}
		for range 8 {
			f.runs = append(f.runs, 100+draws.NormFloat64())
		}
		f.moments = estimate.MomentsOf(f.runs)
		if r := f.rangeOfRun(); !r.Outside(100 + draws.NormFloat64()) {
			inside++
		}
	}
	if inside < 1870 || inside > 1929 {
		t.Errorf("got %d of 2000 values inside, want 95 %%", inside)
	}
}

// TestNoiseOfAnotherSeed: production that is one more run is within the noise of 19 runs in 19 of 20 cases,
// because each of the 20 is as likely as the others to be the farthest. It is compared with one run more
// than they are, which makes it a little nearer.
func TestNoiseOfAnotherSeed(t *testing.T) {
	const cases, players = 300, 400
	draws, within := rand.New(rand.NewPCG(3, 4)), 0
	run := func() (bins []result.Bin) {
		for i := range 40 {
			bins = append(bins, result.Bin{From: float64(i), To: float64(i + 1)})
		}
		for range players {
			bins[min(39, int(-8*math.Log(1-draws.Float64())))].Players++
		}
		return bins
	}
	for range cases {
		var runs [][]result.Bin
		for range 19 {
			runs = append(runs, run())
		}
		if result.Distance(result.Pooled(runs...), run()) <= NoiseOf(runs) {
			within++
		}
	}
	if count := (distuv.Binomial{N: cases, P: 0.95}); count.CDF(float64(within)) < 0.001 || count.CDF(float64(within-1)) > 0.999 {
		t.Errorf("got %d of %d within the noise, want about 95 %%", within, cases)
	}
}

// TestMinPlayersOfBaseline: a datacenter that lost its players has changed, and a limit on the change is not
// skipped. Without a baseline to compare with, the limit is.
func TestMinPlayersOfBaseline(t *testing.T) {
	of := func(players outcome.Count) *Sample {
		sum := &outcome.Summary{Complete: true}
		sum.Players.Expired = players
		return &Sample{Name: "s", Runs: []*outcome.Summary{sum, sum, sum}}
	}
	for _, c := range []struct {
		players, before outcome.Count
		kind            LimitKind
		want            LimitVerdict
	}{
		{0, 500, LimitMaxDecrease, LimitBroken}, {500, 0, LimitMaxIncrease, LimitBroken}, {0, 99, LimitMaxDecrease, LimitSkipped}, {99, 500, LimitMin, LimitSkipped},
	} {
		g := CheckGate(of(c.players), of(c.before), []Limit{{Name: "players.expired", Pattern: "players.expired", Kind: c.kind, Bound: 0.1, Relative: c.kind.IsChange(), MinPlayers: 100, Among: 1}})
		if got := g.Limits[0].Verdict; got != c.want {
			t.Errorf("%v players instead of %v, %s: got %s, want %s", c.players, c.before, c.kind, got, c.want)
		}
	}
}
