package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mmsim/cmd/mmsim/search"
)

// A search that was interrupted leaves what it knows, and the same command goes on: no
// finished run is done again, and the results are those of one that was not interrupted.
func TestInterruptedSearchResumes(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"tune.yaml": "{config: base.yaml, settings: {states.ideal.rtt: {from: 20ms, to: 80ms}, match.size: {from: 2, to: 5}}, minimise: [rtt_ms.mean, wait_s.mean], budget: {runs: 30}}",
		"base.yaml": "{dataset: {builtin: {joins: 12000}}, clock: {duration: 2h}}",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("mmsim", "tune", "tune.yaml", "--out", "stopped")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); len(jobFiles(t, "stopped")) < 20 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	_ = c.Process.Signal(syscall.SIGINT)
	if c.Wait() == nil {
		t.Skip("the search was over before it was interrupted")
	}
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Fatalf("exit code %d, want %d", code, exitInterrupted)
	}
	for name, want := range map[string]string{search.TuneFile: `"complete": false`, search.TrialsFile: "0,before,1,1,50ms,4,"} {
		if text, err := os.ReadFile(filepath.Join("stopped", name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: no %s in %s, %v", name, want, text, err)
		}
	}
	resume(t, "tune", "stopped", jobFiles(t, "stopped"), search.TrialsFile, search.TuneFile, search.BestFile, "front.svg")
}
