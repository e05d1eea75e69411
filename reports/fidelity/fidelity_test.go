package fidelity_test

import (
	"math"
	"strings"
	"testing"

	"mmsim/reports/fidelity"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// sample returns runs of 24 hours with 100 matches each and 400 players, but of the last with 19, who wait
// what the function returns.
func sample(name string, runs int, wait func(run, hour int) float64) *judge.Sample {
	s := resulttest.Sample(name, 1, runs, func(run int, sum *outcome.Summary) {
		sum.Run.Production = name == "production"
		sum.ByDatacenter, sum.ByContinent, sum.ByPartySize, sum.ByAttributeDecile = nil, nil, nil, nil
		for hour := range sum.ByHour {
			g := &sum.ByHour[hour]
			g.Players, g.Entries, g.Matches, g.RTTMean, g.WaitMean = 400, 400, 100, 50, outcome.Seconds(wait(run, hour))
		}
		sum.ByHour[23].Players = fidelity.PlayersMin - 1
	})
	for range s.Runs {
		s.Distributions = append(s.Distributions, []result.Distribution{
			{Measure: result.MeasureWaitFirst, Bins: []result.Bin{{From: 0, To: 1, Players: 3}, {From: 1, To: 2, Players: 1}}},
			{Measure: result.MeasureRTT, Bins: []result.Bin{{From: 0, To: 50, Players: 4}}},
		})
	}
	return s
}

var limits = []judge.Limit{
	{Name: "wait_first_s", Pattern: "wait_first_s", Kind: judge.LimitMaxDistance, Among: 1},
	{Name: "matches.count", Pattern: "matches.count", Kind: judge.LimitMaxIncrease, Relative: true, Among: 1},
	{Name: "by_hour.5.wait_mean_s", Pattern: "by_hour.*.wait_mean_s", Kind: judge.LimitMaxDecrease, Bound: 0.25, Relative: true, Among: 2},
	{Name: "by_hour.23.wait_mean_s", Pattern: "by_hour.*.wait_mean_s", Kind: judge.LimitMaxDecrease, Bound: 0.25, Relative: true, Among: 2},
}

// Production against itself: every distance and every difference is 0, and every limit is held, even one
// of 0.
func TestIdentity(t *testing.T) {
	ten := func(int, int) float64 { return 10 }
	production := sample("production", 1, ten)
	r := fidelity.Judge(production, sample("simulation", 1, ten), limits)
	if held := r.Check.Count(judge.LimitHeld); held != 4 || !r.Check.Passed || len(r.Unexplained) != 0 {
		t.Errorf("got %d held limits, passed %v and groups %+v, want 4 and no group", held, r.Check.Passed, r.Unexplained)
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Production != row.Mean || row.Distance > 0 {
			t.Errorf("%s: got %v, simulated %v, distance %v, want no difference", row.Name, row.Production, row.Mean, row.Distance)
		}
	}
	if r.Rows[0].Name != "wait_first_s.mean" || r.Rows[0].Distance != 0 || r.Rows[1].Name != "rtt_ms.mean" || r.Rows[1].Distance != 0 || len(r.Rows) < 10 {
		t.Errorf("got %d rows, the first %+v, want those of distributions first", len(r.Rows), r.Rows[0])
	}
}

// In production, players of 4:00 to 6:59 wait 20 instead of about 10 s, and those of 12:00 wait 13 s. Those
// of 23:00 wait 40 s, but they are too few to be shown.
func TestUnexplained(t *testing.T) {
	simulation := sample("simulation", 3, func(run, _ int) float64 { return 9.9 + 0.1*float64(run) })
	production := sample("production", 1, func(_, hour int) float64 {
		switch {
		case hour >= 4 && hour < 7:
			return 20
		case hour == 12:
			return 13
		case hour == 23:
			return 40
		}
		return 10
	})
	r := fidelity.Judge(production, simulation, limits)
	if len(r.Unexplained) != 2 {
		t.Fatalf("got groups %+v, want 2", r.Unexplained)
	}
	first, second := r.Unexplained[0], r.Unexplained[1]
	near := func(x, want float64) bool { return math.Abs(x-want) < 1e-9 }
	if first.Name != "by_hour.4.wait_mean_s" || first.Hours != 3 || !near(first.Players, 1200) || !near(first.Production, 20) || !near(first.Mean, 10) {
		t.Errorf("got %+v first, want three hours from 4:00 with 1,200 players, 20 and 10 s", first)
	}
	if second.Name != "by_hour.12.wait_mean_s" || second.Hours != 1 || second.Production != 13 {
		t.Errorf("got %+v second, want 12:00 with 13 s", second)
	}
	if h := &r.Hours[23]; !math.IsNaN(h.Wait.Production) || !math.IsNaN(h.Matches.Production) {
		t.Errorf("got %+v for an hour of 19 players, want nothing", h)
	}
	if h := &r.Hours[4]; h.Wait != (fidelity.Spread{Production: 20, Low: 9.9, High: 10.1}) || h.Matches.Production != 100 {
		t.Errorf("got %+v at 4:00, want 20 s between runs of 9.9 and 10.1 s", h)
	}
	// 10 instead of 20 s is more than 25 % below, and so is 10 instead of 40 s, whose numbers are hidden.
	for _, l := range r.Check.Limits {
		switch isSmall := strings.Contains(l.Metric, ".23."); {
		case l.Pattern == "":
		case l.Verdict != judge.LimitBroken, isSmall != math.IsNaN(float64(l.Baseline)), isSmall != math.IsNaN(float64(l.Difference)), isSmall != (l.Reason != ""):
			t.Errorf("got %+v, want a broken limit, with numbers only of groups of 20 players", l)
		}
	}
}
