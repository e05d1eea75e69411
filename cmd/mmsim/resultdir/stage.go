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

// A stage is a temporary folder for a file or directory that is being written. It contains a
// lock file that is locked while its process lives.
type stage struct {
	folder string
	lock   *flock.Flock
}

const (
	stageLock = "mmsim.lock"
	stageNew  = "new" // the file or directory being written

	triesMax = 100 // attempts to create a lock file that no other process removes at the same instant
)

// prefix begins the names of all temporary files and folders for a name. A long name is cut
// to leave room for a suffix.
func prefix(name string) string {
	const longest = 200 // of the 255 bytes that file systems allow
	return "." + strings.ToValidUTF8(name[:min(len(name), longest)], "") + ".tmp-"
}

// stages are the stages of this process that were not removed yet. busy is read-locked while
// one is created or renamed; Abandon waits for it.
var (
	busy   sync.RWMutex
	stages = map[*stage]bool{}
	mutex  sync.Mutex // protects stages
)

// Abandon removes all temporary folders that this process has created, and prevents new ones.
// It is called when an interrupted process ends: a rename that is under way is finished
// first.
func Abandon() {
	busy.Lock()
	mutex.Lock()
	for s := range stages {
		_ = os.RemoveAll(s.folder) // an error cannot be reported any more
	}
}

// newStage creates a stage in a folder, for a file or directory of a name.
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
		// Before it had its lock, the folder looked like the leftover of a killed process,
		// and another process may have removed it.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, &fs.PathError{Op: "lock", Path: folder, Err: syscall.EBUSY}
}

// path is the path of the content being written.
func (s *stage) path() string { return filepath.Join(s.folder, stageNew) }

// remove removes the stage and its remaining content.
func (s *stage) remove() {
	mutex.Lock()
	delete(stages, s)
	mutex.Unlock()
	// An error is not reported: the result is in place, or another error is reported. The
	// next process removes what is left.
	_ = os.RemoveAll(s.folder)
	_ = s.lock.Close()
}

// cleaned are the folders that removeLeftovers has searched: it searches a folder once,
// because some contain thousands of files.
var cleaned sync.Map

// stageName matches the names of stages.
var stageName = regexp.MustCompile(`^\..*\.tmp-[0-9]+$`)

// removeLeftovers removes the stages in a folder whose lock is free, because their process is
// gone. A folder without a lock file is not a stage, unless it is empty: a process may be
// killed before it creates the lock.
func removeLeftovers(folder string) {
	if _, done := cleaned.LoadOrStore(folder, true); done {
		return
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // a folder may be writable but not readable
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
		if lock.Locked() { // if not, the file system has no locks, and the process may be alive
			_ = os.RemoveAll(name) // an error does no harm
		}
		_ = lock.Close()
	}
}

// What acquire does if another process holds the lock.
const (
	waiting = true
	atOnce  = false
)

// acquire creates a lock file and locks it. If another process holds the lock, it waits or
// returns nil. If the file system has no locks, the result is not Locked.
//
// release removes the file, so a lock is valid only while its file has its name.
func acquire(name string, wait bool) (*flock.Flock, error) {
	for range triesMax {
		// Open for writing: NFS requires it for exclusive locks.
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
		_ = lock.Close() // it locked a file that was removed meanwhile
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, &fs.PathError{Op: "lock", Path: name, Err: syscall.EBUSY}
}

// release removes a lock file and unlocks it, in this order: processes that wait for it then
// see that the file is gone.
func release(lock *flock.Flock) {
	_ = os.Remove(lock.Path()) // a lock file that stays does no harm
	_ = lock.Close()
}

// fsync is (*os.File).Sync; tests replace it, because they need not wait for the disk.
var fsync = (*os.File).Sync

// syncFile writes the content of a file or directory that the system still caches to the
// disk.
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
		return nil // the file system does not support it
	}
	return err
}
