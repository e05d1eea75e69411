package experiment

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"mmsim/reports/outcome"
)

// Over many runs of a resampled file, joins and the mean RTT have the mean and the variance of the
// bootstrap of its parties: every party is taken Poisson(1) times. All players are in parties of
// two, which are matched at once and alone, with the RTT in the file. For the RTT x of each of n
// parties with the mean m, the mean RTT has the variance Σ (x-m)² / n², to the first order in 1/n.
func TestResampledRunsVaryAsTheBootstrap(t *testing.T) {
	t.Chdir(t.TempDir())
	var file strings.Builder
	file.WriteString("time,latitude,longitude,rtt:frankfurt,party_id\n")
	const parties = 120
	sum, squares := 0.0, 0.0
	for i := range parties {
		rtt := 20
		if i%4 == 0 {
			rtt = 80
		}
		for range 2 {
			fmt.Fprintf(&file, "01:%02d:%02d,50.1,%d.1,%d,%d\n", 16+i%20, i%60, rtt, rtt, i)
		}
		sum += float64(rtt)
		squares += float64(rtt * rtt)
	}
	if err := os.WriteFile("day.csv", []byte(file.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("datacenters.csv", []byte("1,frankfurt,50.1,8.7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	// The takes of a row move by up to 15 minutes, which keeps them inside the measured window.
	in := inputsOf(t, "dataset.file=day.csv", "dataset.resample=true", "datacenters.file=datacenters.csv", "match.size=2",
		"players.play_again=0", "states.ideal.rtt=100ms", "clock.warmup=0s", "clock.duration=2h")
	const runs = 400
	joins, means := make([]float64, runs), make([]float64, runs)
	for run := range runs {
		s := summaryOf(t, in, uint64(run))
		if !s.Run.Resample {
			t.Fatal("got a summary without resample, want it to be true")
		}
		if s.Players.Matched != s.Players.Joins || s.WaitFirst.Max > 1 {
			t.Fatalf("run %d: got %v of %v players matched after up to %v s, want all at the next tick", run, s.Players.Matched, s.Players.Joins, s.WaitFirst.Max)
		}
		joins[run], means[run] = float64(s.Players.Joins), float64(s.RTT.Mean)
	}
	mean := sum / parties
	checkMoments(t, "joins", joins, 2*parties, 2*2*parties)
	checkMoments(t, "mean RTT", means, mean, (squares/parties-mean*mean)/parties)
}

// summaryOf returns the summary of a run.
func summaryOf(t *testing.T, in *Inputs, run uint64) *outcome.Summary {
	t.Helper()
	r, err := in.Replication(run)
	if err != nil {
		t.Fatal(err)
	}
	found, err := r.Measure(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &found.Summary
}

// checkMoments checks that independent values have this mean and variance, to four standard
// deviations of the estimates. For nearly normal values, that of the variance is σ² √(2/n).
func checkMoments(t *testing.T, name string, values []float64, mean, variance float64) {
	t.Helper()
	n, sum, squares := float64(len(values)), 0.0, 0.0
	for _, x := range values {
		sum += x
	}
	for _, x := range values {
		squares += (x - sum/n) * (x - sum/n)
	}
	if got, tolerance := sum/n, 4*math.Sqrt(variance/n); math.Abs(got-mean) > tolerance {
		t.Errorf("%s: got a mean of %.3f, want %.3f ± %.3f", name, got, mean, tolerance)
	}
	if got, tolerance := squares/(n-1), 4*variance*math.Sqrt(2/n); math.Abs(got-variance) > tolerance {
		t.Errorf("%s: got a variance of %.3f, want %.3f ± %.3f", name, got, variance, tolerance)
	}
}

// Two configurations have the same players in the same run, whatever else they differ in.
func TestResampledArmsHaveTheSamePlayers(t *testing.T) {
	t.Chdir(t.TempDir())
	putInputs(t)
	settings := []string{"dataset.file=day.csv", "dataset.max_bad_rows=2", "dataset.resample=true", "dataset.scale=20.5", "clock.duration=1h"}
	a := inputsOf(t, settings...)
	b := inputsOf(t, append(settings, "match.size=2", "states.ideal.rtt=10ms", "players.play_again=0")...)
	all := map[string]bool{}
	for run := range uint64(20) {
		players := joinsOf(t, a, run)
		if other := joinsOf(t, b, run); players != other {
			t.Errorf("run %d: got joins %s and %s, want equal ones", run, players, other)
		}
		all[players] = true
	}
	if len(all) < 10 { // with three rows, some runs take none
		t.Errorf("got %d different lists of joins in 20 runs, want at least 10", len(all))
	}
}

// joinsOf returns all joins of a run.
func joinsOf(t *testing.T, in *Inputs, run uint64) string {
	t.Helper()
	r, err := in.Replication(run)
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	day := r.Day.Replay(0, r.ReplayOptions())
	for a, ok := day.Next(); ok; a, ok = day.Next() {
		fmt.Fprintln(&list, a)
	}
	return list.String()
}
