package faults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/outcome"
	"mmsim/reports/records"
)

// An interrupted run writes a partial result, says so, and exits with 130. It never replaces a
// complete result.
func TestInterrupt(t *testing.T) {
	t.Chdir(t.TempDir())
	interruptedRun(t, "mmsim-out")
	var out, errs bytes.Buffer
	quick := []string{"run", "--quiet", "--set", "dataset.builtin.joins=500", "--duration", "1h"}
	if code := command.Run(quick, nil, &out, &errs); code != command.ExitGood {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	interruptedRun(t, "mmsim-out.partial")
	if !summaryOf(t, "mmsim-out").Complete {
		t.Error("the earlier result is not complete any more, want it kept")
	}
	if left, err := filepath.Glob(".*"); err != nil || len(left) > 0 {
		t.Errorf("got hidden files %v (error %v), want none", left, err)
	}
}

// simulated matches a file that a run with records creates when its simulation begins.
const simulated = ".mmsim-out.tmp-*/new/" + records.CSVFile

// interruptedRun starts a run of ten days, interrupts it during the simulation, and checks
// that there is a partial result under the given name.
func interruptedRun(t *testing.T, name string) {
	t.Helper()
	ctx, over := context.WithCancel(t.Context())
	defer over()
	go interruptWhen(ctx, simulated, 0)
	var out, errs bytes.Buffer
	code := command.Run([]string{"run", "--duration", "240h", "--set", "dataset.builtin.joins=200000",
		"--set", "output={plots: false, html: false, records: csv}"}, nil, &out, &errs)
	if code != command.ExitInterrupted {
		t.Fatalf("got exit code %d, want %d: %s", code, command.ExitInterrupted, errs.String())
	}
	if want := "interrupted: partial results in " + name + "\n"; errs.String() != want {
		t.Errorf("got stderr %q, want %q", errs.String(), want)
	}
	if s := summaryOf(t, name); s.Complete || s.Run.Reached >= s.Run.Duration {
		t.Errorf("got complete %v and reached %v of %v s, want an incomplete result", s.Complete, s.Run.Reached, s.Run.Duration)
	}
}

// If an interrupted run has not reached a scene to capture, a message names the scene.
func TestInterruptedCapture(t *testing.T) {
	t.Chdir(t.TempDir())
	commandtest.Put(t, ".", map[string]string{"queue.json": pairsQueue})
	ctx, over := context.WithCancel(t.Context())
	defer over()
	go interruptWhen(ctx, simulated, 0)
	var out, errs bytes.Buffer
	code := command.Run([]string{"run", "--duration", "240h", "--set", "dataset.builtin.joins=200000", "--rules", "queue.json",
		"--placement", "pool", "--records", "csv", "--capture", "239:00:00=scene.json"}, nil, &out, &errs)
	want := "--capture 239:00:00: not reached\ninterrupted: partial results in mmsim-out\n"
	if code != command.ExitInterrupted || errs.String() != want {
		t.Errorf("got exit code %d and stderr %q, want %d and %q", code, errs.String(), command.ExitInterrupted, want)
	}
	if _, err := os.Stat("scene.json"); err == nil {
		t.Error("got scene.json, want no scene after the interruption")
	}
}

// A season that is interrupted has results by day of whole days only.
func TestInterruptedSeason(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, over := context.WithCancel(t.Context())
	defer over()
	go interruptWhen(ctx, simulated, 8<<20) // after more than a day, which has about 3 MB of records
	var out, errs bytes.Buffer
	code := command.Run([]string{"run", "--duration", "366d", "--set", "dataset.builtin.joins=10000", "--set", "match.size=2",
		"--set", "players.attributes={skill: {normal: {mean: 1500, sd: 300}}}", "--set", "season.skill=skill",
		"--set", "output={plots: false, html: false, records: csv}"}, nil, &out, &errs)
	if code != command.ExitInterrupted {
		t.Fatalf("got exit code %d, want %d: %s", code, command.ExitInterrupted, errs.String())
	}
	s, err := outcome.LoadSummary(os.DirFS("mmsim-out"))
	if err != nil {
		t.Fatal(err)
	}
	whole, visits := int(s.Run.Reached/86400), outcome.Count(0)
	if s.Complete || whole < 1 || whole > 365 || len(s.Season.ByDay) != whole {
		t.Errorf("got complete %v and %d days, reached %v s, want an incomplete result of whole days", s.Complete, len(s.Season.ByDay), s.Run.Reached)
	}
	for i, day := range s.Season.ByDay {
		visits += day.Visits
		if day.Visits < 9000 {
			t.Errorf("day %d: got %v visits, want those of a whole day", i, day.Visits)
		}
	}
	if p := s.Season.Persons; p.Start+p.New != p.Quit+p.End || visits > s.Season.Visits {
		t.Errorf("got %+v, %v visits in whole days and %v in total", p, visits, s.Season.Visits)
	}
}

// interruptWhen interrupts this process when a file appears that has at least so many bytes.
func interruptWhen(ctx context.Context, pattern string, size int64) {
	for ctx.Err() == nil {
		there, _ := filepath.Glob(pattern)
		if len(there) > 0 {
			if file, err := os.Stat(there[0]); err == nil && file.Size() >= size {
				_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
}

// A run that is interrupted while it writes its files completes them, because stopping would
// save no time.
func TestInterruptedWhileWriting(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, over := context.WithCancel(t.Context())
	defer over()
	late := make(chan os.Signal, 1) // a signal after the end of the run must not end the tests
	signal.Notify(late, os.Interrupt)
	defer signal.Stop(late)
	go interruptWhen(ctx, ".mmsim-out.tmp-*/new/"+outcome.SummaryFile, 0)
	var out, errs bytes.Buffer
	code := command.Run([]string{"run", "--duration", "1h", "--set", "dataset.builtin.joins=500"}, nil, &out, &errs)
	if want := "interrupted: complete results in mmsim-out\n"; code != command.ExitInterrupted || errs.String() != want {
		t.Errorf("got exit code %d and stderr %q, want %d and %q", code, errs.String(), command.ExitInterrupted, want)
	}
	if !summaryOf(t, "mmsim-out").Complete {
		t.Error("got an incomplete result, want a complete one, because the run had ended")
	}
	if _, err := os.Stat(filepath.Join("mmsim-out", results.PageFile)); err != nil {
		t.Error(err)
	}
}

// An interrupted command that writes a single file leaves no file.
func TestInterruptedFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		joins, code := 500_000, command.ExitGood
		for ; code == command.ExitGood; joins *= 4 {
			if joins > 50_000_000 {
				t.Fatalf("%v: the command was over before it was stopped, with %d joins too", signal, joins/4)
			}
			_ = os.Remove("day.csv.gz") // there is one if the command was over too soon
			code = stoppedFile(t, joins, signal)
		}
		if code != command.ExitInterrupted {
			t.Errorf("%v: got exit code %d, want %d", signal, code, command.ExitInterrupted)
		}
		if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
			t.Errorf("%v: got files %v (error %v), want none", signal, left, err)
		}
	}
}

// stoppedFile starts a command that writes day.csv.gz, sends it a signal as soon as it writes, and
// returns its exit code.
func stoppedFile(t *testing.T, joins int, signal os.Signal) int {
	t.Helper()
	c := exec.Command("mmsim", "dataset", "gen", "--joins", fmt.Sprint(joins), "--out", "day.csv.gz")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		_ = c.Wait() // the exit code is checked by the caller
		ended.Store(true)
	})
	for begun := false; !begun && !ended.Load(); {
		time.Sleep(time.Millisecond)
		there, err := filepath.Glob(".day.csv.gz.tmp-*/new")
		begun = err == nil && len(there) > 0
	}
	_ = c.Process.Signal(signal) // it may have ended already
	group.Wait()
	return c.ProcessState.ExitCode()
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
	text, err := os.ReadFile(filepath.Join(dir, outcome.SummaryFile))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}
