package resultdir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/disk"
)

// refusing is a disk that refuses some calls, as a system does without permissions.
type refusing struct {
	unsynced
	remove    func(name string) bool // whether Remove refuses a name
	removeAll func(name string)      // called before RemoveAll
	exchange  bool                   // whether Exchange works
}

func (d refusing) Remove(name string) error {
	if d.remove != nil && d.remove(name) {
		return &os.PathError{Op: "remove", Path: name, Err: os.ErrPermission}
	}
	return d.unsynced.Remove(name)
}

func (d refusing) RemoveAll(name string) error {
	if d.removeAll != nil {
		d.removeAll(name)
	}
	return d.unsynced.RemoveAll(name)
}

func (d refusing) Exchange(one, other string) error {
	if !d.exchange {
		return &os.LinkError{Op: "exchange", Old: one, New: other, Err: os.ErrPermission}
	}
	return d.unsynced.Exchange(one, other)
}

// In a sticky folder, the lock file of another user's killed process cannot be removed. It is locked
// like one of this user.
func TestLockThatCannotBeRemoved(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", map[string]string{"x.tmp-lock": lockTitle + "folder\nmmsim sweep (process 1 on host), since 2026-01-01 00:00:00\n"})
	defer disk.Replace(refusing{remove: func(string) bool { return true }})()
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	lock, err := acquire("x.tmp-lock", &Dir{ctx: ctx, out: &out, shown: "out"})
	if err != nil || lock == nil {
		t.Fatalf("got %v (error %v), want the lock", lock, err)
	}
	defer release(lock)
	cancel()
	if _, err := acquire("x.tmp-lock", &Dir{ctx: ctx, out: &out, shown: "out"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v for the second lock, want one that says that the wait was cancelled", err)
	}
}

// If a read-only directory cannot be exchanged, the new folder, which has its permissions by then, can
// still be emptied and renamed.
func TestReadOnlyDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "out", map[string]string{"summary.json": finished, ListFile: hashed("summary.json", finished)})
	if err := os.Chmod("out", 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod("out", 0o755)
	defer disk.Replace(refusing{remove: func(name string) bool {
		info, err := os.Stat(filepath.Dir(name))
		return err == nil && info.Mode().Perm()&0o200 == 0 && filepath.Base(name) == ListFile
	}})()
	d, err := Claim("out", testKind)
	if err != nil {
		t.Fatal(err)
	}
	_, err = write(d, true, "summary.json")
	where, unpublished, err := Published("out", err)
	if err != nil || unpublished != nil && where != "out.new" {
		t.Errorf("got the result in %s (errors %v, %v), want it in out, or in out.new without permission", where, unpublished, err)
	}
	if _, err := os.Stat(filepath.Join(where, "summary.json")); err != nil {
		t.Error(err)
	}
}

// A stage is known to Abandon until it is removed, so that a process that ends meanwhile leaves
// nothing.
func TestStageIsKnownUntilRemoved(t *testing.T) {
	s, err := newStage(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	defer disk.Replace(refusing{removeAll: func(string) {
		calls++
		mutex.Lock()
		defer mutex.Unlock()
		if !stages[s] {
			t.Error("the stage is unknown before it is removed")
		}
	}})()
	s.remove()
	if calls == 0 || stages[s] {
		t.Errorf("got %d calls, and the removed stage is known: %v", calls, stages[s])
	}
}
