package resultdir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Who waits for a lock is told after a second who holds it and since when. The wait ends when the
// lock is free or when the context ends.
func TestWaitForLock(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		name     string
		released time.Duration // 0 for never
		cancel   time.Duration
		told     bool
		err      error
	}{
		{"free soon", 300 * time.Millisecond, time.Minute, false, nil},
		{"free later", 5 * time.Second, time.Minute, true, nil},
		{"cancelled", 0, 10 * time.Second, true, context.DeadlineExceeded},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				held, err := acquire("x.tmp-lock", nil)
				if err != nil || held == nil {
					t.Fatal(err)
				}
				if test.released > 0 {
					time.AfterFunc(test.released, func() { release(held) })
				} else {
					defer release(held)
				}
				ctx, cancel := context.WithTimeout(t.Context(), test.cancel)
				defer cancel()
				var out strings.Builder
				lock, err := acquire("x.tmp-lock", &Dir{ctx: ctx, out: &out, shown: "out"})
				if !errors.Is(err, test.err) {
					t.Errorf("got error %v, want %v", err, test.err)
				}
				if lock != nil {
					release(lock)
				}
				if told := strings.HasPrefix(out.String(), "out: waiting for mmsim (process "); told != test.told || told && !strings.Contains(out.String(), ", since 2") {
					t.Errorf("got the words %q, want some that name the holder: %v", out.String(), test.told)
				}
				if test.err != nil && !strings.HasPrefix(err.Error(), "out: still waiting for mmsim (process ") {
					t.Errorf("got error %q, want one that names the holder", err)
				}
			})
		})
	}
}

// A lock file that a killed process left is free. The new one names the new holder.
func TestLockOfKilledProcess(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, text := range []string{"", lockTitle + "folder\nmmsim sweep (process 1 on host), since 2026-01-01 00:00:00\n"} {
		put(t, ".", map[string]string{"x.tmp-lock": text})
		lock, err := acquire("x.tmp-lock", nil)
		if err != nil || lock == nil {
			t.Fatalf("got %v (error %v), want the lock", lock, err)
		}
		if who := holder("x.tmp-lock"); strings.Contains(who, "2026-01-01") {
			t.Errorf("the file names the killed process: %s", who)
		}
		release(lock)
		if _, err := os.Lstat("x.tmp-lock"); err == nil {
			t.Error("the lock file remains after release")
		}
	}
}

// In a folder that others may write to, somebody may have put something else where a lock is
// expected. Nothing is created through a link, and nothing of theirs is opened or removed.
func TestPlantedLocks(t *testing.T) {
	t.Chdir(t.TempDir())
	name := filepath.Base(prefix("out")) + "lock"
	for _, planted := range []map[string]string{
		{name + " -> elsewhere": ""},
		{name + " -> real": "", "real": "mine"},
		{name: "mine"},
		{name + "/": ""},
	} {
		t.Chdir(t.TempDir())
		put(t, ".", planted)
		before := tree(t, ".")
		d, err := Claim("out", testKind)
		if err != nil {
			t.Fatal(err)
		}
		_, err = write(d, true, "summary.json")
		kept := (*UnpublishedError)(nil)
		if !errors.As(err, &kept) || !IsMendable(err) || !strings.Contains(err.Error(), "mmsim needs this name for a lock") {
			t.Errorf("%q: got error %v", planted, err)
		}
		for _, name := range before {
			if got := tree(t, "."); !strings.Contains(strings.Join(got, "\n"), name) {
				t.Errorf("%q: %s is gone: %q", planted, name, got)
			}
		}
		if _, err := os.Lstat("elsewhere"); err == nil {
			t.Errorf("%q: created a file through a link", planted)
		}
	}
}
