package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/commandtest"
)

// Two shards of a sweep write to one folder from two process namespaces, as containers with a
// shared volume do. Both processes have number 1, so names must not depend on it. No job is
// lost, no temporary file remains, and the results equal those of one process.
func TestShardsInTwoProcessNamespaces(t *testing.T) {
	t.Chdir(t.TempDir())
	commandtest.Put(t, ".", map[string]string{
		"base.yaml":  "{dataset: {builtin: {preset: eu, joins: 4000}}, clock: {duration: 1h}}",
		"sweep.yaml": "{config: base.yaml, runs: 3, settings: {match.size: [2, 3, 4, 5]}, metrics: [wait_s.p95, rtt_ms.mean]}",
	})
	mustRun(t, []string{"sweep", "sweep.yaml"})
	want := filesBelow(t, "out")
	for range 3 {
		if err := os.RemoveAll("shared"); err != nil {
			t.Fatal(err)
		}
		var shards []*exec.Cmd
		var errs [2]strings.Builder
		for i := range errs {
			c := exec.Command("mmsim", "sweep", "sweep.yaml", "--out", "shared", "--quiet", "--shard", fmt.Sprintf("%d/2", i+1))
			c.Stderr, c.SysProcAttr = &errs[i], ownProcessNumbers()
			if err := c.Start(); err != nil && i == 0 {
				t.Skipf("skipped: cannot create a process namespace: %v", err)
			} else if err != nil {
				t.Fatal(err)
			}
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
			if _, numbers, found := strings.Cut(string(status), "\nNSpid:"); err != nil || !found {
				t.Errorf("/proc/%d/status does not contain NSpid (error %v)", c.Process.Pid, err)
			} else if line, _, _ := strings.Cut(numbers, "\n"); !strings.HasSuffix(line, "\t1") {
				t.Errorf("got process numbers %q, want 1 in the namespace", line)
			}
			shards = append(shards, c)
		}
		for i, c := range shards {
			if err := c.Wait(); err != nil {
				t.Errorf("shard %d: %v: %s", i+1, err, errs[i].String())
			}
		}
		if n := len(jobFiles(t, "shared")); n != 12 {
			t.Errorf("got %d jobs, want 12", n)
		}
		got := filesBelow(t, "shared")
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s is missing or differs from the file of a single process", name)
			}
		}
		for name := range got {
			if _, known := want[name]; !known {
				t.Errorf("got file %s, which a single process does not write", name)
			}
		}
	}
	if got, want := namesIn(t, "."), []string{"base.yaml", "out", "shared", "sweep.yaml"}; !slices.Equal(got, want) {
		t.Errorf("got files %q, want %q", got, want)
	}
}

// ownProcessNumbers makes a process number 1 of a new namespace. Without root permissions,
// this needs a user namespace too.
func ownProcessNumbers() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	if os.Geteuid() != 0 {
		attributes.Cloneflags |= syscall.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	}
	return attributes
}
