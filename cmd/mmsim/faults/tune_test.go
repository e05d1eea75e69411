package faults_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/tuning"
)

// An interrupted tuning keeps its finished runs, and the same command continues. No finished
// run is repeated, and the results equal those of a tuning that was not interrupted.
func TestInterruptedSearchResumes(t *testing.T) {
	t.Chdir(t.TempDir())
	spec := "{config: base.yaml, settings: {states.ideal.rtt: {from: 20ms, to: 80ms}, match.size: {from: 2, to: 5}}, minimise: [rtt_ms.mean, wait_s.mean], budget: {runs: 30}}"
	if err := os.WriteFile("tune.yaml", []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	untilStopped(t, 12_000, "{dataset: {builtin: {joins: %d}}, clock: {duration: 2h}}", func() bool {
		code := stopAfter(t, 20, syscall.SIGINT, "tune", "tune.yaml", "--out", "stopped")
		if code != command.ExitInterrupted && code != command.ExitGood {
			t.Fatalf("exit code %d, want %d", code, command.ExitInterrupted)
		}
		found, err := os.ReadFile(filepath.Join("stopped", tuning.File))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(found), `"complete": false`) // false if the signal came after the last run
	}, "stopped")
	const want = "0,before,1,1,50ms,4,"
	if text, err := os.ReadFile(filepath.Join("stopped", tuning.TrialsFile)); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s: want %s in %s (error %v)", tuning.TrialsFile, want, text, err)
	}
	resume(t, "tune", "stopped", jobFiles(t, "stopped"), tuning.TrialsFile, tuning.File, tuning.BestFile, "front.svg")
}

// The output says how much of the budget the trials used, in days with their warm-up. A trial
// of 30 min instead of 2 h, plus the warm-up of 30 min, takes 60 min instead of 150 and counts
// as 0.4.
func TestTuneReportsBudget(t *testing.T) {
	t.Chdir(t.TempDir())
	const spec = "settings: {states.ideal.rtt: {from: 20ms, to: 80ms}, match.size: [2, 4]}\nminimise: rtt_ms.mean\nruns: 2\nbudget: {runs: 40}\nstart: 4\n"
	if err := os.WriteFile("tune.yaml", []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"tune", "tune.yaml", "--out", "found", "--set", "dataset.builtin={preset: eu, joins: 2000}", "--set", "clock={duration: 2h, warmup: 30m}"}
	var out, errs strings.Builder
	if code := command.Run(args, nil, &out, &errs); code != command.ExitGood {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	text, err := os.ReadFile("found/trials.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cost := map[string]float64{"0.25": 2 * 0.4, "0.5": 2 * 0.6, "1": 2}
	spent, seen := cost["0.25"]+cost["0.5"], map[string]bool{} // of the baseline; its whole day is in the table
	for _, row := range rows[1:] {
		key := strings.Join(row[2:6], " ") // share, runs and values
		if row[1] != "before" && seen[key] {
			continue
		}
		seen[key] = seen[key] || row[1] != "before"
		spent += cost[row[2]]
	}
	want := fmt.Sprintf("\nBudget: %s of 40 replications of the whole day: a trial of a part of the day counts for that part, warm-up included. The final comparison is not counted.\n",
		strconv.FormatFloat(math.Round(spent*10)/10, 'f', -1, 64))
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("got output\n%s\nwant suffix %s", out.String(), want)
	}
	if spent < 20 || spent > 40 {
		t.Errorf("got a budget of %g spent by trials, want 20 to 40", spent)
	}
}
