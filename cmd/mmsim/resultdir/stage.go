package resultdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"github.com/gofrs/flock"
)

// A stage is a temporary folder in which something is written until it is whole. It holds a
// lock file for as long as its process lives.
type stage struct {
	folder string
	lock   *flock.Flock
}

const (
	stageLock = "mmsim.lock"
	stageNew  = "new" // what is written: a file or a directory

	triesMax = 100 // to make a lock file that nobody else removes at the same instant
)

// prefix begins the names of everything temporary that belongs to a name. A long name is cut,
// so that there is room for what follows.
func prefix(name string) string {
	const longest = 200 // of the 255 bytes that file systems take
	return "." + strings.ToValidUTF8(name[:min(len(name), longest)], "") + ".tmp-"
}

// stages are those of this process that are not removed yet. busy is read-locked while
// something is made or renamed, which an abandonment waits for.
var (
	busy   sync.RWMutex
	stages = map[*stage]bool{}
	mutex  sync.Mutex // of stages
)

// Abandon removes everything temporary that this process has made, and lets nothing new
// begin. It is called on the way out of an interrupted process: what is being renamed is
// finished first.
func Abandon() {
	busy.Lock()
	mutex.Lock()
	for s := range stages {
		_ = os.RemoveAll(s.folder) // nobody is left to tell
	}
}

// newStage makes a stage in a folder, for something of a name.
func newStage(folder, name string) (*stage, error) {
	removeLeftovers(folder)
	busy.RLock()
	defer busy.RUnlock()
	for range triesMax {
		temp, err := os.MkdirTemp(folder, prefix(name)+"*")
		if err != nil {
			return nil, err
		}
		lock, err := acquire(filepath.Join(temp, stageLock), atOnce)
		if err == nil && lock != nil {
			s := &stage{temp, lock}
			mutex.Lock()
			stages[s] = true
			mutex.Unlock()
			return s, nil
		}
		_ = os.RemoveAll(temp)
		// Before it had its lock, the folder looked as if a killed process had left it, and
		// another process may have removed it.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, &fs.PathError{Op: "lock", Path: folder, Err: syscall.EBUSY}
}

// path is where the content is written.
func (s *stage) path() string { return filepath.Join(s.folder, stageNew) }

// remove removes the stage and what is still in it.
func (s *stage) remove() {
	mutex.Lock()
	delete(stages, s)
	mutex.Unlock()
	// A failure here has nobody to tell: the result is in place, or another error is the
	// message. The next process removes what is left.
	_ = os.RemoveAll(s.folder)
	_ = s.lock.Close()
}

// cleaned are the folders that removeLeftovers has gone through: it does so once, because some
// take thousands of files.
var cleaned sync.Map

// stageName matches the names of stages.
var stageName = regexp.MustCompile(`^\..*\.tmp-[0-9]+$`)

// removeLeftovers removes the stages in a folder whose process is gone: whose lock is free. A
// folder without our lock file is not ours, unless it is empty: a process may be killed before
// it has made the lock.
func removeLeftovers(folder string) {
	if _, done := cleaned.LoadOrStore(folder, true); done {
		return
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // a folder that takes files need not list them
	}
	for _, entry := range entries {
		name := filepath.Join(folder, entry.Name())
		if !entry.IsDir() || !stageName.MatchString(entry.Name()) || os.Remove(name) == nil {
			continue
		}
		if _, err := os.Lstat(filepath.Join(name, stageLock)); err != nil {
			continue
		}
		lock, err := acquire(filepath.Join(name, stageLock), atOnce)
		if err != nil || lock == nil {
			continue
		}
		if lock.Locked() { // else the file system has no locks, and the process may be alive
			_ = os.RemoveAll(name) // it is in nobody's way
		}
		_ = lock.Close()
	}
}

// What acquire does where another process holds a lock.
const (
	waiting = true
	atOnce  = false
)

// acquire makes a lock file and locks it; where another process holds it, it waits or returns
// nil. Where the file system has no locks, the lock is not Locked.
//
// release removes the file, so that a lock counts only if its file still has its name.
func acquire(name string, wait bool) (*flock.Flock, error) {
	for range triesMax {
		// Open for writing: NFS has no exclusive locks of other files.
		lock := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
		locked, err := true, error(nil)
		if wait {
			err = lock.Lock()
		} else {
			locked, err = lock.TryLock()
		}
		switch {
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
			return lock, nil
		case err != nil || !locked:
			return nil, err
		}
		mine, err := lock.Stat()
		if err == nil {
			var named fs.FileInfo
			if named, err = os.Stat(name); err == nil && os.SameFile(mine, named) {
				return lock, nil
			}
		}
		_ = lock.Close() // it locks a file that is gone
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, &fs.PathError{Op: "lock", Path: name, Err: syscall.EBUSY}
}

// release removes a lock file and unlocks it, in this order: those who wait see that the file
// is gone.
func release(lock *flock.Flock) {
	_ = os.Remove(lock.Path()) // a lock file that stays is in nobody's way
	_ = lock.Close()
}

// fsync is (*os.File).Sync but in tests, which do not wait for the disk.
var fsync = (*os.File).Sync

// syncFile writes what the system still holds of a file or directory to the disk.
func syncFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	err = fsync(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil // a file system that cannot
	}
	return err
}
