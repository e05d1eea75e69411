package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"mmsim/reports"
)

// An interrupted run writes what it has, says so, and exits with 130; it never
// takes the place of a complete result.
func TestInterrupt(t *testing.T) {
	t.Chdir(t.TempDir())
	interruptedRun(t, "mmsim-out")
	var out, errs bytes.Buffer
	quick := []string{"run", "--quiet", "--set", "dataset.builtin.joins=500", "--duration", "1h"}
	if code := run(quick, nil, &out, &errs); code != exitGood {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	interruptedRun(t, "mmsim-out.partial")
	if !summaryOf(t, "mmsim-out").Complete {
		t.Error("the complete result is gone")
	}
	if left, err := filepath.Glob(".*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// interruptedRun starts a run of ten days, interrupts it when it simulates, and
// expects a partial result under a name.
func interruptedRun(t *testing.T, name string) {
	t.Helper()
	go func() {
		for { // the temporary directory appears when the signal is being watched
			if begun, _ := filepath.Glob(".mmsim-out.tmp-*"); len(begun) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
	}()
	var out, errs bytes.Buffer
	code := run([]string{"run", "--duration", "240h", "--set", "dataset.builtin.joins=200000",
		"--set", "output={plots: false, html: false}"}, nil, &out, &errs)
	if code != exitInterrupted {
		t.Fatalf("exit code %d, want %d: %s", code, exitInterrupted, errs.String())
	}
	if want := "interrupted: partial results in " + name + "\n"; errs.String() != want {
		t.Errorf("got %q, want %q", errs.String(), want)
	}
	if s := summaryOf(t, name); s.Complete || s.Run.Reached >= s.Run.Duration {
		t.Errorf("complete %v, reached %v of %v", s.Complete, s.Run.Reached, s.Run.Duration)
	}
}

type summary struct {
	Complete bool
	Run      struct {
		Reached  float64 `json:"reached_s"`
		Duration float64 `json:"duration_s"`
	}
}

func summaryOf(t *testing.T, dir string) (s summary) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, reports.SummaryFile))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}
