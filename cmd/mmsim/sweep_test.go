package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mmsim/cmd/mmsim/experiment"
)

// A killed sweep goes on where it was: no finished job is lost or done again, and the
// results are those of one that was not killed.
func TestKilledSweepResumes(t *testing.T) {
	t.Chdir(t.TempDir())
	spec := `{runs: 4, settings: {match.size: [2, 3, 4]}, metrics: [wait_s.p95], config: base.yaml}`
	for name, text := range map[string]string{"sweep.yaml": spec, "base.yaml": "{dataset: {builtin: {joins: 20000}}, clock: {duration: 4h}}"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("mmsim", "sweep", "sweep.yaml", "--out", "killed", "--quiet")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); len(jobFiles(t, "killed")) < 3 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	_ = c.Process.Signal(syscall.SIGKILL)
	_ = c.Wait() // it was killed
	before := jobFiles(t, "killed")
	if len(before) == 12 {
		t.Skip("the sweep was over before it was killed")
	}
	resume(t, "sweep", "killed", before, "results.csv", "sweep.json", "curves.svg")
	if n := len(jobFiles(t, "killed")); n != 12 {
		t.Errorf("%d jobs, want 12", n)
	}
}

// resume finishes what a command left in a folder, and checks that no finished job is
// done again and that some files are those of a run without a break.
func resume(t *testing.T, command, stopped string, before map[string]time.Time, files ...string) {
	t.Helper()
	for _, dir := range []string{stopped, "whole"} {
		var out, errs strings.Builder
		if code := run([]string{command, command + ".yaml", "--out", dir}, nil, &out, &errs); code != exitGood {
			t.Fatalf("%s: exit code %d: %s", dir, code, errs.String())
		}
	}
	after := jobFiles(t, stopped)
	for name, written := range before {
		if !after[name].Equal(written) {
			t.Errorf("%s was done again", name)
		}
	}
	for _, name := range files {
		one, err := os.ReadFile(filepath.Join(stopped, name))
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(filepath.Join("whole", name))
		if err != nil || !slices.Equal(one, other) {
			t.Errorf("%s differs, %v", name, err)
		}
	}
}

// jobFiles lists the finished jobs of a folder and when they were written.
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
