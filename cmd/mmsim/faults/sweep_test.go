package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/experiment"
)

// A killed sweep continues. No finished job is lost or repeated, and the results equal those
// of a sweep that was not killed.
func TestKilledSweepResumes(t *testing.T) {
	killedSweep(t, "match.size: [2, 3, 4]", "wait_s.p95", "{dataset: {builtin: {joins: %d}}, clock: {duration: 4h}}")
}

// The same is true of a sweep with events of all kinds.
func TestKilledSweepOfEventsResumes(t *testing.T) {
	killedSweep(t, "players.interrupted.again: [0, 0.5, 1]", "events.4.interrupted", `{dataset: {builtin: {joins: %d}}, clock: {duration: 4h}, events: [
  {at: "00:30", for: 20m, latency: 80ms, from: {continents: [EU]}}, {at: "01:00", for: 10m, joins: 500},
  {at: "01:30", for: 20m, maintenance: true, back: 60%%, within: 10m}, {at: "03:00", for: 20m, outage: [ashburn, frankfurt], running: kill}]}`)
}

// killedSweep kills a sweep of three values of a setting and lets it continue. base is as in untilStopped.
func killedSweep(t *testing.T, setting, metric, base string) {
	t.Chdir(t.TempDir())
	spec := fmt.Sprintf("{runs: 4, settings: {%s}, metrics: [%s], config: base.yaml}", setting, metric)
	if err := os.WriteFile("sweep.yaml", []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	var before map[string]time.Time
	untilStopped(t, 20_000, base, func() bool {
		stopAfter(t, 3, syscall.SIGKILL, "sweep", "sweep.yaml", "--out", "killed", "--quiet")
		before = jobFiles(t, "killed")
		return len(before) < 12
	}, "killed")
	resume(t, "sweep", "killed", before, "results.csv", "sweep.json", "curves.svg")
	if n := len(jobFiles(t, "killed")); n != 12 {
		t.Errorf("got %d jobs, want 12", n)
	}
}

// A killed site search continues, whether it simulated sets or the removals from the cheapest one.
func TestKilledSiteSearchResumes(t *testing.T) {
	const sets, all = 2 * 2, 2*2 + 2*2 // jobs: two runs of 2-1 and of all datacenters, then of 2-1 without each of its two
	for _, jobs := range []int{1, sets + 1} {
		t.Run(fmt.Sprintf("after %d jobs", jobs), func(t *testing.T) {
			t.Chdir(t.TempDir())
			commandtest.Put(t, ".", map[string]string{"site.yaml": "{config: base.yaml, count: 2, candidates: 1, guard: none}", "prices.csv": "*,1\n", "sites.csv": "paris,48.9,2.3\nchicago,41.9,-87.6\ntokyo,35.7,139.8\n"})
			var before map[string]time.Time
			untilStopped(t, 160_000, "{dataset: {builtin: {joins: %d}}, clock: {duration: 2h}, datacenters: {file: sites.csv}, fleet: {prices: prices.csv}}", func() bool {
				stopAfter(t, jobs, syscall.SIGKILL, "site", "site.yaml", "--out", "killed", "--quiet")
				before = jobFiles(t, "killed")
				return len(before) < all && (jobs < sets) == (len(before) < sets)
			}, "killed")
			resume(t, "site", "killed", before, "results.csv", "sweep.json", "map.csv", "2-1.yaml", "by-number.svg", "map.svg")
			if n := len(jobFiles(t, "killed")); n != all {
				t.Errorf("got %d jobs, want %d", n, all)
			}
		})
	}
}

// untilStopped writes base.yaml, a configuration with the given number of joins, and calls
// stop, which starts a command and stops it. If stop returns false, the command ended too
// soon, and untilStopped repeats this in an empty folder with four times as many joins. Fast
// and slow machines thus test the same. With -short, it begins with an eighth of the joins:
// CI then tests with -race, which makes a simulation ten times slower.
func untilStopped(t *testing.T, joins int, base string, stop func() bool, folder string) {
	t.Helper()
	if testing.Short() {
		joins /= 8
	}
	for range 6 {
		if err := os.WriteFile("base.yaml", fmt.Appendf(nil, base, joins), 0o666); err != nil {
			t.Fatal(err)
		}
		if stop() {
			return
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		joins *= 4
	}
	t.Fatalf("the command ended before it could be stopped, with up to %d joins", joins/4)
}

// stopAfter starts mmsim with the given arguments and sends a signal when the given number of
// jobs are done in its folder. It returns the exit code, which is -1 if the process was
// killed.
func stopAfter(t *testing.T, jobs int, signal os.Signal, args ...string) int {
	t.Helper()
	folder := args[slices.Index(args, "--out")+1]
	c := exec.Command("mmsim", args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); len(jobFiles(t, folder)) < jobs && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	_ = c.Process.Signal(signal)
	_ = c.Wait() // the exit code is checked below
	return c.ProcessState.ExitCode()
}

// resume completes the work that a command left in a folder. It checks that no finished job is
// repeated, and that the given files equal those of an uninterrupted run.
func resume(t *testing.T, name, stopped string, before map[string]time.Time, files ...string) {
	t.Helper()
	for _, dir := range []string{stopped, "whole"} {
		var out, errs strings.Builder
		if code := command.Run([]string{name, name + ".yaml", "--out", dir}, nil, &out, &errs); code != command.ExitGood {
			t.Fatalf("%s: exit code %d: %s", dir, code, errs.String())
		}
	}
	after := jobFiles(t, stopped)
	for name, written := range before {
		if !after[name].Equal(written) {
			t.Errorf("job %s was simulated again, want the kept result used", name)
		}
	}
	for _, name := range files {
		one, err := os.ReadFile(filepath.Join(stopped, name))
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(filepath.Join("whole", name))
		if err != nil || !slices.Equal(one, other) {
			t.Errorf("%s differs from that of an uninterrupted command (error %v)", name, err)
		}
	}
}

// jobFiles lists the finished jobs in a folder with the times when they were written.
func jobFiles(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, experiment.JobsFolder, "[^.]*.json"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]time.Time{}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = info.ModTime()
	}
	return files
}
