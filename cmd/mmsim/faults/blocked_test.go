package faults_test

import (
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

// interruptions are the signals that interrupt a command. If the tests were started with nohup, the
// end of the terminal interrupts nothing.
var interruptions = func() []syscall.Signal {
	list := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}()

// guard is the time after which a command that was interrupted counts as hanging. It is not a bar:
// a command ends within milliseconds, or never.
const guard = time.Minute

// A blockingCall is a call in which a command waits for something outside of it.
type blockingCall struct {
	name     string
	commands []string // names in blockedCommands; all of them that simulate if empty
	args     []string // lead the command to the call

	// reached returns when the command is in the call. It runs in a goroutine of its own, and may
	// hang if the command ends too early.
	reached func(t *testing.T, b *blocked)
}

// simulating are the commands that simulate. Each writes to out.
var simulating = []string{"run", "compare", "check", "sweep", "tune"}

// blockedCommands are the arguments of the commands, and what an interrupted command says.
var blockedCommands = map[string]struct {
	args []string
	says string
}{
	"run":     {[]string{"run", "--config", "base.yaml", "--quiet", "--out", "out"}, nothingSimulated},
	"compare": {[]string{"compare", "base.yaml", "--set-b", "match.size=3", "--runs", "2", "--quiet", "--out", "out"}, nothingSimulated},
	"check":   {[]string{"check", "base.yaml", "--gate", "gate.yaml", "--quiet", "--out", "out"}, nothingSimulated},
	"sweep":   {[]string{"sweep", "sweep.yaml", "--quiet", "--out", "out"}, nothingSimulated},
	"tune":    {[]string{"tune", "tune.yaml", "--quiet", "--out", "out"}, nothingSimulated},

	"run a file":          {[]string{"run", "--quiet", "--out", "out", "--config"}, nothingSimulated},
	"compare files":       {[]string{"compare", "base.yaml"}, nothingSimulated},
	"check a file":        {[]string{"check", "--gate", "gate.yaml"}, nothingSimulated},
	"check with a gate":   {[]string{"check", "base.yaml", "--gate"}, nothingSimulated},
	"sweep a file":        {[]string{"sweep", "--out", "out"}, nothingSimulated},
	"sweep another file":  {[]string{"sweep", "sweep.yaml", "--out", "out", "--config"}, nothingSimulated},
	"tune a file":         {[]string{"tune", "--out", "out"}, nothingSimulated},
	"record":              {[]string{"matcher", "record", "recorded.jsonl", "--config", "base.yaml", "--out", "out"}, nothingSimulated},
	"validate":            {[]string{"validate"}, "interrupted"},
	"match":               {[]string{"match"}, "interrupted"},
	"match a case":        {[]string{"match", "case.json"}, "interrupted"},
	"test":                {[]string{"test"}, "interrupted"},
	"test a case":         {[]string{"test", "case.json", "--junit", "junit.xml"}, "interrupted: junit.xml was not written"},
	"test new":            {[]string{"test", "new"}, "interrupted"},
	"dataset info":        {[]string{"dataset", "info"}, "interrupted"},
	"dataset convert":     {[]string{"dataset", "convert", "--force", "pipe", "day.csv"}, "interrupted: day.csv is unchanged"},
	"dataset gen":         {[]string{"dataset", "gen", "--out", "new.csv"}, "interrupted: new.csv was not written"},
	"dataset gen to pipe": {[]string{"dataset", "gen", "--joins", "100000"}, "interrupted: the output is not complete"},
	"latency build":       {[]string{"latency", "build", "--out", "out"}, "interrupted: out was not written"},
	"latency convert":     {[]string{"latency", "convert", "pipe.bin", "map.png"}, "interrupted: map.png was not written"},
	"latency lookup":      {[]string{"latency", "lookup", "frankfurt", "1", "2"}, "interrupted"},
	"latency render":      {[]string{"latency", "render", "--out", "map.png"}, "interrupted: map.png was not written"},
}

const nothingSimulated = "interrupted: nothing was simulated, and no result was changed"

var blockingCalls = []blockingCall{
	{"a dataset", nil, []string{"--dataset", "pipe"}, reading},
	{"joins on standard input", nil, []string{"--dataset", "-"}, readingStdin},
	{"a ruleset", nil, []string{"--rules", "pipe"}, reading},
	{"a list of datacenters", slices.Concat(simulating, []string{"latency lookup", "latency render"}), []string{"--datacenters", "pipe"}, reading},
	{"a database of addresses", nil, []string{"--dataset", "day.csv", "--set", "dataset.geoip=pipe"}, reading},
	{"weights of countries", slices.Concat(simulating, []string{"dataset gen"}), []string{"--set", "dataset.builtin.countries=pipe"}, reading},
	{"a module", nil, []string{"--matcher", "wasm:pipe"}, reading},
	{"an endless module", nil, []string{"--matcher", "wasm:pipe"}, readingZeros},
	{"a recording", nil, []string{"--matcher", "replay:pipe"}, reading},
	{"profiles", nil, []string{"--matcher", "openmatch2:127.0.0.1:1", "--profiles", "pipe"}, reading},
	{"a program's hello", slices.Concat(simulating, []string{"record", "match a case", "test a case"}), []string{"--matcher", "exec:./silent.sh"}, started},
	{"a service's hello", nil, []string{"--matcher", "openmatch2:ADDRESS", "--profiles", "profiles.json"}, asked},
	{"a configuration", []string{"run a file", "check a file", "sweep another file"}, []string{"pipe"}, reading},
	{"a second configuration", []string{"compare files"}, []string{"pipe"}, reading},
	{"a gate", []string{"check with a gate"}, []string{"pipe"}, reading},
	{"the file of a sweep or tuning", []string{"sweep a file", "tune a file"}, []string{"pipe"}, reading},
	{"a file to check", []string{"validate", "test new"}, []string{"pipe"}, reading},
	{"a case", []string{"match", "test"}, []string{"pipe.json"}, reading},
	{"a day", []string{"dataset info"}, []string{"pipe"}, reading},
	{"a day to convert", []string{"dataset convert"}, nil, reading},
	{"samples", []string{"latency build"}, []string{"pipe"}, reading},
	{"a map", []string{"latency convert"}, nil, reading},
	{"a full pipe", []string{"dataset gen to pipe"}, nil, writing},
}

// A command ends with exit code 130 when it is interrupted in any blocking call, whichever the
// signal. It says so, does not change an earlier result, and leaves no temporary files.
func TestInterruptedInEveryBlockingCall(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	putBlocked(t)
	results := map[string]string{} // folder with the earlier result of each command that simulates
	for _, name := range simulating {
		mustExit(t, command.ExitGood, blockedCommands[name].args...)
		results[name] = t.TempDir()
		copyFolder(t, "out", results[name])
		if err := os.RemoveAll("out"); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, call := range blockingCalls {
		commands := call.commands
		if len(commands) == 0 {
			commands = simulating
		}
		for _, name := range commands {
			n++
			if testing.Short() && n%4 != 0 { // with the race detector, starting mmsim takes a second
				continue
			}
			signal := interruptions[n%len(interruptions)]
			t.Run(fmt.Sprintf("%s/%s/%v", call.name, name, signal), func(t *testing.T) {
				t.Chdir(t.TempDir())
				putBlocked(t)
				if result := results[name]; result != "" {
					copyFolder(t, result, "out")
				}
				before := filesBelow(t, ".")
				b := newBlocked(t, blockedCommands[name].args, call.args)
				b.interrupt(t, signal, func() { call.reached(t, b) })
				if want := blockedCommands[name].says + "\n"; b.code != command.ExitInterrupted || b.errs.String() != want {
					t.Errorf("got exit code %d and stderr %q, want %d and %q", b.code, b.errs.String(), command.ExitInterrupted, want)
				}
				b.leftNothing(t, before)
			})
		}
	}
}

// putBlocked writes the files and pipes that the commands read.
func putBlocked(t *testing.T) {
	t.Helper()
	commandtest.Put(t, ".", map[string]string{
		"base.yaml":     "{dataset: {builtin: {preset: eu, joins: 2000}}, clock: {warmup: 1m, duration: 2m}, output: {plots: false, html: false}}",
		"sweep.yaml":    "{config: base.yaml, runs: 2, settings: {match.size: [2, 3]}, metrics: [wait_s.p95]}",
		"tune.yaml":     "{config: base.yaml, settings: {match.size: {from: 2, to: 5}}, minimise: wait_s.mean, halve: none, start: 4, budget: {runs: 6}}",
		"gate.yaml":     "{matches.count: {min: 0}}",
		"day.csv":       "time,latitude,longitude\n00:00:01,50.1,8.7\n00:00:02,48.9,2.3\n",
		"profiles.json": `{"profiles": [{"name": "all", "pools": {"all": {}}}]}`,
		"case.json":     `{"name": "two players", "dialect": "playfab", "at": 1, "rules": ` + pairsQueue + `, "tickets": [{"id": "a", "created_at": 0, "players": [{"id": "a"}]}, {"id": "b", "created_at": 0, "players": [{"id": "b"}]}], "expect": {}}`,
		// started appears when the matchmaker was asked. silent.sh does not answer the hello message,
		// and slow.sh does not answer the first pass.
		"silent.sh": "#!/bin/sh\nread hello\ntouch started\nexec sleep 3600\n",
		"slow.sh":   "#!/bin/sh\nread hello\necho '{\"hello\":1,\"name\":\"slow\",\"version\":\"1\"}'\nread pass\ncase $pass in *bye*) exit;; esac\ntouch started\nexec sleep 3600\n",
	})
	for _, program := range []string{"silent.sh", "slow.sh"} {
		if err := os.Chmod(program, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe.bin", "pipe.json"} { // some commands require an extension
		if err := os.Symlink("pipe", name); err != nil {
			t.Fatal(err)
		}
	}
}

// blocked is a command that is interrupted in a blocking call.
type blocked struct {
	process *exec.Cmd
	temp    string   // folder for temporary files
	stdin   *os.File // the writing end
	stdout  *os.File // the reading end
	errs    output
	service net.Listener
	code    int
}

// newBlocked prepares a command. ADDRESS in its arguments stands for the address of a service that
// accepts connections and says nothing.
func newBlocked(t *testing.T, args ...[]string) *blocked {
	t.Helper()
	b := &blocked{temp: t.TempDir()}
	var err error
	if b.service, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	words := slices.Concat(args...)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "ADDRESS", b.service.Addr().String())
	}
	b.process = exec.Command("mmsim", words...)
	b.process.Env = append(os.Environ(), "TMPDIR="+b.temp)
	b.process.Stderr = &b.errs
	in, stdin, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	b.process.Stdin, b.stdin, b.process.Stdout, b.stdout = in, stdin, out, stdout
	t.Cleanup(func() {
		for _, c := range []io.Closer{b.service, in, stdin, out, stdout} {
			_ = c.Close() // it is closed already, or nobody needs it any more
		}
	})
	return b
}

// interrupt starts the command and sends it signals, one after another, when reached returns.
func (b *blocked) interrupt(t *testing.T, signal syscall.Signal, reached func()) {
	t.Helper()
	if err := b.process.Start(); err != nil {
		t.Fatal(err)
	}
	there, ended := make(chan struct{}), make(chan struct{})
	go func() {
		reached()
		close(there)
	}()
	go func() {
		_ = b.process.Wait() // the exit code is checked by the caller
		close(ended)
	}()
	select {
	case <-there:
	case <-ended:
		t.Fatalf("the command ended before the blocking call, with exit code %d: %s", b.process.ProcessState.ExitCode(), b.errs.String())
	case <-time.After(guard):
		_ = b.process.Process.Kill()
		<-ended
		t.Fatalf("the command did not reach the blocking call: %s", b.errs.String())
	}
	_ = b.process.Process.Signal(signal) // it may have ended
	select {
	case <-ended:
	case <-time.After(guard):
		_ = b.process.Process.Kill()
		<-ended
		t.Errorf("the command did not end after %v", signal)
	}
	b.code = b.process.ProcessState.ExitCode()
}

// leftNothing checks that the files of before are unchanged, and that the command left no temporary
// files.
func (b *blocked) leftNothing(t *testing.T, before map[string]string) {
	t.Helper()
	after := filesBelow(t, ".")
	for name, content := range before {
		if got, is := after[name]; !is || got != content {
			t.Errorf("%s was changed or removed, want it unchanged", name)
		}
	}
	for name := range after {
		if _, was := before[name]; !was && (strings.Contains(name, "tmp-") || name == "new.csv") {
			t.Errorf("got the new file %s, want none", name)
		}
	}
	if left := namesIn(t, b.temp); len(left) > 0 {
		t.Errorf("got temporary files %v, want none", left)
	}
}

// reading waits until the command has opened the pipe. The command then waits for data in it.
func reading(t *testing.T, _ *blocked) { openPipe(t) }

// openPipe opens the writing end of the pipe, which waits until the command opens the other one. The
// end of the test closes it.
func openPipe(t *testing.T) *os.File {
	f, err := os.OpenFile("pipe", os.O_WRONLY, 0)
	if err != nil {
		t.Error(err)
		return nil
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// pipeBytes is more than a pipe holds.
const pipeBytes = 1 << 20

// readingZeros waits until the command reads zeros, which do not end.
func readingZeros(t *testing.T, _ *blocked) {
	f := openPipe(t)
	zeros := make([]byte, pipeBytes)
	_, _ = f.Write(zeros)
	go func() {
		for err := error(nil); err == nil; {
			_, err = f.Write(zeros)
		}
	}()
}

// readingStdin waits until the command reads standard input.
func readingStdin(_ *testing.T, b *blocked) { _, _ = b.stdin.Write(make([]byte, pipeBytes)) }

// writing waits until the command writes to standard output, which nobody reads any further.
func writing(_ *testing.T, b *blocked) { _, _ = b.stdout.Read(make([]byte, 1)) }

// asked waits until the command has connected to the service.
func asked(t *testing.T, b *blocked) {
	c, err := b.service.Accept()
	if err != nil {
		return // the command has ended
	}
	t.Cleanup(func() { _ = c.Close() })
}

// started waits until a program that the command starts has been asked.
func started(*testing.T, *blocked) {
	for {
		if _, err := os.Stat("started"); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Each signal interrupts a simulation. The commands keep what they have, and say what that is.
func TestEverySignalInterruptsASimulation(t *testing.T) {
	for name, says := range map[string]string{
		"run":     "interrupted: partial results in out\n",
		"compare": "interrupted: no pair was finished, and no result was changed\n",
		"sweep":   "interrupted: 0 of 4 jobs are done, the same command continues\n",
		"tune":    "interrupted: 0 trials so far, the same command continues\n",
	} {
		for _, signal := range interruptions {
			t.Run(fmt.Sprintf("%s/%v", name, signal), func(t *testing.T) {
				t.Chdir(t.TempDir())
				putBlocked(t)
				before := filesBelow(t, ".")
				b := newBlocked(t, blockedCommands[name].args, []string{"--matcher", "exec:./slow.sh"})
				b.interrupt(t, signal, func() { started(t, b) })
				if b.code != command.ExitInterrupted || b.errs.String() != says {
					t.Errorf("got exit code %d and stderr %q, want %d and %q", b.code, b.errs.String(), command.ExitInterrupted, says)
				}
				if name == "run" && summaryOf(t, "out").Complete {
					t.Error("got a complete result, want a partial one")
				}
				b.leftNothing(t, before)
			})
		}
	}
}

// A command may also be interrupted while it computes for long, or waits for workers.
func TestInterruptedWhileBusy(t *testing.T) {
	exists := func(pattern string) func(*blocked) bool {
		return func(*blocked) bool {
			there, _ := filepath.Glob(pattern)
			return len(there) > 0
		}
	}
	day := []string{"--set", "dataset.builtin.joins=20000000"} // generating this day takes some seconds
	workers := []string{"--serve", "127.0.0.1:0"}
	invited := func(b *blocked) bool { return strings.Contains(b.errs.String(), "mmsim worker") }
	for _, c := range []struct {
		name  string
		args  []string
		begun func(*blocked) bool
		says  string // the end of standard error
	}{
		{"run", day, exists(".out.tmp-*/new"), nothingSimulated},
		{"sweep", day, exists("out/jobs"), "interrupted: 0 of 4 jobs are done, the same command continues"},
		{"tune", day, exists("out/jobs"), "interrupted: 0 trials so far, the same command continues"},
		{"run", slices.Concat(workers, []string{"--runs", "2"}), invited, "interrupted: no replication began, and no result was changed"},
		{"compare", workers, invited, "interrupted: no pair was finished, and no result was changed"},
		{"check", workers, invited, "interrupted: nothing was checked, and no result was changed"},
		{"sweep", workers, invited, "interrupted: 0 of 4 jobs are done, the same command continues"},
		{"tune", workers, invited, "interrupted: 0 trials so far, the same command continues"},
	} {
		t.Run(c.name+" "+c.args[0], func(t *testing.T) {
			t.Chdir(t.TempDir())
			putBlocked(t)
			before := filesBelow(t, ".")
			b := newBlocked(t, blockedCommands[c.name].args, c.args)
			b.interrupt(t, syscall.SIGINT, func() {
				for !c.begun(b) {
					time.Sleep(time.Millisecond)
				}
			})
			if b.code != command.ExitInterrupted || !strings.HasSuffix(b.errs.String(), c.says+"\n") {
				t.Errorf("got exit code %d and stderr %q, want %d and %q at the end", b.code, b.errs.String(), command.ExitInterrupted, c.says)
			}
			b.leftNothing(t, before)
		})
	}
}

// A sweep may be interrupted while it is planned.
func TestInterruptedWhilePlanning(t *testing.T) {
	t.Chdir(t.TempDir())
	putBlocked(t)
	before := filesBelow(t, ".")
	b := newBlocked(t, []string{"sweep", "pipe", "--out", "out"})
	b.interrupt(t, syscall.SIGINT, func() {
		f := openPipe(t)
		_, _ = io.WriteString(f, "{config: base.yaml, runs: 1, settings: {match.size: {from: 2, to: 11, step: 1}, states.ideal.for: {from: 1s, to: 10s, step: 1s}, "+
			"states.expand.for: {from: 1s, to: 10s, step: 1s}, players.between_matches: {from: 1s, to: 10s, step: 1s}}}")
		_ = f.Close() // from now on, the sweep is planned, which takes some seconds
	})
	if b.code != command.ExitInterrupted || !strings.HasPrefix(b.errs.String(), "interrupted: ") {
		t.Errorf("got exit code %d and stderr %q, want %d and an interruption", b.code, b.errs.String(), command.ExitInterrupted)
	}
	b.leftNothing(t, before)
}

// The end of the terminal does not interrupt a command that nohup started.
func TestNohup(t *testing.T) {
	if _, err := exec.LookPath("nohup"); err != nil {
		t.Skip("skipped: there is no nohup")
	}
	t.Chdir(t.TempDir())
	putBlocked(t)
	b := newBlocked(t, []string{"run", "--quiet", "--out", "out", "--config", "pipe"})
	b.process.Path, _ = exec.LookPath("nohup")
	b.process.Args = append([]string{"nohup"}, b.process.Args...)
	if err := b.process.Start(); err != nil {
		t.Fatal(err)
	}
	f := openPipe(t)
	_ = b.process.Process.Signal(syscall.SIGHUP)
	if _, err := io.WriteString(f, commandtest.Read(t, "base.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.process.Wait(); err != nil {
		t.Fatalf("%v: %s", err, b.errs.String())
	}
	if !summaryOf(t, "out").Complete {
		t.Error("got an incomplete result, want a complete one")
	}
}

// A second signal ends a command that writes its partial results, and removes its temporary files.
func TestSecondSignal(t *testing.T) {
	t.Chdir(t.TempDir())
	putBlocked(t)
	commandtest.Put(t, ".", map[string]string{"queue.json": pairsQueue})
	b := newBlocked(t, blockedCommands["run"].args, []string{"--rules", "queue.json", "--capture", "00:00:01=pipe"})
	b.interrupt(t, syscall.SIGINT, func() { // the result is there, and the command waits for a reader of the pipe
		for written, busy := false, true; !written || busy; time.Sleep(time.Millisecond) {
			_, err := os.Stat("out/summary.json")
			left, _ := filepath.Glob(".out.tmp-*")
			written, busy = err == nil, len(left) > 0
		}
		_ = b.process.Process.Signal(syscall.SIGTERM)
	})
	if b.code != command.ExitInterrupted {
		t.Errorf("got exit code %d, want %d: %s", b.code, command.ExitInterrupted, b.errs.String())
	}
	if left := slices.DeleteFunc(slices.Collect(maps.Keys(filesBelow(t, "."))), func(name string) bool { return !strings.Contains(name, "tmp-") }); len(left) > 0 {
		t.Errorf("got temporary files %v, want none", left)
	}
}
