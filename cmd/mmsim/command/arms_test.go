package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// smallConfig returns a built-in day that takes milliseconds to simulate.
func smallConfig(tb testing.TB, overrides ...config.Override) *config.Config {
	tb.Helper()
	c, err := config.Load("", append([]config.Override{
		{Key: "dataset.builtin.preset", Text: "eu"}, {Key: "dataset.builtin.joins", Text: "4000"}, {Key: "clock.duration", Text: "1h"},
	}, overrides...))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// tinyDay writes a day of a few minutes in three cities, which takes a millisecond to
// simulate.
func tinyDay(tb testing.TB) string {
	tb.Helper()
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "00:%02d:%02d,%s\n", i/40, i*3/2%60, [...]string{"50.1,8.7", "48.9,2.3", "59.3,18.1"}[i*i%7%3])
	}
	name := filepath.Join(tb.TempDir(), "day.csv")
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		tb.Fatal(err)
	}
	return name
}

// summariesOf simulates n runs of each configuration and returns the summaries by arm.
func summariesOf(tb testing.TB, n int, configs ...*config.Config) [][]*outcome.Summary {
	tb.Helper()
	cache := experiment.NewCache(1)
	arms, err := experiment.LoadArms(cache, configs...)
	if err != nil {
		tb.Fatal(err)
	}
	summaries, err := experiment.MeasureAll(tb.Context(), arms, experiment.FirstRuns(n), experiment.Options{Cache: cache}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return summaries
}

// numbersOf returns the value of a metric in every run.
func numbersOf(tb testing.TB, runs []*outcome.Summary, name string) []float64 {
	tb.Helper()
	var values []float64
	for _, s := range runs {
		for _, n := range s.MetricValues() {
			if n.Name == name {
				values = append(values, n.Value)
			}
		}
	}
	if len(values) != len(runs) {
		tb.Fatalf("got %d of %d runs with the metric %s, want all", len(values), len(runs), name)
	}
	return values
}

// If a command is interrupted before any replication has finished, there is nothing to compare
// or check.
func TestComparisonInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &compareCommand{decisionFlags: decisionFlags{cli.Simulating{Streams: &terminal.Streams{Out: io.Discard, Err: io.Discard}, Runs: 2}}}
	r.b.Overrides = []config.Override{{Key: "match.size", Text: "5"}}
	if err := r.compare(ctx, nil, false); ExitCode(err) != ExitInterrupted {
		t.Errorf("compare after an interruption: got error %v, want an interruption", err)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"gate.yaml": "wait_s.p95: {max: 10}", "mmsim.yaml": ""} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	g := &gateCommand{decisionFlags: decisionFlags{cli.Simulating{Streams: r.Streams}}, gate: "gate.yaml", cobra: &cobra.Command{}}
	if err := g.check(ctx, "mmsim.yaml"); ExitCode(err) != ExitInterrupted {
		t.Errorf("check after an interruption: got error %v, want an interruption", err)
	}
}

// Confidence intervals of real simulations contain the true difference as often as they
// should. One comparison is between two configurations. Its true difference is that of many
// more runs. The other comparison is of a configuration with itself under another seed, and
// finds a difference one time in twenty.
func TestComparisonsKeepTheirLevel(t *testing.T) {
	const pairs, experiments = 5, 24
	day := tinyDay(t)
	config := func(key, text string) *config.Config {
		return smallConfig(t, config.Override{Key: "dataset.file", Text: day}, config.Override{Key: "clock.duration", Text: "12m"},
			config.Override{Key: "clock.warmup", Text: "0s"}, config.Override{Key: key, Text: text})
	}
	runs := summariesOf(t, pairs*experiments, config("seed", "1"), config("states.ideal.rtt", "12ms"), config("seed", "2"))
	part := func(arm, e int) *judge.Sample { return &judge.Sample{Runs: runs[arm][e*pairs : (e+1)*pairs]} }
	names := []string{"wait_s.mean", "rtt_ms.mean"}
	var truth [2]float64
	var covered, found [2]int
	for i, name := range names {
		truth[i] = stat.Mean(numbersOf(t, runs[1], name), nil) - stat.Mean(numbersOf(t, runs[0], name), nil)
	}
	for e := range experiments {
		other, itself := judge.Compare(part(0, e), part(1, e), nil), judge.Compare(part(0, e), part(2, e), nil)
		for i, name := range names {
			if d := differenceIn(t, other, name); float64(d.Low) <= truth[i] && truth[i] <= float64(d.High) {
				covered[i]++
			}
			if v := differenceIn(t, itself, name).Verdict; v == judge.VerdictBetter || v == judge.VerdictWorse {
				found[i]++
			}
		}
	}
	for i, name := range names {
		// Of 24 intervals, 22.8 are expected to contain the true difference, and 1.2 to show a
		// false one. Four standard deviations are 4.3.
		if covered[i] < 18 || found[i] > 5 {
			t.Errorf("%s: got %d of %d intervals that contain the true difference %.4f, want at least 18; got %d false differences, want at most 5",
				name, covered[i], experiments, truth[i], found[i])
		}
	}
}

func differenceIn(t *testing.T, c *judge.Comparison, name string) *judge.Difference {
	t.Helper()
	for i := range c.Metrics {
		if c.Metrics[i].Name == name {
			return &c.Metrics[i]
		}
	}
	t.Fatalf("the comparison does not contain %s", name)
	return nil
}

// BenchmarkCommonRandomNumbers measures the benefit of common random numbers: the factor by
// which the variance of a difference (10 s in IDEAL against 7 s) is smaller than with
// independent seeds. This is also the factor by which fewer runs are needed. With 40 runs, the
// true factor is between half and twice the measured one.
func BenchmarkCommonRandomNumbers(b *testing.B) {
	for _, joins := range []string{"20000", "100000"} {
		b.Run(joins, func(b *testing.B) {
			varianceFactors(b, 40, config.Override{Key: "dataset.builtin.joins", Text: joins})
		})
	}
	b.Run("article", func(b *testing.B) {
		maps := filepath.Join(commandtest.Data(b), "masbandwidth")
		varianceFactors(b, 16, config.Override{Key: "dataset.file", Text: filepath.Join(commandtest.Data(b), "day.csv.gz"), Literal: true},
			config.Override{Key: "datacenters.file", Text: filepath.Join(maps, "datacenters.csv"), Literal: true},
			config.Override{Key: "latency.maps", Text: maps, Literal: true}, config.Override{Key: "latency.fallback", Text: "line"})
	})
}

func varianceFactors(b *testing.B, n int, day ...config.Override) {
	settings := func(seed, idealFor string) *config.Config {
		c, err := config.Load("", append(day[:len(day):len(day)], config.Override{Key: "seed", Text: seed}, config.Override{Key: "states.ideal.for", Text: idealFor}))
		if err != nil {
			b.Fatal(err)
		}
		return c
	}
	configs := []*config.Config{settings("1", "10s"), settings("1", "7s"), settings("2", "7s")}
	for b.Loop() {
		runs := summariesOf(b, n, configs...)
		for _, name := range []string{"wait_first_s.mean", "wait_s.mean", "wait_s.p95", "rtt_ms.mean"} {
			variance := func(arm int) float64 {
				return stat.Variance(floats.SubTo(make([]float64, n), numbersOf(b, runs[arm], name), numbersOf(b, runs[0], name)), nil)
			}
			b.ReportMetric(variance(2)/variance(1), name+"-factor")
		}
	}
}

// BenchmarkReplications measures how parallel replications scale. Run it once with -cpu 1 and
// once with -cpu N, and not with -cpu 1,N, which would run both benchmarks on all cores. The
// efficiency is the time with one core divided by N times the time with N cores.
func BenchmarkReplications(b *testing.B) {
	c, err := config.Load("", []config.Override{{Key: "dataset.builtin.joins", Text: "200000"}})
	if err != nil {
		b.Fatal(err)
	}
	other := *c
	other.States.IdealFor /= 2
	for b.Loop() {
		summariesOf(b, 4, c, &other)
	}
}
