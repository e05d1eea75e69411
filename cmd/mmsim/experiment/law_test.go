package experiment_test

import (
	"math"
	"os"
	"strconv"
	"testing"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/datasets/joinfile"
	"mmsim/reports/outcome"
)

// The law of the day is known here: the files are days that the built-in day draws. The interval of
// the resampled runs of a file must contain the mean over all days for at least 95 % of the files.
// It does so for more than 95 % if a metric also varies by the draw of matches: the interval adds
// the variance of a whole run for the file, which has only the part of the players. In the small
// hours of the short form, chance in matchmaking is the larger part. In the days of the full form,
// the players are.
func TestResampledIntervalsCoverTheLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates some hundred runs")
	}
	days, runs, isFull := 10, 8, os.Getenv(allTrials) != ""
	names, most := []string{"players.joins", "players.entries", "wait_s.mean", "wait_s.p95", "rtt_ms.mean", "players.failed"}, 1.0
	if isFull {
		days, names, most = 400, []string{"players.joins", "rtt_ms.mean", "rtt_ms.share_le_50", "rtt_ms.share_le_100"}, 0.97
	}
	t.Chdir(t.TempDir())
	law := map[string]float64{}
	pool := simulateHour(t, max(100, 2*days), config.Override{Key: "seed", Text: "2"})
	for _, s := range pool {
		for _, v := range s.MetricValues() {
			law[v.Name] += v.Value / float64(len(pool))
		}
	}
	builtin, err := experiment.Load(hour(t), experiment.NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	replayed, resampled := map[string]int{}, map[string]int{} // files whose interval contains the law's mean
	for number := range days {
		day, err := builtin.BuiltinDay(uint64(number))
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create("day.csv")
		if err != nil {
			t.Fatal(err)
		}
		if err := joinfile.WriteCSV(f, day, joinfile.Headed); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		// With one seed, the same rows of all files would be taken, and the files would not be independent.
		file, seed := config.Override{Key: "dataset.file", Text: "day.csv"}, config.Override{Key: "seed", Text: strconv.Itoa(3 + number)}
		if !isFull {
			countCovered(replayed, law, simulateHour(t, runs, file, seed))
		}
		countCovered(resampled, law, simulateHour(t, runs, file, seed, config.Override{Key: "dataset.resample", Text: "true"}))
	}
	n := float64(days)
	least := 0.90 * n
	if !isFull {
		least = 0.95*n - 4*math.Sqrt(n*0.95*0.05) // four standard deviations below the expected number
	}
	for _, name := range names {
		t.Logf("%s: the law's mean %.3f is in the intervals of %d of %d files if resampled, and of %d if replayed", name, law[name], resampled[name], days, replayed[name])
		if got := float64(resampled[name]); got < least || got > most*n {
			t.Errorf("%s: got the law's mean in %d of %d intervals, want %.0f to %.0f", name, resampled[name], days, least, most*n)
		}
	}
	if joins := replayed["players.joins"]; joins > days/2 {
		t.Errorf("got the law's mean of joins in %d of %d intervals without resampling, want few: all runs have the joins of the file", joins, days)
	}
}

// hour returns the configuration of one hour of a small built-in day, with overrides. In the full
// form of trials, it returns six hours around the world.
func hour(t *testing.T, overrides ...config.Override) *config.Config {
	t.Helper()
	day := []config.Override{
		{Key: "dataset.builtin.preset", Text: "eu"}, {Key: "dataset.builtin.joins", Text: "8000"},
		{Key: "clock.duration", Text: "1h"}, {Key: "clock.warmup", Text: "10m"},
	}
	if os.Getenv(allTrials) != "" {
		day = []config.Override{{Key: "dataset.builtin.joins", Text: "50000"}, {Key: "clock.duration", Text: "6h"}, {Key: "clock.warmup", Text: "60m"}}
	}
	c, err := config.Load("", append(day, overrides...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// simulateHour returns the results of runs of that configuration.
func simulateHour(t *testing.T, runs int, overrides ...config.Override) []*outcome.Summary {
	t.Helper()
	cache := experiment.NewCache(1)
	arms, err := experiment.LoadArms(cache, hour(t, overrides...))
	if err != nil {
		t.Fatal(err)
	}
	found, err := experiment.MeasureAll(t.Context(), arms, runs, experiment.Options{Cache: cache})
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
