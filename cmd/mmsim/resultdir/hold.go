package resultdir

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"mmsim/cmd/mmsim/disk"
)

// A Hold reserves a result directory for one process, the holder. Most commands do not need
// one, because they can share a directory. The holder may keep notes in a file. If the holder
// is killed, the next one can read them.
type Hold struct {
	lock *flock.Flock
	file string
}

// NewHold reserves a result directory. It returns an error if another process holds the
// directory. The lock file is beside the directory or, if no file can be created there, in it.
func NewHold(dir string) (*Hold, error) {
	target, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	parent := filepath.Dir(target)
	if err := disk.MkdirAll(parent, 0o777); err != nil {
		return nil, fault(dir, err)
	}
	lock, err := acquire(heldFile(parent, target, "hold"), nil)
	if err != nil && disk.MkdirAll(target, 0o777) == nil {
		parent = target
		lock, err = acquire(heldFile(parent, target, "hold"), nil)
	}
	switch {
	case err != nil:
		return nil, fault(dir, err)
	case lock == nil:
		return nil, refusef("%s: another process is handing out jobs for this directory, expected another directory", dir)
	}
	return &Hold{lock, heldFile(parent, target, "held")}, nil
}

// heldFile returns the name of the lock file ("hold") or the notes file ("held") of the
// directory target. The file is in folder.
func heldFile(folder, target, kind string) string {
	return filepath.Join(folder, prefix(filepath.Base(target))+kind)
}

// IsLeft reports whether the directory has a notes file. Its holder was killed or is still
// running.
func IsLeft(dir string) bool {
	target, err := resolve(dir)
	if err != nil {
		return false
	}
	for _, folder := range []string{filepath.Dir(target), target} {
		if _, err := os.Stat(heldFile(folder, target, "held")); err == nil {
			return true
		}
	}
	return false
}

// File returns the name of the holder's notes file. If the process is killed, the file remains
// for the next holder. Release removes it.
func (h *Hold) File() string { return h.file }

// Release ends the reservation and removes the notes file.
func (h *Hold) Release() {
	_ = disk.Remove(h.file) // the file may not exist; if it remains, the next holder reads it
	release(h.lock)
}

// Scratch creates a temporary folder and returns a function that removes it. Scratch also
// removes temporary folders that killed processes left behind.
func Scratch(name string) (folder string, remove func(), err error) {
	s, err := newStage(os.TempDir(), name)
	if err != nil {
		return "", nil, err
	}
	if err := disk.Mkdir(s.path(), 0o700); err != nil {
		s.remove()
		return "", nil, err
	}
	return s.path(), s.remove, nil
}
