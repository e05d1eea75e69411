package faults_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// putChanging writes a configuration that names a file of every kind, and returns another valid
// content of each file. The number of jobs of the sweep and of the trials is far above the number that
// can start before the first one advances.
func putChanging(t *testing.T) (changes map[string]string) {
	day := func(rows int) string {
		var b strings.Builder
		b.WriteString("time,latitude,longitude\n")
		for i := range rows {
			fmt.Fprintf(&b, "00:%02d:%02d,50,8\n", i/60%60, i%60)
		}
		return b.String()
	}
	jobs := 4 * runtime.GOMAXPROCS(0)
	commandtest.Put(t, ".", map[string]string{
		"day.csv": day(200), "queue.json": pairsQueue, "sites.csv": "id,name,latitude,longitude\n1,frankfurt,50,8\n",
		"base.yaml":  "{dataset: {file: day.csv}, datacenters: {file: sites.csv}, rules: queue.json, clock: {duration: 5m, warmup: 0s}, output: {plots: false, html: false}}",
		"sweep.yaml": fmt.Sprintf("{config: base.yaml, runs: %d, settings: {players.give_up_after: [60s, 90s]}, metrics: [wait_s.p95]}", jobs),
		"tune.yaml":  fmt.Sprintf("{config: base.yaml, settings: {players.give_up_after: {from: 30s, to: 120s}}, minimise: wait_s.mean, halve: none, start: %d, budget: {runs: %d}}", jobs, 2*jobs),
	})
	return map[string]string{
		"day.csv": day(300), "queue.json": strings.Replace(pairsQueue, "anybody", "anyone", 1), "sites.csv": "id,name,latitude,longitude\n1,frankfurt,50,9\n",
		"base.yaml": strings.Replace(commandtest.Read(t, "base.yaml"), "5m", "6m", 1),
	}
}

// runChanged runs a command and replaces a file as soon as a job advances.
func runChanged(t *testing.T, file, content string, args ...string) (code int, stderr string) {
	t.Helper()
	defer input.FixContents()()
	var errs bytes.Buffer
	replaced := false
	root := command.NewRoot(&terminal.Streams{Out: &bytes.Buffer{}, Err: &errs, Observe: func(sim.Instant) {
		if !replaced {
			replaced = true
			if err := os.WriteFile("new", []byte(content), 0o666); err != nil {
				t.Error(err)
			}
			if err := os.Rename("new", file); err != nil {
				t.Error(err)
			}
		}
	}})
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	if err != nil {
		errs.WriteString(terminal.ErrorText(err))
	}
	return command.ExitCode(err), errs.String()
}

// All jobs of a command use the contents that its inputs had at the start. If an input is replaced
// while a sweep or a search reads it for each job, the command ends with an error that names the file.
// The finished jobs are those of the first content, so the same command continues with that content.
func TestInputsChangeWhileJobsRun(t *testing.T) {
	for name, marker := range map[string]string{"sweep": "results.csv", "tune": "best.yaml"} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, content := range putChanging(t) {
				if name == "sweep" && file == "base.yaml" {
					continue // read once: the plan has all configurations
				}
				first := commandtest.Read(t, file)
				line := []string{name, name + ".yaml", "--out", "out-" + file}
				code, stderr := runChanged(t, file, content, line...)
				if code != command.ExitBadInput || !strings.Contains(stderr, file+": changed since the command first read it") {
					t.Errorf("%s: got exit code %d and %q, want %d and an error that names the file", file, code, stderr, command.ExitBadInput)
				}
				if _, err := os.Stat("out-" + file + "/" + marker); err == nil {
					t.Errorf("%s: got results, want none", file)
				}
				before := jobFiles(t, "out-"+file)
				commandtest.Put(t, ".", map[string]string{file: first})
				if code, stderr = runChanged(t, file, first, line...); code != command.ExitGood {
					t.Errorf("%s, with the first content again: got exit code %d and %q, want success", file, code, stderr)
				}
				for job, written := range before {
					if now, has := jobFiles(t, "out-"+file)[job]; has && !now.Equal(written) {
						t.Errorf("%s: %s was done again", file, job)
					}
				}
			}
		})
	}
}

// Commands that read their inputs once do not notice that a file is replaced, and their results are
// those of the first content.
func TestInputsReadOnceChange(t *testing.T) {
	t.Chdir(t.TempDir())
	changes := putChanging(t)
	commandtest.Put(t, ".", map[string]string{"gate.yaml": "matches.count: {min: 1}\n"})
	hashes := func(dir string) map[string]bool {
		found := map[string]bool{}
		for run := range 4 * runtime.GOMAXPROCS(0) {
			s, err := outcome.ParseSummary([]byte(commandtest.Read(t, fmt.Sprintf("%s/runs/%d/summary.json", dir, run))))
			if err != nil {
				t.Fatal(err)
			}
			found[s.Run.DatasetSHA256] = true
		}
		return found
	}
	runs := fmt.Sprint(4 * runtime.GOMAXPROCS(0))
	first := commandtest.Read(t, "day.csv")
	for _, line := range [][]string{
		{"run", "--config", "base.yaml", "--runs", runs, "--out", "result"},
		{"compare", "base.yaml", "--set-b", "players.give_up_after=60s", "--runs", runs},
		{"check", "base.yaml", "--gate", "gate.yaml", "--runs", runs},
	} {
		if code, stderr := runChanged(t, "day.csv", changes["day.csv"], line...); code != command.ExitGood {
			t.Errorf("mmsim %s: got exit code %d and %q, want success", strings.Join(line, " "), code, stderr)
		}
		if err := os.WriteFile("day.csv", []byte(first), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if found := hashes("result"); len(found) != 1 {
		t.Errorf("got replications of the days %v, want those of one day", found)
	}
}
