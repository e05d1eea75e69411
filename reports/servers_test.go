package reports

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mmsim/matcher/scoring"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Five significant digits come back, whatever the size.
func TestDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 100_000 {
		x := math.Exp(r.Float64()*60 - 30)
		want, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 4, 64), 64)
		if got := decodeDecimal(encodeDecimal(x)); float64(outcome.RoundValue(got)) != float64(outcome.RoundValue(want)) && x > 1e-15 {
			t.Fatalf("%v comes back as %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{0, 0.25, 1. / 8, 1, 10, 1000, 99999, 1e12, 250} {
		if got := float64(outcome.RoundValue(decodeDecimal(encodeDecimal(x)))); got != x {
			t.Errorf("%v comes back as %v", x, got)
		}
	}
	if encodeDecimal(0.1) >= encodeDecimal(0.2) || encodeDecimal(9.9999) >= encodeDecimal(10) || encodeDecimal(0) >= encodeDecimal(1e-14) {
		t.Error("the order of numbers is not that of their codes")
	}
}

// placementSetup is of two signals and a measure of every kind.
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

// randomPlacements draws what a Collector is told.
func randomPlacements(r *rand.Rand) (list []sim.Placed) {
	at := sim.Instant(0)
	for range r.IntN(200) {
		at += sim.Instant(r.IntN(18_000))
		p := sim.Placed{At: at, Opened: r.IntN(4) == 0, Measures: []float64{float64(r.IntN(2)), float64(r.IntN(9)) / 8, float64(r.IntN(1000)) / 4}}
		if r.IntN(5) == 0 {
			p.Measures[1] = math.NaN()
		}
		if !p.Opened {
			p.Won = []float64{float64(10 * r.IntN(2)), 0, 3 * r.Float64()}
			p.Score = p.Won[0] + p.Won[2]
			if p.RunnerUp = r.IntN(3) > 0; p.RunnerUp {
				p.Lost = []float64{0, 0, p.Won[2] * r.Float64()}
				p.Decision = scoring.Decide(&scoring.Server{CreatedMS: 1}, &scoring.Server{CreatedMS: int64(r.IntN(3))}, p.Won, p.Lost)
			}
		}
		list = append(list, p)
	}
	return list
}

// The block is what plain lists of all placements give.
func TestServersAreTheTwins(t *testing.T) {
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
			t.Fatalf("world %d: got\n%+v\nwant\n%+v", seed, got, want)
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
			gave[i] += p.Won[i]
		}
		if !p.RunnerUp {
			continue
		}
		s.Contest++
		margin += p.Decision.Margin
		reasons[p.Decision.Reason]++
		for i := range more {
			more[i] += p.Won[i] - p.Lost[i]
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

// twinStat sorts the numbers, of which nearest-rank percentiles are some.
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

func TestServersText(t *testing.T) {
	golden(t, "text-servers.golden", Text(&resulttest.Servers().Summary, false))
	nobody := outcome.Summary{Complete: true, Run: outcome.Run{Duration: 60, Reached: 60}, ByHour: make([]outcome.Group, 24), Servers: &outcome.Servers{}}
	golden(t, "text-servers-empty.golden", Text(&nobody, false))
}

// The page of servers is about servers: nobody searches, fails or begins a match
// with others there, and who waits does so for the start of a server.
func TestPageOfServers(t *testing.T) {
	r := resulttest.Servers()
	r.Summary.ByAttributeDecile = outcome.Deciles{{Name: "Elo", Deciles: make([]outcome.Decile, 10)}}
	text := func() string {
		before, _, _ := strings.Cut(pageOf(t, r, ""), "<script")
		return before
	}
	page := text()
	for _, want := range []string{"<h3>Placements</h3>", "<h3>Signals</h3>", ">Joins</h2>", "servers started", "on a server", "<h3>Hours</h3>", "By attribute"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, not := range []string{"failed", "expired", "bots", "spread", "wait", "after a match", "players matched", "without a match"} {
		if strings.Contains(strings.ReplaceAll(page, "waiting for a server", ""), not) {
			t.Errorf("the page holds %q", not)
		}
	}
	if r.Summary.Wait.Max = 5; !strings.Contains(text(), "mean wait, s") {
		t.Error("the page does not tell of those who wait for the start")
	}
}

// A comparison names each number once, and tells of servers, not of matches.
func TestCompareServers(t *testing.T) {
	side := func(change func(run int, s *outcome.Summary)) *judge.Sample {
		return sampleOf("a", 1, 2, func(run int, s *outcome.Summary) { s.Servers = resulttest.Servers().Summary.Servers; change(run, s) })
	}
	c := judge.Compare(side(func(int, *outcome.Summary) {}), side(func(run int, s *outcome.Summary) {
		s.Servers.PreferredMatch += 0.1 + outcome.Share(run)/1000
		s.Matches.Fill -= 0.1 + outcome.Share(run)/1000
	}), nil)
	var names []string
	for _, d := range headlines(c) {
		names = append(names, d.Name)
	}
	if sorted := slices.Sorted(slices.Values(names)); len(slices.Compact(sorted)) != len(names) || slices.Contains(names, "matches.fill") {
		t.Errorf("the headline has %q", names)
	}
	if got, want := ComparisonConclusion(c), "B is better in servers.preferred_player_match_ratio."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Columns that are left out take their cells and bars with them.
func TestLeaveOut(t *testing.T) {
	table := pageTable{Head: []string{"a", "b", "c", "d"}, Bars: []int{1, 2, 3}, Rows: [][]string{{"1", "2", "3", "4"}}}
	table.leaveOut([]string{"c", "x", "a"})
	if want := (pageTable{Head: []string{"b", "d"}, Bars: []int{0, 1}, Rows: [][]string{{"2", "4"}}}); !reflect.DeepEqual(table, want) {
		t.Errorf("got %v, want %v", table, want)
	}
}

// What is written is read back, and no picture of a day on servers is about states.
func TestServersFiles(t *testing.T) {
	r := resulttest.Servers()
	loaded, err := result.Load(written(t, r).fs())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(loaded.Servers, r.Servers) || !reflect.DeepEqual(loaded.Summary.Servers, r.Summary.Servers) {
		t.Errorf("got\n%+v\nwant\n%+v", loaded.Summary.Servers, r.Summary.Servers)
	}
	for _, p := range Plots(r, resulttest.Square) {
		if p.Name == "states" || p.Name == "wait-time" {
			t.Errorf("a picture %s, where nobody waits", p.Name)
		}
	}
	mean := aggregateOf(r, r).Servers
	if mean.OccupancyMean != r.Summary.Servers.OccupancyMean || len(mean.Signals) != 3 || mean.Signals[1].Decided != 0.66 || mean.Metrics[4].Avg != 0 {
		t.Errorf("the mean of twice the same is %+v", mean)
	}
}
