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
// the variance of a whole run for the file, which has only the part of the players.
func TestResampledIntervalsCoverTheLaw(t *testing.T) {
	days, runs := 20, 8
	if os.Getenv(allTrials) != "" {
		days = 400
	}
	t.Chdir(t.TempDir())
	law := map[string]float64{}
	pool := simulateHour(t, 5*days, config.Override{Key: "seed", Text: "2"})
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
		countCovered(replayed, law, simulateHour(t, runs, file, seed))
		countCovered(resampled, law, simulateHour(t, runs, file, seed, config.Override{Key: "dataset.resample", Text: "true"}))
	}
	n := float64(days)
	chance := 4 * math.Sqrt(n*0.95*0.05) // standard deviations of the number of intervals that contain the mean
	for _, name := range []string{"players.joins", "players.entries", "wait_s.mean", "wait_s.p95", "rtt_ms.mean", "players.failed"} {
		t.Logf("%s: the law's mean %.3f is in the intervals of %d of %d files if resampled, and of %d if replayed", name, law[name], resampled[name], days, replayed[name])
		if float64(resampled[name]) < 0.95*n-chance {
			t.Errorf("%s: got the law's mean in %d of %d intervals, want at least %.0f", name, resampled[name], days, 0.95*n-chance)
		}
	}
	if joins := replayed["players.joins"]; joins > days/2 {
		t.Errorf("got the law's mean of joins in %d of %d intervals without resampling, want few: all runs have the joins of the file", joins, days)
	}
}

// hour returns the configuration of one hour of a small built-in day, with overrides.
func hour(t *testing.T, overrides ...config.Override) *config.Config {
	t.Helper()
	c, err := config.Load("", append([]config.Override{
		{Key: "dataset.builtin.preset", Text: "eu"}, {Key: "dataset.builtin.joins", Text: "8000"},
		{Key: "clock.duration", Text: "1h"}, {Key: "clock.warmup", Text: "10m"},
	}, overrides...))
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
