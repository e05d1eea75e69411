package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/search"
)

// A search that was interrupted leaves what it knows, and the same command goes on: no
// finished run is done again, and the results are those of one that was not interrupted.
func TestInterruptedSearchResumes(t *testing.T) {
	t.Chdir(t.TempDir())
	spec := "{config: base.yaml, settings: {states.ideal.rtt: {from: 20ms, to: 80ms}, match.size: {from: 2, to: 5}}, minimise: [rtt_ms.mean, wait_s.mean], budget: {runs: 30}}"
	if err := os.WriteFile("tune.yaml", []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	untilStopped(t, 12_000, "{dataset: {builtin: {joins: %d}}, clock: {duration: 2h}}", func() bool {
		code := stopAfter(t, 20, syscall.SIGINT, "tune", "tune.yaml", "--out", "stopped")
		if code != exitInterrupted && code != exitGood {
			t.Fatalf("exit code %d, want %d", code, exitInterrupted)
		}
		found, err := os.ReadFile(filepath.Join("stopped", search.TuneFile))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(found), `"complete": false`) // a late signal leaves nothing out
	}, "stopped")
	const want = "0,before,1,1,50ms,4,"
	if text, err := os.ReadFile(filepath.Join("stopped", search.TrialsFile)); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s: no %s in %s, %v", search.TrialsFile, want, text, err)
	}
	resume(t, "tune", "stopped", jobFiles(t, "stopped"), search.TrialsFile, search.TuneFile, search.BestFile, "front.svg")
}
