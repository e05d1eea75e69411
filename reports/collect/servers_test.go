package collect

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"mmsim/matcher/scoring"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// placementSetup returns a setup with two signals and a measure of every kind.
func placementSetup() setup.Run {
	return setup.Run{
		Datacenters: []setup.Datacenter{{Name: "here"}}, Continents: []string{"EU"}, Countries: []string{"DE"}, Places: []setup.Place{{}}, Duration: sim.Hour,
		Queues: []setup.Queue{{MatchSize: 8}},
		Servers: &setup.Servers{
			Revision: "2025-04", Capacity: 8, Signals: []setup.Signal{{Name: "Friends", Weight: 10}, {Name: "Device", Weight: 0}, {Name: "Latency", Weight: 3}},
			Measures: []setup.Measure{{Name: "friend", Kind: setup.OfFriend}, {Name: "ratio", Kind: setup.OfServer}, {Name: "ping_ms", Kind: setup.OfPing}},
		},
	}
}

func randomPlacements(r *rand.Rand) (list []sim.Placed) {
	at := sim.Instant(0)
	for range r.IntN(200) {
		at += sim.Instant(r.IntN(18_000))
		p := sim.Placed{At: at, Opened: r.IntN(4) == 0, Measures: []float64{float64(r.IntN(2)), float64(r.IntN(9)) / 8, float64(r.IntN(1000)) / 4}}
		if r.IntN(5) == 0 {
			p.Measures[1] = math.NaN()
		}
		if !p.Opened {
			p.Contributions = []float64{float64(10 * r.IntN(2)), 0, 3 * r.Float64()}
			p.Score = p.Contributions[0] + p.Contributions[2]
			if p.RunnerUp = r.IntN(3) > 0; p.RunnerUp {
				p.RunnerUpContributions = []float64{0, 0, p.Contributions[2] * r.Float64()}
				p.Decision = scoring.Decide(&scoring.Server{CreatedMS: 1}, &scoring.Server{CreatedMS: int64(r.IntN(3))}, p.Contributions, p.RunnerUpContributions)
			}
		}
		list = append(list, p)
	}
	return list
}

// The block "servers" equals what a simple computation over a list of all placements returns.
func TestServersAgreeWithTwin(t *testing.T) {
	for seed := range uint64(50) {
		list := randomPlacements(rand.New(rand.NewPCG(9, 2+seed)))
		c := NewCollector(placementSetup())
		for i := range list {
			c.Placed(&list[i])
		}
		got := c.Finish(sim.Totals{Reached: sim.Instant(sim.Hour)}, Header{}).Summary.Servers
		if want := twinOfServers(list); got.Placed != want.Placed || got.Opening != want.Opening || got.Contest != want.Contest ||
			got.PreferredMatch != want.PreferredMatch || !slices.Equal(got.Metrics, want.Metrics) || !slices.Equal(got.Signals, want.Signals) ||
			got.ByScore != want.ByScore || got.ByAge != want.ByAge || got.BySequence != want.BySequence || got.ScoreMean != want.ScoreMean || got.MarginMean != want.MarginMean {
			t.Fatalf("seed %d: got\n%+v\nwant\n%+v", seed, got, want)
		}
	}
}

func twinOfServers(list []sim.Placed) *outcome.Servers {
	s := &outcome.Servers{Placed: outcome.Count(len(list))}
	friends, score, margin := 0, 0.0, 0.0
	var ratios, pings []float64
	reasons, decided := [3]int{}, [3]int{}
	var gave, more [3]float64
	for _, p := range list {
		friends += int(p.Measures[0])
		pings = append(pings, p.Measures[2])
		if p.Opened {
			s.Opening++
			continue
		}
		if !math.IsNaN(p.Measures[1]) {
			ratios = append(ratios, p.Measures[1])
		}
		score += p.Score
		for i := range gave {
			gave[i] += p.Contributions[i]
		}
		if !p.RunnerUp {
			continue
		}
		s.Contest++
		margin += p.Decision.Margin
		reasons[p.Decision.Reason]++
		for i := range more {
			more[i] += p.Contributions[i] - p.RunnerUpContributions[i]
		}
		if p.Decision.Reason == scoring.ByScore {
			decided[p.Decision.Signal]++
		}
	}
	decisions, contests := float64(s.Placed-s.Opening), float64(s.Contest)
	s.PreferredMatch = outcome.ShareOf(friends, len(list))
	s.Metrics = outcome.PlacementStats{twinStat("ratio", ratios), twinStat("ping_ms", pings)}
	s.ScoreMean, s.MarginMean = outcome.RoundValue(outcome.Ratio(score, decisions)), outcome.RoundValue(outcome.Ratio(margin, contests))
	s.ByScore, s.ByAge, s.BySequence = outcome.ShareOf(reasons[0], int(contests)), outcome.ShareOf(reasons[1], int(contests)), outcome.ShareOf(reasons[2], int(contests))
	for _, i := range []int{0, 2} {
		name, weight := "Friends", outcome.Value(10)
		if i == 2 {
			name, weight = "Latency", 3
		}
		s.Signals = append(s.Signals, outcome.PlacementSignal{Name: name, Weight: weight, Contribution: outcome.RoundValue(outcome.Ratio(gave[i], decisions)), Advantage: outcome.RoundValue(outcome.Ratio(more[i], contests)), Decided: outcome.ShareOf(decided[i], int(contests))})
	}
	return s
}

// twinStat sorts the numbers and picks the nearest-rank percentiles.
func twinStat(name string, xs []float64) outcome.PlacementStat {
	if len(xs) == 0 {
		return outcome.PlacementStat{Name: name}
	}
	total := 0.0
	for _, x := range xs {
		total += x
	}
	sorted := slices.SortedFunc(slices.Values(xs), cmp.Compare[float64])
	at := func(percent float64) outcome.Value {
		x := sorted[max(0, int(math.Ceil(percent/100*float64(len(sorted))))-1)]
		five, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 4, 64), 64)
		return outcome.RoundValue(five)
	}
	return outcome.PlacementStat{Name: name, Count: outcome.Count(len(xs)), Avg: outcome.RoundValue(total / float64(len(xs))), P10: at(10), P50: at(50), P90: at(90)}
}
