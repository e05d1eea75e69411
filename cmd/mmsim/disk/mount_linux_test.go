package disk_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/disk"
)

// inNamespace is set in the process that may mount.
const inNamespace = "MMSIM_TEST_MOUNTS"

// A folder with a mount in it is not removed, because that would remove the files of the mounted
// folder. That a mount is on the same device as the folder above does not matter.
func TestRemoveAllStopsAtMounts(t *testing.T) {
	folder := t.TempDir()
	if os.Getenv(inNamespace) == "" {
		runInNamespace(t)
		return
	}
	at := func(names ...string) string { return filepath.Join(append([]string{folder}, names...)...) }
	for _, name := range []string{at("user"), at("ours", "mount")} {
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{at("user", "file"), at("ours", "file")} {
		if err := os.WriteFile(name, []byte("content"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if disk.IsMount(at("ours", "mount")) {
		t.Error("an ordinary folder is a mount")
	}
	if err := syscall.Mount(at("user"), at("ours", "mount"), "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("skipped: cannot mount a folder: %v", err)
	}
	if !disk.IsMount(at("ours", "mount")) || disk.IsMount(at("ours")) {
		t.Error("the mounted folder is not a mount, or the one above is")
	}
	if err := disk.RemoveAll(at("ours")); err == nil {
		t.Error("got no error with a mount in the folder")
	}
	for _, name := range []string{at("user", "file"), at("ours", "file")} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	if err := syscall.Unmount(at("ours", "mount"), 0); err != nil {
		t.Fatal(err)
	}
	if err := disk.RemoveAll(at("ours")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(at("user", "file")); err != nil {
		t.Error(err)
	}
}

// runInNamespace runs the test again in a process with a mount namespace of its own. Without root
// permissions, this needs a user namespace too.
func runInNamespace(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), inNamespace+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		c.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		c.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	output, err := c.CombinedOutput()
	if _, ran := err.(*exec.ExitError); err != nil && !ran {
		t.Skipf("skipped: cannot create a mount namespace: %v", err)
	} else if err != nil {
		t.Errorf("%v: %s", err, output)
	}
}
