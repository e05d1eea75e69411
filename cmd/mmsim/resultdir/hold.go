package resultdir

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// A Hold is the claim of one process on a result directory for as long as it works on it.
// Most commands need none: they may share a directory.
type Hold struct {
	lock *flock.Flock
	file string
}

// NewHold makes this process the only one that holds the directory. Where another one does, it
// is refused. The lock file is beside the directory or, where that takes no files, in it.
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

// heldFile is the name of a file about a directory, which is in a folder.
func heldFile(folder, target, kind string) string {
	return filepath.Join(folder, prefix(filepath.Base(target))+kind)
}

// IsLeft tells whether a holder of the directory was killed, or is at work, and has notes.
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

// File is the name of a file for notes of the holder. It stays when the process is killed, so
// that the next holder finds it, and goes with Release.
func (h *Hold) File() string { return h.file }

// Release ends the claim.
func (h *Hold) Release() {
	_ = os.Remove(h.file) // it may never have been made; one that stays is read by the next holder
	release(h.lock)
}

// Scratch makes a temporary folder for files of a process, and returns how to remove it. What
// a killed process left is removed by the next one that makes such a folder.
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
