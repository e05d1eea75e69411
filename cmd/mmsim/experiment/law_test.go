package experiment

import (
	"math"
	"os"
	"strconv"
	"testing"

	"mmsim/datasets/joinfile"
	"mmsim/reports/outcome"
)

// The law of the day is known here: files are days that the built-in day draws. The intervals of
// resampled runs of such a file contain the mean over all days in at least about 95 % of the files.
// For joins, whose variance is only that of the players, it is 95 %. For other metrics it is more,
// because the variance between runs also has the draw of matches, which the file does not repeat.
//
//	MMSIM_DAYS=400 go test ./cmd/mmsim/experiment -run TestResampledIntervals -v
func TestResampledIntervalsCoverTheLaw(t *testing.T) {
	days, err := strconv.Atoi(os.Getenv("MMSIM_DAYS"))
	if err != nil {
		days = 20
	}
	const runs = 8
	t.Chdir(t.TempDir())
	settings := []string{"dataset.builtin.preset=eu", "dataset.builtin.joins=8000", "clock.duration=1h", "clock.warmup=10m"}
	builtin := inputsOf(t, settings...)
	metrics := []string{"players.joins", "players.entries", "wait_s.mean", "wait_s.p95", "rtt_ms.mean", "players.failed"}
	law := map[string]float64{}
	for day := range 5 * days {
		for _, v := range summaryOf(t, builtin, 1000+uint64(day)).MetricValues() {
			law[v.Name] += v.Value / float64(5*days)
		}
	}
	replayed, resampled := map[string]int{}, map[string]int{} // files whose interval contains the law's mean
	for day := range days {
		drawn, err := builtin.BuiltinDay(uint64(day))
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create("day.csv")
		if err != nil {
			t.Fatal(err)
		}
		if err := joinfile.WriteCSV(f, drawn, joinfile.Headed); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		countCovered(t, replayed, law, runs, append(settings, "dataset.file=day.csv", "seed=2"))
		countCovered(t, resampled, law, runs, append(settings, "dataset.file=day.csv", "seed=2", "dataset.resample=true"))
	}
	for _, name := range metrics {
		t.Logf("%s: law's mean %.3f in the interval of %.1f %% of resampled and %.1f %% of replayed files", name, law[name],
			100*float64(resampled[name])/float64(days), 100*float64(replayed[name])/float64(days))
		if least := 0.95*float64(days) - 4*sdOfCount(days); float64(resampled[name]) < least {
			t.Errorf("%s: got the law's mean in %d of %d intervals, want at least %.0f", name, resampled[name], days, least)
		}
	}
	if most := 0.95*float64(days) + 4*sdOfCount(days); float64(resampled["players.joins"]) > most || replayed["players.joins"] > days/2 {
		t.Errorf("joins: got the law's mean in %d of %d intervals, and in %d without resampling, want at most %.0f and %d",
			resampled["players.joins"], days, replayed["players.joins"], most, days/2)
	}
}

// countCovered adds 1 for every metric whose interval over runs contains its mean under the law.
func countCovered(t *testing.T, covered map[string]int, law map[string]float64, runs int, settings []string) {
	t.Helper()
	in := inputsOf(t, settings...)
	list := make([]*outcome.Summary, runs)
	for run := range list {
		list[run] = summaryOf(t, in, uint64(run))
	}
	for _, s := range outcome.Aggregate(list).Replications.Metrics {
		if low, high := s.Interval(); low <= law[s.Name] && law[s.Name] <= high {
			covered[s.Name]++
		}
	}
}

// sdOfCount returns the standard deviation of the number of days that an interval of 95 % covers.
func sdOfCount(days int) float64 { return math.Sqrt(float64(days) * 0.95 * 0.05) }
