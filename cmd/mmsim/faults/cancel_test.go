package faults_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/tuning"
	"mmsim/reports/outcome"
	"mmsim/reports/records"
	"mmsim/sim"
)

// These are the lengths of the warm-up and of the measured window in these tests. Both have
// joins in every second.
const (
	cancelWarmup = 40 * sim.Second
	cancelWindow = 40 * sim.Second
)

// putBusyDay writes a dataset with joins in the last and the first minute of a day, and a
// configuration for every placement.
func putBusyDay(t *testing.T) {
	t.Helper()
	var day strings.Builder
	day.WriteString("time,latitude,longitude,mode\n")
	for i := range 360 {
		fmt.Fprintf(&day, "%s:%02d,%s,%s\n", [...]string{"00:00", "23:59"}[i/180], i/3%60,
			[...]string{"50.1,8.7", "48.9,2.3", "59.3,18.1"}[i*i%7%3], [...]string{"a", "b", "c"}[i%3])
	}
	base := "dataset: {file: day.csv}\nclock: {warmup: 40s, duration: 40s}\nmatch: {length: 5s}\n" +
		"players: {between_matches: 2s, give_up_after: 20s}\noutput: {plots: false, html: false, records: csv}\n"
	commandtest.Put(t, ".", map[string]string{
		"day.csv":          day.String(),
		"queue.json":       pairsQueue,
		"datacenters.yaml": base,
		"pool.yaml":        base + "rules: queue.json\nplacement: pool\n",
		"rules.yaml":       base + "rules: queue.json\nplacement: datacenters\n",
		"servers.yaml":     base + "placement: servers\nservers: {start: 2s, capacity: 4}\n",
		"queues.yaml": base + "queues:\n- {name: a, when: {mode: a}, rules: queue.json, placement: pool}\n" +
			"- {name: b, when: {mode: b}, rules: queue.json, placement: datacenters}\n- {name: rest, match: {size: 3}}\n",
		"sweep.yaml": "{config: datacenters.yaml, runs: 2, settings: {match.size: [2, 3]}, metrics: [wait_s.p95]}",
		"tune.yaml":  "{config: datacenters.yaml, settings: {match.size: {from: 2, to: 5}}, minimise: wait_s.mean, halve: none, start: 4, budget: {runs: 12}}",
		"gate.yaml":  "{matches.count: {min: 0}}",
	})
}

// cancelled runs a command. It cancels the command when the n-th replication reaches the
// virtual time at. It returns the exit code and the output.
func cancelled(t *testing.T, at sim.Instant, n int, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs bytes.Buffer
	root := command.NewRoot(&terminal.Streams{Out: &out, Err: &errs, Observe: func(to sim.Instant) {
		if to == at {
			n--
		}
		if to >= at && n <= 0 {
			cancel()
		}
	}})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(&errs, err)
	}
	return command.ExitCode(err), out.String(), errs.String()
}

// A run may be cancelled at every stride of its warm-up and its window. The counts up to then
// are consistent, and the result is marked as incomplete.
func TestCancelAtEveryStride(t *testing.T) {
	t.Chdir(t.TempDir())
	putBusyDay(t)
	for _, name := range []string{"datacenters", "pool", "rules", "servers", "queues"} {
		c, err := config.Load(name+".yaml", nil)
		if err != nil {
			t.Fatal(err)
		}
		cache := experiment.NewCache(1)
		arms, err := experiment.LoadArms(cache, c)
		if err != nil {
			t.Fatal(err)
		}
		searched := false
		for at := sim.Instant(-cancelWarmup + sim.Second); at <= sim.Instant(cancelWindow); at += sim.Instant(sim.Second) {
			s := measureUntil(t, arms, cache, at)
			if s.Complete != (at >= sim.Instant(cancelWindow)) || s.Run.Reached != outcome.Seconds(max(0, at).Seconds()) {
				t.Errorf("%s, cancelled at %v s: got complete %t and reached %v s", name, at.Seconds(), s.Complete, s.Run.Reached)
			}
			unstarted := outcome.Players{}
			unstarted.UnmatchedShare = outcome.Share(math.NaN())
			if at < 0 && (fmt.Sprint(s.Players) != fmt.Sprint(unstarted) || s.CCU != outcome.CCU{}) {
				t.Errorf("%s, cancelled at %v s, in the warm-up: got players %+v and CCU %+v, want zeros", name, at.Seconds(), s.Players, s.CCU)
			}
			searched = searched || s.Players.SearchingAtStart > 0
		}
		if !searched && name != "servers" { // players who join within one second do not wait for a server that was started earlier
			t.Errorf("%s: got no player who searches when the warm-up ends, want some, so that the test covers them", name)
		}
	}
}

// measureUntil simulates until a virtual time is reached.
func measureUntil(t *testing.T, arms []experiment.Arm, cache *experiment.Cache, at sim.Instant) *outcome.Summary {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := terminal.NewProgress(&terminal.Streams{Observe: func(to sim.Instant) {
		if to >= at {
			cancel()
		}
	}}, true, 0, 1)
	var found *outcome.Summary
	e := experiment.Experiment{Arms: arms, Runs: []uint64{0}}
	err := e.Run(ctx, experiment.Options{Cache: cache, Progress: p, Keep: func(o experiment.Outcome) error {
		found = &o.Result.Summary
		return nil
	}})
	if err != nil {
		t.Fatalf("cancelled at %v s: %v", at.Seconds(), err)
	}
	return found
}

// cancelInstants returns times in the warm-up, at its end, in the window and just before the
// window's end. There are fewer with -short.
func cancelInstants() []sim.Instant {
	if testing.Short() {
		return []sim.Instant{-20_000, 0, 20_000}
	}
	return []sim.Instant{-39_000, -20_000, -1000, 0, 1000, 20_000, 39_000}
}

// A cancelled run writes a partial result for every placement. Gates and comparisons reject
// it, but reports can be drawn from it.
func TestCancelledRun(t *testing.T) {
	t.Chdir(t.TempDir())
	putBusyDay(t)
	for _, name := range []string{"datacenters", "pool", "servers", "queues"} {
		for _, at := range cancelInstants() {
			dir := fmt.Sprintf("%s%d", name, at)
			label := fmt.Sprintf("%s, cancelled at %v s", name, at.Seconds())
			code, stdout, stderr := cancelled(t, at, 1, "run", "--config", name+".yaml", "--out", dir,
				"--set", fmt.Sprintf("output={plots: false, html: %t, records: parquet}", at == -20_000))
			prefix, suffix := "Interrupted after ", "interrupted: partial results in "+dir+"\n"
			if at <= 0 {
				prefix = "Interrupted before the measured window began: nothing was measured.\n"
			}
			if code != command.ExitInterrupted || !strings.HasPrefix(stdout, prefix) || !strings.HasSuffix(stderr, suffix) {
				t.Errorf("%s: got exit code %d, stdout %q and stderr %q, want %d, prefix %q and suffix %q", label, code, stdout, stderr, command.ExitInterrupted, prefix, suffix)
				continue
			}
			if s := summaryOf(t, dir); s.Complete || s.Run.Reached != max(0, at.Seconds()) {
				t.Errorf("%s: got complete %t and reached %v s, want an incomplete result until the cancellation", label, s.Complete, s.Run.Reached)
			}
			mustExit(t, command.ExitBadInput, "check", dir, "--gate", "gate.yaml")
			mustExit(t, command.ExitBadInput, "compare", dir, dir)
			if at == -20_000 || at == 20_000 && name == "queues" { // not always, because drawing takes longest
				mustExit(t, command.ExitGood, "report", dir)
			}
		}
	}
	noLeftovers(t, ".")
}

// If a replication is cancelled, the aggregate is computed from the replications that had
// finished.
func TestCancelledReplications(t *testing.T) {
	t.Chdir(t.TempDir())
	putBusyDay(t)
	mustExit(t, command.ExitGood, "run", "--config", "datacenters.yaml", "--runs", "6", "--out", "whole", "--quiet")
	for _, at := range cancelInstants() {
		for _, n := range []int{1, 4} {
			dir := fmt.Sprintf("runs%d-%d", at, n)
			code, stdout, stderr := cancelled(t, at, n, "run", "--config", "datacenters.yaml", "--runs", "6", "--out", dir)
			if code != command.ExitInterrupted || !strings.Contains(stderr, " in "+dir+"\n") {
				t.Errorf("%s: exit code %d, want %d: %s", dir, code, command.ExitInterrupted, stderr)
				continue
			}
			finished := 0
			for r := range 6 {
				own := filepath.Join(dir, results.RunsFolder, fmt.Sprint(r))
				if _, err := os.Stat(own); err != nil || !summaryOf(t, own).Complete {
					continue
				}
				finished++
				for _, file := range []string{outcome.SummaryFile, "timeseries.csv", records.CSVFile} {
					sameFile(t, filepath.Join(own, file), filepath.Join("whole", results.RunsFolder, fmt.Sprint(r), file))
				}
			}
			want := fmt.Sprintf("interrupted: %d of 6 replications finished; the means are over these replications only\n", finished)
			if finished == 0 {
				want = "interrupted: none of 6 replications finished; the means are over "
			}
			if !strings.Contains(stdout, want) || summaryOf(t, dir).Complete {
				t.Errorf("%s: want %q in %q and an incomplete aggregate", dir, want, stdout)
			}
			if n == 4 && finished == 0 {
				t.Errorf("%s: got no finished replication after the fourth was cancelled, want some", dir)
			}
		}
	}
	noLeftovers(t, ".")
}

// Commands that simulate many runs exit with 130 no matter when they are cancelled. So does a
// run with --live.
func TestCancelledCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	putBusyDay(t)
	for _, at := range cancelInstants() {
		for _, words := range [][]string{
			{"compare", "datacenters.yaml", "--set-b", "match.size=3", "--runs", "3", "--out", "compare"},
			{"check", "datacenters.yaml", "--gate", "gate.yaml", "--runs", "5"},
			{"run", "--config", "datacenters.yaml", "--live", "127.0.0.1:0", "--live-speed", "1000000", "--out", "live"},
		} {
			code, _, stderr := cancelled(t, at, 1, words...)
			lines := strings.Split(strings.TrimSpace(stderr), "\n")
			if code != command.ExitInterrupted || !strings.HasPrefix(lines[len(lines)-1], "interrupted") {
				t.Errorf("%v: cancelled at %v s: got exit code %d, want %d and a last line that says interrupted: %s", words, at.Seconds(), code, command.ExitInterrupted, stderr)
			}
		}
	}
	noLeftovers(t, ".")
}

// If a sweep or a tuning is cancelled, the same command does not repeat finished jobs. Its
// results equal those of a command that was not cancelled.
func TestCancelledJobsResume(t *testing.T) {
	for name, files := range map[string][]string{
		"sweep": {"results.csv", search.PlanFile},
		"tune":  {tuning.TrialsFile, tuning.File, tuning.BestFile},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			putBusyDay(t)
			for i, at := range cancelInstants() {
				dir := fmt.Sprintf("stopped%d", at)
				code, _, stderr := cancelled(t, at, 1+i%4, name, name+".yaml", "--out", dir)
				if code != command.ExitInterrupted || !strings.Contains(stderr, "so far") && !strings.Contains(stderr, "are done") {
					t.Errorf("cancelled at %v s: got exit code %d, want %d and how much was done: %s", at.Seconds(), code, command.ExitInterrupted, stderr)
				}
				resume(t, name, dir, jobFiles(t, dir), files...)
			}
			noLeftovers(t, ".")
		})
	}
}

// mustExit runs a command and checks its exit code.
func mustExit(t *testing.T, want int, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := command.Run(args, nil, &out, &errs); code != want {
		t.Errorf("%v: got exit code %d, want %d: %s", args, code, want, errs.String())
	}
}

// sameFile checks that two files are equal.
func sameFile(t *testing.T, one, other string) {
	t.Helper()
	a, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s and %s differ, want equal bytes", one, other)
	}
}

// noLeftovers checks that there is no temporary file or folder below a folder.
func noLeftovers(t *testing.T, folder string) {
	t.Helper()
	for name := range filesBelow(t, folder) {
		if strings.Contains(name, ".tmp-") {
			t.Errorf("got temporary file %s after the command, want none", name)
		}
	}
}

// If one of many runs fails, the command stops the others and exits with 3. Finished jobs
// remain, and no file is left half-written.
func TestFaultInOneOfManyRuns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // with many cores, no run would have finished
	for _, words := range [][]string{
		{"run", "--config", "datacenters.yaml", "--runs", "12", "--out", "out"},
		{"compare", "datacenters.yaml", "--set-b", "match.size=3", "--runs", "12", "--out", "out"},
		{"sweep", "sweep.yaml", "--out", "out"},
		{"tune", "tune.yaml", "--out", "out"},
	} {
		t.Run(words[0], func(t *testing.T) {
			t.Chdir(t.TempDir())
			putBusyDay(t)
			const fault = 180 // in strides; a run has 80, so on two cores some runs have finished by then
			strides := 0
			root := command.NewRoot(&terminal.Streams{Out: io.Discard, Err: io.Discard, Observe: func(sim.Instant) {
				if strides++; strides == fault {
					panic("a fault")
				} else if strides > fault {
					time.Sleep(10 * time.Millisecond) // on a busy machine, the fault may be reported late
				}
			}})
			root.SetArgs(words)
			err := root.Execute()
			if command.ExitCode(err) != command.ExitFault || !strings.HasPrefix(err.Error(), "mmsim: internal fault: a fault\n") {
				t.Errorf("got exit code %d and error %.60v, want an internal fault", command.ExitCode(err), err)
			}
			if after := strides - fault; after > 100 { // at least 140 would follow without the fault
				t.Errorf("got %d strides simulated after the fault, want at most 100", after)
			}
			finished := jobFiles(t, "out")
			if words[0] == "sweep" || words[0] == "tune" {
				if len(finished) == 0 {
					t.Error("got no files of finished jobs, want some")
				}
				resume(t, words[0], "out", finished)
			} else if _, err := os.Stat("out"); err == nil {
				t.Error("got a result directory, want none")
			}
			noLeftovers(t, ".")
		})
	}
}
