package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/search"
)

// onSmallDisk is set for a test that runs in its own mount namespace.
const onSmallDisk = "MMSIM_TEST_SMALL_DISK"

// smallDisk is the size in bytes of the disk that the test mounts in this namespace.
const smallDisk = 4 << 20

// The disk of a coordinator is full at once, or after some results. The command exits with 3
// and a message about the file, and its workers end. The files of finished jobs are whole, and
// there are no other files. When there is space again, the same command continues.
func TestFullDiskOfACoordinator(t *testing.T) {
	if os.Getenv(onSmallDisk) == "" {
		inMountNamespace(t)
		return
	}
	t.Chdir(t.TempDir())
	commandtest.Put(t, ".", map[string]string{
		"base.yaml":  "{dataset: {builtin: {preset: eu, joins: 2000}}, clock: {warmup: 10m, duration: 20m}, output: {records: csv, html: false}}",
		"sweep.yaml": "{config: base.yaml, runs: 3, settings: {match.size: [2, 3, 4]}, metrics: [rtt_ms.mean]}",
	})
	if err := os.Mkdir("disk", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", "disk", "tmpfs", 0, fmt.Sprintf("size=%d", smallDisk)); err != nil {
		t.Skipf("skipped: cannot mount a file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount("disk", 0); err != nil {
			t.Error(err)
		}
	})
	t.Run("sweep", func(t *testing.T) {
		mustRun(t, []string{"sweep", "sweep.yaml"})
		want := takeOut(t)
		size := 0
		for name, text := range want {
			if strings.HasPrefix(name, "jobs/") {
				size += len(text)
			}
		}
		fails := func(free int) int {
			t.Helper()
			got := failsOnFullDisk(t, free, "sweep", "sweep.yaml", "--out", "disk/out")
			for name, text := range got {
				switch isJob := strings.HasPrefix(name, "jobs/"); {
				case isJob && text != want[name]:
					t.Errorf("%s differs from the file written without a full disk", name)
				case !isJob && name != search.PlanFile && name != ".mmsim-files.json":
					t.Errorf("got file %s, want only finished jobs and the files that describe them", name)
				}
			}
			return len(got)
		}
		fails(0)
		if n := fails(size / 2); n < 3 {
			t.Errorf("got %d files, want at least 3, because there was room for some jobs", n)
		}
		goesOn(t, want, "sweep", "sweep.yaml", "--out", "disk/out")
	})
	t.Run("run", func(t *testing.T) {
		mustRun(t, []string{"run", "--config", "base.yaml", "--runs", "2"})
		want := takeOut(t)
		size := 0
		for _, text := range want {
			size += len(text)
		}
		if got := failsOnFullDisk(t, size/2, "run", "--config", "base.yaml", "--runs", "2", "--out", "disk/out"); len(got) > 0 {
			t.Errorf("got %d files of an incomplete result, want none", len(got))
		}
		goesOn(t, want, "run", "--config", "base.yaml", "--runs", "2", "--out", "disk/out")
	})
}

// inMountNamespace runs the test again in a namespace in which it may mount file systems.
func inMountNamespace(t *testing.T) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	c.Env = append(os.Environ(), onSmallDisk+"=1")
	var output strings.Builder
	c.Stdout, c.Stderr = &output, &output
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	if err := c.Start(); err != nil {
		t.Skipf("skipped: cannot create a mount namespace: %v", err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("%v: %s", err, output.String())
	} else if strings.Contains(output.String(), "cannot mount a file system") {
		t.Skip(output.String())
	}
}

// takeOut returns the files in the folder out and removes the folder.
func takeOut(t *testing.T) map[string]string {
	t.Helper()
	files := filesBelow(t, "out")
	if err := os.RemoveAll("out"); err != nil {
		t.Fatal(err)
	}
	return files
}

// failsOnFullDisk runs a command with a worker on a disk with few free bytes, and returns the
// files of its result. It then frees space.
func failsOnFullDisk(t *testing.T, free int, args ...string) map[string]string {
	t.Helper()
	var before int64 // size of an earlier result
	for _, text := range filesBelow(t, "disk") {
		before += int64(len(text)+4095) / 4096 * 4096
	}
	ballast := filepath.Join("disk", "ballast")
	// The last pages do not fit, so the disk is now full.
	_ = os.WriteFile(ballast, make([]byte, smallDisk), 0o666)
	if free > 0 {
		if err := os.Truncate(ballast, max(0, smallDisk-before-int64(free))); err != nil {
			t.Fatal(err)
		}
	}
	s := serveIn(t, t.TempDir(), append(args, "--quiet", "--serve", "127.0.0.1:0")...)
	if s.url == "" { // it ended before it printed the URL
		<-s.ended
		_ = s.process.Wait() // the exit code is checked below
	} else {
		s.work(t)
		s.wait(t)
	}
	if code := s.process.ProcessState.ExitCode(); code != command.ExitFault || !strings.Contains(s.errs.String(), "disk/") || !strings.Contains(s.errs.String(), "no space left on device") {
		t.Errorf("got exit code %d, want an internal fault that names a file of the full disk: %s", code, s.errs.String())
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for _, name := range namesIn(t, "disk") {
		if name != "out" {
			t.Errorf("got disk/%s after the fault, want only disk/out", name)
		}
	}
	if _, err := os.Stat("disk/out"); err != nil {
		return nil
	}
	return filesBelow(t, "disk/out")
}

// goesOn runs the command with a worker again and checks that the result is complete.
func goesOn(t *testing.T, want map[string]string, args ...string) {
	t.Helper()
	s := serve(t, append(args, "--quiet", "--serve", "127.0.0.1:0")...)
	s.work(t)
	if out, code := s.wait(t); code != command.ExitGood {
		t.Errorf("exit code %d: %s%s", code, out, s.errs.String())
	}
	if err := sameFiles(filesBelow(t, "disk/out"), want); err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll("disk/out"); err != nil {
		t.Fatal(err)
	}
}
