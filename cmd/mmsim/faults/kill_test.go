package faults_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/tuning"
	"mmsim/reports/outcome"
)

// target is a command to kill while it writes to the folder out.
type target struct {
	name   string
	args   []string
	before []string // arguments of a command that writes other results to out first
	marker string   // file that shows that out has a result
	jobs   bool     // whether out has finished jobs, which the command does not repeat
}

var targets = []target{
	{"run", []string{"run", "--config", "base.yaml", "--seed", "2"}, []string{"run", "--config", "base.yaml"}, outcome.SummaryFile, false},
	{"run --runs", []string{"run", "--config", "base.yaml", "--seed", "2", "--runs", "4"}, []string{"run", "--config", "base.yaml", "--runs", "4"}, outcome.SummaryFile, false},
	{"compare", []string{"compare", "base.yaml", "--set-b", "match.size=3", "--runs", "3"},
		[]string{"compare", "base.yaml", "--set-b", "match.size=5", "--runs", "3"}, results.ComparisonFile, false},
	{"compare with events", []string{"compare", "base.yaml", "--set-b", "events=events.yaml", "--runs", "3"},
		[]string{"compare", "base.yaml", "--set-b", "match.size=5", "--runs", "3"}, results.ComparisonFile, false},
	{"run --runs with events", []string{"run", "--config", "base.yaml", "--events", "events.yaml", "--runs", "4"},
		[]string{"run", "--config", "base.yaml", "--runs", "4"}, outcome.SummaryFile, false},
	{"sweep", []string{"sweep", "sweep.yaml"}, []string{"sweep", "smaller-sweep.yaml"}, search.PlanFile, true},
	{"tune", []string{"tune", "tune.yaml"}, []string{"tune", "smaller-tune.yaml"}, tuning.File, true},
}

// toOut is appended to the arguments of every command.
var toOut = []string{"--out", "out", "--quiet"}

// putTargets writes the files that the targets read. Warm-ups are as long as measured windows.
func putTargets(t *testing.T) {
	t.Helper()
	sweep := "{config: base.yaml, runs: %d, settings: {match.size: [2, 3, 4]}, metrics: [wait_s.p95, rtt_ms.mean]}"
	tune := "{config: base.yaml, settings: {states.ideal.rtt: {from: 20ms, to: 80ms}, match.size: {from: 2, to: 5}}, minimise: [rtt_ms.mean, wait_s.mean], budget: {runs: %d}}"
	commandtest.Put(t, ".", map[string]string{
		"base.yaml":          "{dataset: {builtin: {preset: eu, joins: 200000}}, clock: {warmup: 2h, duration: 2h}, output: {records: csv}}",
		"events.yaml":        `events: [{at: "00:30", for: 20m, outage: [frankfurt], running: kill}, {at: "01:10", for: 10m, maintenance: true, back: 60%, within: 5m}]`,
		"sweep.yaml":         fmt.Sprintf(sweep, 4),
		"smaller-sweep.yaml": fmt.Sprintf(sweep, 1),
		"tune.yaml":          fmt.Sprintf(tune, 24),
		"smaller-tune.yaml":  fmt.Sprintf(tune, 16),
	})
}

// TestKills kills commands at random times, with SIGINT or SIGKILL. It does so once or several
// times in a row, in empty folders and in folders with earlier results. After every kill,
// everything that had finished is there and unchanged, and a folder with the marker of a
// result is whole. The next run of the command completes the work. The folder then equals,
// byte for byte, the folder of the same command without kills, and has no other files.
//
//	MMSIM_KILLS=60 go test ./cmd/mmsim/faults -run TestKills -v -timeout 1h
//
// MMSIM_KILLS_SEED repeats the choice of commands, signals and delays.
func TestKills(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("MMSIM_KILLS"))
	if err != nil {
		t.Skip("skipped: set MMSIM_KILLS, for example to 60, to kill that many commands at random instants")
	}
	seed, err := strconv.ParseUint(os.Getenv("MMSIM_KILLS_SEED"), 10, 64)
	if err != nil {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("MMSIM_KILLS=%d MMSIM_KILLS_SEED=%d", kills, seed)
	h := &killHarness{r: rand.New(rand.NewPCG(seed, 0)), seen: map[string]int{}}
	for done := 0; done < kills; {
		for i := range targets {
			for _, over := range []bool{false, true} {
				if done < kills {
					done += h.scenario(t, &targets[i], over, min(1+h.r.IntN(3), kills-done))
				}
			}
		}
	}
	for _, event := range slices.Sorted(maps.Keys(h.seen)) {
		t.Logf("%3d %s", h.seen[event], event)
	}
}

// killHarness chooses commands to kill and counts the outcomes.
type killHarness struct {
	r        *rand.Rand
	unkilled map[string]*unkilledRun
	seen     map[string]int
}

// unkilledRun is a run of a target that is not killed.
type unkilledRun struct {
	folder string            // state before the command
	before map[string]string // files in out before the command
	out    map[string]string // files in out after it
	names  []string          // names in the folder after it
	takes  time.Duration
}

// reference runs a target without killing it. over says whether out has an earlier result. The
// run is shared by all scenarios.
func (h *killHarness) reference(t *testing.T, c *target, over bool) *unkilledRun {
	t.Helper()
	key := fmt.Sprint(c.name, over)
	if u := h.unkilled[key]; u != nil {
		return u
	}
	if h.unkilled == nil {
		h.unkilled = map[string]*unkilledRun{}
	}
	u := &unkilledRun{folder: t.TempDir()}
	t.Chdir(u.folder)
	putTargets(t)
	if over {
		mustRun(t, c.before)
	}
	u.before = filesBelow(t, "out")
	work := t.TempDir()
	copyFolder(t, u.folder, work)
	t.Chdir(work)
	began := time.Now()
	mustRun(t, c.args)
	u.takes = time.Since(began)
	u.out, u.names = filesBelow(t, "out"), namesIn(t, ".")
	h.unkilled[key] = u
	return u
}

// scenario kills a target the given number of times in a row and then lets it finish. It
// returns the number of kills that happened before the command had ended.
func (h *killHarness) scenario(t *testing.T, c *target, over bool, times int) (kills int) {
	u := h.reference(t, c, over)
	work := t.TempDir()
	copyFolder(t, u.folder, work)
	t.Chdir(work)
	var history []string
	was := u.before
	for range times {
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGKILL}[h.r.IntN(2)]
		delay := time.Duration(h.r.Float64() * float64(u.takes))
		code := kill(t, c, signal, delay)
		history = append(history, fmt.Sprintf("%v after %v, exit code %d", signal, delay.Round(time.Millisecond), code))
		now := filesBelow(t, "out")
		outcome, err := c.check(u, signal, code, was, now)
		if err == nil && c.jobs {
			err = keptJobs(was, now, u.out)
		}
		if err != nil {
			t.Fatalf("%s, over an earlier result: %t: %s: %v", c.name, over, strings.Join(history, "; "), err)
		}
		h.seen[fmt.Sprintf("%v: %s: %s", signal, c.name, outcome)]++
		if code != command.ExitGood {
			kills++
		}
		was = now
	}
	mustRun(t, c.args)
	if err := sameFiles(filesBelow(t, "out"), u.out); err != nil {
		t.Errorf("%s, over an earlier result: %t: %s; the next run: %v", c.name, over, strings.Join(history, "; "), err)
	}
	// A partial result beside a complete one is intended.
	names := slices.DeleteFunc(namesIn(t, "."), func(name string) bool { return strings.Contains(name, "out.partial") })
	if !slices.Equal(names, u.names) {
		t.Errorf("%s, over an earlier result: %t: %s; got files %v after the next run, want %v", c.name, over, strings.Join(history, "; "), names, u.names)
	}
	return kills
}

// kill starts a target and sends it a signal after a delay. It returns the exit code as a
// shell shows it, which is 128 plus the signal if the process did not handle the signal.
func kill(t *testing.T, c *target, signal syscall.Signal, delay time.Duration) int {
	t.Helper()
	var errs strings.Builder
	p := exec.Command("mmsim", slices.Concat(c.args, toOut)...)
	p.Stderr = &errs
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(delay)
	_ = p.Process.Signal(signal) // it may have ended already
	_ = p.Wait()                 // the exit code is checked below
	if status := p.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal())
	}
	code := p.ProcessState.ExitCode()
	if code != command.ExitGood && code != command.ExitInterrupted {
		t.Fatalf("%s: %v after %v: exit code %d: %s", c.name, signal, delay, code, errs.String())
	}
	return code
}

// check compares the files after a kill with those before it, and with those of a run without
// kills. It returns the name of the outcome, or an error if something was lost.
func (c *target) check(u *unkilledRun, signal syscall.Signal, code int, was, now map[string]string) (outcome string, err error) {
	before, _, err := c.markerIn(was)
	if err != nil {
		return "", err
	}
	after, marked, err := c.markerIn(now)
	if err != nil {
		return "", err
	}
	switch {
	case code == command.ExitGood || after.Complete && sameFiles(now, u.out) == nil:
		return "finished before the signal", sameFiles(now, u.out)
	case c.jobs && after.Complete: // jobs are added to the existing ones
		return "the earlier result kept", sameFiles(shared(now, was), visible(was))
	case c.jobs:
		return "stopped with jobs kept", c.wholeFiles(u, now)
	case after.Complete:
		return "the earlier result kept", sameFiles(now, was)
	case before.Complete && (marked || signal == syscall.SIGINT):
		return "", errors.New("the earlier result is gone")
	case before.Complete:
		return "killed between the earlier and the new result", nil
	case marked && c.name == "run" && after.Run.Reached == 0:
		return "a partial result of the warm-up", c.partial(u, now)
	case marked:
		return "a partial result", c.partial(u, now)
	case signal == syscall.SIGINT && len(now) > len(was):
		return "", fmt.Errorf("want %s among the files %v", c.marker, slices.Sorted(maps.Keys(now)))
	}
	return "no result", nil
}

// markerIn reads the marker of a result. marked is false if there is none.
func (c *target) markerIn(files map[string]string) (result summary, marked bool, err error) {
	text, marked := files[c.marker]
	if marked {
		err = json.Unmarshal([]byte(text), &result)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", c.marker, err)
	}
	return result, marked, err
}

// partial checks that a partial result has all files of its kind, and that its finished
// replications equal those of a run without kills.
func (c *target) partial(u *unkilledRun, now map[string]string) error {
	for name := range u.out {
		dir, file := filepath.Split(name)
		if dir == "" && now[name] == "" {
			return fmt.Errorf("%s is missing", name)
		}
		if file != outcome.SummaryFile || dir == "" || !strings.Contains(now[name], `"complete": true`) {
			continue
		}
		for other, content := range u.out { // other files of the same replication
			if strings.HasPrefix(other, dir) && now[other] != content {
				return fmt.Errorf("%s of a finished replication differs from that without a kill", other)
			}
		}
	}
	return nil
}

// wholeFiles checks that no file of an incomplete sweep or tuning is half-written. The files
// of a sweep do not depend on its progress: each is either the earlier or the final one.
func (c *target) wholeFiles(u *unkilledRun, now map[string]string) error {
	for name, content := range visible(now) {
		if strings.HasSuffix(name, ".json") && !json.Valid([]byte(content)) {
			return fmt.Errorf("%s is not valid JSON", name)
		}
		earlier, isEarlier := u.before[name]
		final, isFinal := u.out[name]
		known := isEarlier && content == earlier || isFinal && content == final
		if c.name == "sweep" && name != c.marker && (isEarlier || isFinal) && !known {
			return fmt.Errorf("%s is neither the file of the earlier result nor that of the final one", name)
		}
	}
	return nil
}

// keptJobs checks that finished jobs are still there and unchanged, and that new ones equal
// those of a run without kills.
func keptJobs(before, now, final map[string]string) error {
	isJob := func(name string) bool { return strings.HasPrefix(name, experiment.JobsFolder) }
	for name, content := range visible(before) {
		if isJob(name) && now[name] != content {
			return fmt.Errorf("%s of a finished job was changed", name)
		}
	}
	for name, content := range visible(now) {
		if isJob(name) && content != final[name] {
			return fmt.Errorf("%s differs from the file without a kill", name)
		}
	}
	return nil
}

// visible returns the files that are not hidden. Hidden files are temporary, or mmsim's own
// notes.
func visible(files map[string]string) map[string]string {
	list := maps.Clone(files)
	maps.DeleteFunc(list, func(name, _ string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") })
	return list
}

// shared returns the visible files whose names also exist in other.
func shared(files, other map[string]string) map[string]string {
	list := visible(files)
	maps.DeleteFunc(list, func(name, _ string) bool { _, both := other[name]; return !both })
	return list
}

// sameFiles returns an error about the first difference between two folders.
func sameFiles(got, want map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		content, ok := got[name]
		switch {
		case !ok:
			return fmt.Errorf("%s is missing", name)
		case content != want[name]:
			return fmt.Errorf("%s differs", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, expected := want[name]; !expected {
			return fmt.Errorf("unexpected file %s", name)
		}
	}
	return nil
}

// filesBelow reads all regular files below a folder. A folder that does not exist has none.
func filesBelow(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		content, err := os.ReadFile(path)
		files[name] = string(content)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

func namesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// mustRun runs a command without killing it. The command must succeed.
func mustRun(t *testing.T, args []string) {
	t.Helper()
	out, err := exec.Command("mmsim", slices.Concat(args, toOut)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
}
