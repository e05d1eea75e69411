package faults_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/disk/disktest"
)

// Variables of a process with a faulty disk: the fault, and a file for the calls.
const (
	diskFault = "MMSIM_TEST_DISK"
	diskCalls = "MMSIM_TEST_DISK_CALLS"
)

// crashCode is the exit code of a process that the disk has killed, as after SIGKILL.
const crashCode = 128 + int(syscall.SIGKILL)

// faultyDisk gives the process the disk of the variable diskFault. The function that it returns
// writes the calls.
func faultyDisk() (finish func()) {
	text, given := os.LookupEnv(diskFault)
	if !given {
		return func() {}
	}
	root, err := os.Getwd()
	if err != nil {
		panic(err) // of a test
	}
	d, err := disktest.Parse(root, text)
	if err != nil {
		panic(err)
	}
	d.Exit = func() { os.Exit(crashCode) }
	disk.Replace(d)
	return func() {
		if err := os.WriteFile(os.Getenv(diskCalls), []byte(strings.Join(d.Calls(), "\n")), 0o666); err != nil {
			panic(err)
		}
		d.Clean()
	}
}

// withDisk runs a command in the working directory with a faulty disk. It returns the exit code, the
// standard error, and the calls if the process was not killed.
func withDisk(t *testing.T, d *disktest.Disk, args []string) (code int, stderr string, calls []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "calls")
	var errs strings.Builder
	p := exec.Command("mmsim", args...)
	p.Stderr = &errs
	p.Env = append(os.Environ(), diskFault+"="+d.String(), diskCalls+"="+file)
	if err := p.Run(); err != nil && p.ProcessState == nil {
		t.Fatal(err)
	}
	if p.ProcessState.ExitCode() != crashCode {
		calls = strings.Split(commandtest.Read(t, file), "\n")
	}
	return p.ProcessState.ExitCode(), errs.String(), calls
}

// diskStep is the distance of the faults that are tried: all of them take hours.
//
//	MMSIM_DISK_STEP=1 go test ./cmd/mmsim/faults -run TestDiskFaults -v -timeout 12h
func diskStep(standard int) int {
	step, err := strconv.Atoi(os.Getenv("MMSIM_DISK_STEP"))
	if err != nil {
		return standard
	}
	return step
}

// putSmallTargets writes the files of putTargets with a shorter day.
func putSmallTargets(t *testing.T) {
	t.Helper()
	putTargets(t)
	commandtest.Put(t, ".", map[string]string{
		"base.yaml":   "{dataset: {builtin: {preset: eu, joins: 2000}}, clock: {warmup: 5m, duration: 10m}, output: {records: csv}}",
		"events.yaml": `events: [{at: "00:02", for: 2m, outage: [frankfurt], running: kill}, {at: "00:06", for: 1m, maintenance: true, back: 60%, within: 1m}]`,
	})
}

// memoryFolder returns a temporary folder, in memory if there is one.
func memoryFolder(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("/dev/shm", "mmsim-")
	if err != nil {
		parent = t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(parent); err != nil {
			t.Error(err)
		}
	})
	folder := filepath.Join(parent, "work") // the disk keeps removed files beside it
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestDiskFaults lets calls of commands that change files fail in every way. Then everything that
// had finished is there and unchanged, and the directory holds the old result or the new one, whole.
// The user's files are unchanged, and the same command gives what it gives without a fault.
func TestDiskFaults(t *testing.T) {
	points := 0
	states := []string{"nothing", "an old result", "strangers"}
	for i := range targets {
		target := &targets[i]
		for _, state := range states {
			if diskStep(0) == 0 && (state != "strangers" || target.name == "tune") {
				continue // the references of all take minutes
			}
			t.Run(target.name+"/"+state, func(t *testing.T) { points = target.failEverywhere(t, state, points) })
		}
	}
	t.Logf("%d points, every %d-th tried", points, diskStep(standardStep))
}

// standardStep is the distance of the faults that TestDiskFaults tries without a variable. It is
// prime, so that it meets all faults of all commands.
const standardStep = 811

// failEverywhere tries faults of a command. points counts them.
func (c *target) failEverywhere(t *testing.T, state string, points int) int {
	origin := memoryFolder(t)
	t.Chdir(origin)
	putSmallTargets(t)
	if state != "nothing" {
		mustRun(t, c.before)
	}
	strangers := map[string]string{"notes.txt": "mine"}
	if state == "strangers" {
		for name, text := range map[string]string{"out/notes.txt": "mine", "out/deep/er/notes.txt": "mine", "out/jobs/notes.txt": "mine"} {
			strangers[name] = text
		}
	}
	commandtest.Put(t, ".", strangers)
	u := &unkilledRun{folder: origin, before: filesBelow(t, "out")}
	args := slices.Concat(c.args, toOut)
	work := memoryFolder(t)
	copyFolder(t, origin, work)
	t.Chdir(work)
	code, stderr, calls := withDisk(t, disktest.New(work), args)
	if code != command.ExitGood {
		t.Fatalf("without a fault: exit code %d: %s", code, stderr)
	}
	u.out, u.names = filesBelow(t, "out"), namesIn(t, ".")
	for _, fault := range disktest.Faults {
		for n := 1; n <= len(calls) && fault != disktest.Other; n++ { // see TestUserActs of resultdir
			if points++; points%diskStep(standardStep) != 0 {
				continue
			}
			if err := c.failAt(t, u, n, fault, strangers); err != nil {
				t.Errorf("%s at call %d (%s): %v", fault, n, calls[n-1], err)
			}
		}
	}
	return points
}

// failAt runs a command with one fault and then without.
func (c *target) failAt(t *testing.T, u *unkilledRun, n int, fault disktest.Fault, strangers map[string]string) error {
	work := memoryFolder(t)
	copyFolder(t, u.folder, work)
	t.Chdir(work)
	d := disktest.New(work)
	d.FailAt(n, fault)
	code, stderr, _ := withDisk(t, d, slices.Concat(c.args, toOut))
	now := filesBelow(t, "out")
	if _, err := c.check(u, syscall.SIGKILL, code, u.before, now); err != nil {
		return fmt.Errorf("exit code %d (%s): %w", code, stderr, err)
	}
	if c.jobs {
		if err := keptJobs(withoutNotes(u.before), withoutNotes(now), u.out); err != nil {
			return err
		}
	}
	for name, text := range strangers {
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			return fmt.Errorf("the user's file %s is changed or gone: %w", name, err)
		}
	}
	mustRun(t, c.args)
	if err := sameFiles(filesBelow(t, "out"), u.out); err != nil {
		return fmt.Errorf("exit code %d (%s); after the next run: %w", code, stderr, err)
	}
	// A lock file that could not be removed does no harm. A search that is finished takes no lock again.
	names := slices.DeleteFunc(namesIn(t, "."), func(name string) bool {
		return strings.HasPrefix(name, "out.new") || strings.HasSuffix(name, ".tmp-lock")
	})
	if !slices.Equal(names, u.names) {
		return fmt.Errorf("after the next run: got %v, want %v", names, u.names)
	}
	return nil
}

// withoutNotes returns the files but for the user's.
func withoutNotes(files map[string]string) map[string]string {
	list := visible(files)
	for name := range list {
		if filepath.Base(name) == "notes.txt" {
			delete(list, name)
		}
	}
	return list
}

// fileTargets are commands that write a single file.
var fileTargets = []struct {
	file string
	args []string
}{
	{"report.xml", []string{"check", "base.yaml", "--gate", "gate.yaml", "--quiet", "--junit", "report.xml"}},
	{"pass.json", []string{"run", "--config", "rules.yaml", "--quiet", "--out", "out", "--capture", "00:05:00=pass.json"}},
	{"map.png", []string{"latency", "convert", "maps/latency_frankfurt.bin", "map.png"}},
	{"made.json", []string{"test", "new", "queue.json", "--out", "made.json"}},
}

// TestDiskFaultsOfFiles lets calls fail while a command writes a single file. Then the old file or
// the new one is there, whole, and the same command gives the new one.
func TestDiskFaultsOfFiles(t *testing.T) {
	for _, c := range fileTargets {
		for _, old := range []string{"", "old"} {
			if old != "" && c.args[0] == "test" || old == "" && c.args[0] != "test" && diskStep(0) == 0 {
				continue // test writes new files only
			}
			t.Run(c.args[0]+" "+cmp.Or(old, "new"), func(t *testing.T) { failFile(t, c.file, old, c.args) })
		}
	}
}

// failFile tries the faults of a command that writes a file.
func failFile(t *testing.T, file, old string, args []string) {
	prepare := func() string {
		work := memoryFolder(t)
		t.Chdir(work)
		putSmallTargets(t)
		commandtest.Put(t, ".", map[string]string{
			"pings.csv": "datacenter,latitude,longitude,rtt_ms\nfrankfurt,50.5,8.5,10\n",
			"gate.yaml": "players.joins: {min: 1}", "queue.json": pairsQueue,
			"rules.yaml": "{dataset: {builtin: {preset: eu, joins: 2000}}, clock: {warmup: 5m, duration: 10m}, rules: queue.json, output: {plots: false, html: false}}",
		})
		if out, err := exec.Command("mmsim", "latency", "build", "--out", "maps", "pings.csv").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if old != "" {
			commandtest.Put(t, ".", map[string]string{file: old})
		}
		return work
	}
	work := prepare()
	code, stderr, calls := withDisk(t, disktest.New(work), args)
	if code != command.ExitGood {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	want := commandtest.Read(t, file)
	points := 0
	for _, fault := range disktest.Faults {
		for n := 1; n <= len(calls) && fault != disktest.Other; n++ {
			if points++; points%diskStep(97) != 0 {
				continue
			}
			work := prepare()
			d := disktest.New(work)
			d.FailAt(n, fault)
			code, stderr, _ := withDisk(t, d, args)
			got, err := os.ReadFile(file)
			isOld := err == nil && string(got) == old || err != nil && old == ""
			if !isOld && string(got) != want || code == command.ExitGood && string(got) != want {
				t.Errorf("%s at call %d (%s): exit code %d, %s: neither the old file nor the new one", fault, n, calls[n-1], code, stderr)
			}
			if args[0] == "test" && len(got) > 0 {
				continue
			}
			if code, stderr, _ := withDisk(t, disktest.New(work), args); code != command.ExitGood || commandtest.Read(t, file) != want {
				t.Errorf("%s at call %d (%s): the next run: exit code %d: %s", fault, n, calls[n-1], code, stderr)
			}
		}
	}
}
