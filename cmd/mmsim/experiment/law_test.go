package experiment_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/datasets"
	"mmsim/reports/outcome"
)

// The law of the day is known here: the files are days that the built-in day draws. The interval of
// the resampled runs of a file must contain the mean over all days for 95 % of the files.
//
// The interval adds the variance of a whole run for the file (t·s·√(1 + 1/R)). That is right for
// what the choice of players decides. Who meets whom also depends on the exact instants, so that a
// mean wait has chance of its own, which averages out over the runs and is counted for the file all
// the same: such intervals are too wide, never too narrow. So there are two kinds of days. In the
// first, every player may play on the only datacenter, so that RTTs depend on the players alone. The
// second is the built-in day, whose intervals have only a lower bound.
func TestResampledIntervalsCoverTheLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates some hundred runs")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("frankfurt.csv", []byte("1,frankfurt,50.11,8.68\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	decided := lawTrial{files: 40, metrics: []string{"players.joins", "rtt_ms.mean", "rtt_ms.share_le_50", "rtt_ms.share_le_100"}, most: 0.97,
		settings: []string{"dataset.builtin.preset=eu", "dataset.builtin.joins=20000", "clock.duration=2h", "clock.warmup=30m", "datacenters.file=frankfurt.csv",
			"states.ideal.rtt=500ms", "states.expand.rtt=500ms", "match.size=2", "players.play_again=0"}}
	if os.Getenv(allTrials) == "" {
		decided.run(t)
		return
	}
	decided.files = 400
	decided.run(t)
	lawTrial{files: 400, metrics: []string{"players.joins", "players.entries", "wait_s.mean", "wait_s.p95", "rtt_ms.mean", "rtt_ms.p95",
		"rtt_ms.share_le_50", "rtt_ms.share_le_100"}, most: 1,
		settings: []string{"dataset.builtin.joins=50000", "clock.duration=6h", "clock.warmup=60m"}}.run(t)
}

// lawTrial counts the files whose interval contains the mean of the law.
type lawTrial struct {
	settings []string // of the days, as KEY=VALUE
	files    int
	metrics  []string
	most     float64 // largest share of the files, in the full form; 1 where intervals may be too wide
}

func (l lawTrial) run(t *testing.T) {
	t.Helper()
	const runs = 8
	law := map[string]float64{}
	pool := l.simulate(t, 2*l.files, "seed=2")
	for _, s := range pool {
		for _, v := range s.MetricValues() {
			law[v.Name] += v.Value / float64(len(pool))
		}
	}
	builtin, err := experiment.Load(l.config(t), experiment.NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	replayed, resampled := map[string]int{}, map[string]int{} // files whose interval contains the law's mean
	for number := range l.files {
		day, err := builtin.BuiltinDay(uint64(number))
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create("day.csv")
		if err != nil {
			t.Fatal(err)
		}
		if err := datasets.WriteDay(f, day, datasets.Headed); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		// With one seed, the same rows of all files would be taken, and the files would not be independent.
		seed := fmt.Sprintf("seed=%d", 3+number)
		countCovered(replayed, law, l.simulate(t, 2, "dataset.file=day.csv", seed))
		countCovered(resampled, law, l.simulate(t, runs, "dataset.file=day.csv", seed, "dataset.resample=true"))
	}
	n := float64(l.files)
	least, most := 0.90*n, l.most*n
	if os.Getenv(allTrials) == "" { // few files: four standard deviations around the expected number
		least, most = 0.95*n-4*math.Sqrt(n*0.95*0.05), n
	}
	for _, name := range l.metrics {
		t.Logf("%s: the law's mean %.3f is in the intervals of %d of %d files", name, law[name], resampled[name], l.files)
		if got := float64(resampled[name]); got < least || got > most {
			t.Errorf("%s: got the law's mean in %d of %d intervals, want %.0f to %.0f", name, resampled[name], l.files, least, most)
		}
	}
	if joins := replayed["players.joins"]; joins > l.files/2 {
		t.Errorf("got the law's mean of joins in %d of %d intervals without resampling, want few: all runs have the joins of the file", joins, l.files)
	}
}

// config returns the configuration of a day, with changes of the form KEY=VALUE.
func (l lawTrial) config(t *testing.T, changes ...string) *config.Config {
	t.Helper()
	var overrides []config.Override
	for _, setting := range slices.Concat(l.settings, changes) {
		key, text, _ := strings.Cut(setting, "=")
		overrides = append(overrides, config.Override{Key: key, Text: text})
	}
	c, err := config.Load("", overrides)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// simulate returns the results of runs of a day, with changes of the form KEY=VALUE.
func (l lawTrial) simulate(t *testing.T, runs int, changes ...string) []*outcome.Summary {
	t.Helper()
	cache := experiment.NewCache(1)
	arms, err := experiment.LoadArms(cache, l.config(t, changes...))
	if err != nil {
		t.Fatal(err)
	}
	found, err := experiment.MeasureAll(t.Context(), arms, experiment.FirstRuns(runs), experiment.Options{Cache: cache}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found[0]
}

// countCovered adds 1 for every metric whose interval over runs contains its mean under the law.
func countCovered(covered map[string]int, law map[string]float64, runs []*outcome.Summary) {
	for _, s := range outcome.Aggregate(runs).Replications.Metrics {
		if low, high := s.Interval(); low <= law[s.Name] && law[s.Name] <= high {
			covered[s.Name]++
		}
	}
}
