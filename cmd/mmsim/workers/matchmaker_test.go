package workers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/outcome"
)

// The test binary is also a matchmaker. "first VERSION" matches the tickets that have waited
// longest. "faulty FAULT" has a fault in its third pass.
const asMatchmaker = "as-matchmaker"

func serveMatchmaker(args []string) {
	switch args[0] {
	case "first":
		commandtest.Serve("first", args[1], &commandtest.First{})
	case "faulty":
		os.Args = args
		commandtest.Faulty()
	}
}

// program writes a matchmaker program with a version to a folder.
func program(t *testing.T, folder, version string) {
	t.Helper()
	text := fmt.Sprintf("#!/bin/sh\nexec '%s' %s first '%s'\n", os.Args[0], asMatchmaker, version)
	writeProgram(t, filepath.Join(folder, "program"), []byte(text))
}

// asking returns a short day for which the program in a folder makes the matches.
func asking(t *testing.T, folder string) *config.Config {
	t.Helper()
	return small(t, "matcher.external=exec:./program", "matcher.folder="+folder)
}

// notes waits until a coordinator has printed a worker's note.
func notes(t *testing.T, p *Coordinator, worker fmt.Stringer, text string) {
	t.Helper()
	var output string
	until(t, "a note", func() bool {
		name, _, _ := strings.Cut(worker.String(), " ")
		output = p.Err.(*log).String()
		return strings.Contains(output, "worker "+name+": ") && strings.Contains(output, text)
	})
	if n := strings.Count(output, text); n != 1 {
		t.Errorf("got the message %d times, want once: %s", n, output)
	}
}

// Only workers with --allow-exec start a program. They start a program whose folder is too large to be
// sent in their own working directory. A worker without the flag, without the program, or with another version leaves the jobs to other workers, and the
// coordinator prints the reason.
func TestPrograms(t *testing.T) {
	t.Parallel()
	here, there, other := t.TempDir(), t.TempDir(), t.TempDir()
	program(t, here, "1")
	program(t, there, "1")
	program(t, other, "2")
	write(t, filepath.Join(here, "large"), strings.Repeat("x", results.ProgramBytesMax))
	c := asking(t, here)
	want, err := simulate(t, t.Context(), nil, 3, c)
	if err != nil {
		t.Fatal(err)
	}
	p, url := open(t, Options{quiet: time.Hour})
	type found struct {
		kept []string
		err  error
	}
	end := make(chan found)
	go func() {
		kept, err := simulate(t, t.Context(), p, 3, c)
		end <- found{kept, err}
	}()
	for _, unable := range []struct{ folder, env, why string }{
		{there, "", "a job starts a program or asks a service (matcher.external); start the worker with --allow-exec"},
		{t.TempDir(), allowExec + "=1", "./program: cannot be started: "},
		{other, allowExec + "=1", `the matchmaker differs from the coordinator's: here it is "first 2"`},
	} {
		w := startIn(t, unable.folder, url, unable.env)
		notes(t, p, &w.log, unable.why)
		_ = w.Process.Signal(os.Interrupt) // so that it does not use up the deliveries of the jobs
		_ = w.Wait()
	}
	if s := strings.Join(p.roster.progress(), " "); strings.Contains(s, "1 done") {
		t.Errorf("got workers %s, want no job done", s)
	}
	startIn(t, there, url, allowExec+"=1")
	got := <-end
	if got.err != nil || strings.Join(got.kept, "") != strings.Join(want, "") {
		t.Errorf("got error %v and outcomes of the workers\n%.2000q\nwant\n%.2000q", got.err, got.kept, want)
	}
}

// A matchmaker that fails ends the command with its error, and the part that was simulated is
// kept. If the matchmaker is a program, the error names the worker, because another machine
// may have a different program.
func TestMatchmakerFault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recording := filepath.Join(dir, "recording.jsonl")
	write(t, recording, "no recording")
	p, url := open(t, Options{})
	w := worker1(url)
	w.AllowExec = true
	within(t, w)
	for _, matcher := range []string{"exec:" + os.Args[0] + " " + asMatchmaker + " faulty dies", "replay:" + recording} {
		c := small(t, "matcher.external="+matcher)
		partial := func(e experiment.Executor) (string, error) {
			var found *outcome.Summary
			err := (&experiment.Experiment{Arms: []experiment.Arm{{Config: c}}, Runs: []uint64{0}}).Run(t.Context(), experiment.Options{
				Executor: e, Keep: func(o experiment.Outcome) error { found = &o.Result.Summary; return nil }})
			if found == nil {
				return "", err
			}
			return textOf(t, found), err
		}
		wantText, want := partial(nil)
		text, err := partial(p)
		name, _, _ := strings.Cut(w.Err.(*log).String(), " ")
		message := want.Error()
		if strings.HasPrefix(matcher, "exec:") {
			message = "worker " + name + ": " + message
			if wantText == "" {
				t.Error("got no simulated pass, want some")
			}
		}
		if err == nil || err.Error() != message || !input.IsBad(err) || !errors.As(err, new(*binding.MatchmakerError)) {
			t.Errorf("got error %v, want bad input of the matchmaker: %s", err, message)
		}
		if text != wantText {
			t.Errorf("%s: got messages\n%.500s\nwant\n%.500s", matcher, text, wantText)
		}
	}
	if output := w.Err.(*log).String(); !strings.Contains(output, `out of \u001b[31mideas`) {
		t.Errorf("got worker output %s, want the program's text, escaped", output)
	}
}

// If a matchmaker has no version, its results are not reused by another start of the command.
// If it has one, they are.
func TestReuseNeedsAVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"", "1"} {
		dir := t.TempDir()
		program(t, dir, version)
		in, err := experiment.Load(asking(t, dir), experiment.NewCache(1))
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for range 2 {
			p, _ := open(t, Options{})
			for range 2 {
				j, err := p.describe(in, 0)
				if err != nil {
					t.Fatal(err)
				}
				id, text, err := j.encode()
				if err != nil {
					t.Fatal(err)
				}
				names[id] = true
				if strings.Contains(string(text), dir) {
					t.Errorf("the job contains a folder of this machine: %s", text)
				}
			}
		}
		if want := map[string]int{"": 2, "1": 1}[version]; len(names) != want {
			t.Errorf("version %q: got %d names for one job in two starts, want %d", version, len(names), want)
		}
	}
}

// No worker does a job that starts a program without declaring it.
func TestHiddenProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, url := open(t, Options{})
	w := worker1(url)
	w.AllowExec = true
	within(t, w)
	j := job{Config: fmt.Sprintf("{matcher: {external: 'exec:touch %s'}}", filepath.Join(dir, "started"))}
	id, text, err := j.encode()
	if err == nil {
		_, err = p.hub.Publish(t.Context(), j.kind(), id, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	until(t, "a result", func() bool { return recordOf(t, p, id) != nil })
	if r := recordOf(t, p, id); !strings.Contains(r.Error, "without declaring it") {
		t.Errorf("got result %+v, want the error that the program was not declared", r)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("got files %v (error %v), want none, because no program may be started", entries, err)
	}
}
