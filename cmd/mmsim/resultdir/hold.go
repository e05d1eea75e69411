package resultdir

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// A Hold reserves a result directory for one process. Most commands need none: they may share
// a directory.
type Hold struct {
	lock *flock.Flock
	file string
}

// NewHold reserves the directory for this process. It is refused if another process holds the
// directory. The lock file is beside the directory or, if no file can be created there, in
// it.
func NewHold(dir string) (*Hold, error) {
	target, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	parent := filepath.Dir(target)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, fault(dir, err)
	}
	lock, err := acquire(heldFile(parent, target, "hold"), atOnce)
	if err != nil && os.MkdirAll(target, 0o777) == nil {
		parent = target
		lock, err = acquire(heldFile(parent, target, "hold"), atOnce)
	}
	switch {
	case err != nil:
		return nil, fault(dir, err)
	case lock == nil:
		return nil, refusef("%s: another process hands out jobs for this directory, expected another one", dir)
	}
	return &Hold{lock, heldFile(parent, target, "held")}, nil
}

// heldFile returns the name of a file about a directory, in a folder.
func heldFile(folder, target, kind string) string {
	return filepath.Join(folder, prefix(filepath.Base(target))+kind)
}

// IsLeft reports whether the directory has the notes of a holder: one that was killed, or one
// that is running.
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

// File is the name of the holder's notes file. The file stays when the process is killed, so
// that the next holder finds it; Release removes it.
func (h *Hold) File() string { return h.file }

// Release ends the reservation and removes the notes.
func (h *Hold) Release() {
	_ = os.Remove(h.file) // it may never have been created; the next holder reads a file that stays
	release(h.lock)
}

// Scratch creates a temporary folder, and returns a function that removes it. The next
// process that creates such a folder removes those that killed processes left.
func Scratch(name string) (folder string, remove func(), err error) {
	s, err := newStage(os.TempDir(), name)
	if err != nil {
		return "", nil, err
	}
	if err := os.Mkdir(s.path(), 0o700); err != nil {
		s.remove()
		return "", nil, err
	}
	return s.path(), s.remove, nil
}
