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
// lock file, which is locked as long as the process runs.
type stage struct {
	folder string
	lock   *flock.Flock
}

const (
	stageLock = "mmsim.lock"
	stageNew  = "new" // the file or directory being written

	triesMax = 100 // attempts to create a lock file while other processes remove it
)

// prefix returns the beginning of the names of all temporary files and folders for name. It
// shortens a long name to leave room for a suffix.
func prefix(name string) string {
	const longest = 200 // of the 255 bytes that file systems allow
	return "." + strings.ToValidUTF8(name[:min(len(name), longest)], "") + ".tmp-"
}

// stages has this process's stages until they are removed. A goroutine that creates a stage or
// renames files read-locks busy, so that Abandon waits for it.
var (
	busy   sync.RWMutex
	stages = map[*stage]bool{}
	mutex  sync.Mutex // protects stages
)

// Abandon removes all temporary folders of this process and prevents new ones. It is called
// when an interrupted process ends. It first waits for renames to finish.
func Abandon() {
	busy.Lock()
	mutex.Lock()
	for s := range stages {
		_ = os.RemoveAll(s.folder) // an error can no longer be reported
	}
}

// newStage creates a stage in folder for the file or directory with the given name.
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
		// Try again if the folder is gone. Another process may have removed it: without a
		// locked file, it looked like a leftover of a killed process.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, &fs.PathError{Op: "lock", Path: folder, Err: syscall.EBUSY}
}

// path returns the path of the file or directory being written.
func (s *stage) path() string { return filepath.Join(s.folder, stageNew) }

// remove removes the stage and everything in it.
func (s *stage) remove() {
	mutex.Lock()
	delete(stages, s)
	mutex.Unlock()
	// An error does not matter: either the result is in place, or another error is reported.
	// Another process will remove the rest.
	_ = os.RemoveAll(s.folder)
	_ = s.lock.Close()
}

// cleaned has the folders in which removeLeftovers has searched. It searches each folder only
// once, because some contain thousands of files.
var cleaned sync.Map

// stageName matches the names of stages.
var stageName = regexp.MustCompile(`^\..*\.tmp-[0-9]+$`)

// removeLeftovers removes the stages left in folder by processes that were killed, which are the
// stages whose lock file is not locked. It also removes empty stages, because a process may have
// been killed before it created the lock file.
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
		if lock.Locked() { // in a file system without locks, the process may still be running
			_ = os.RemoveAll(name) // an error does no harm
		}
		_ = lock.Close()
	}
}

// Values of the argument wait of acquire.
const (
	waiting = true
	atOnce  = false
)

// acquire creates a lock file and locks it. If another process holds the lock, acquire waits
// for it, or returns nil if wait is not set. If the file system does not support locks, the
// returned lock is not Locked.
//
// A lock is valid only while its file exists, because release removes the file.
func acquire(name string, wait bool) (*flock.Flock, error) {
	for range triesMax {
		// NFS allows exclusive locks only on files that are open for writing.
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
		own, err := lock.Stat()
		if err == nil {
			var named fs.FileInfo
			if named, err = os.Stat(name); err == nil && os.SameFile(own, named) {
				return lock, nil
			}
		}
		_ = lock.Close() // another process has removed the locked file
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, &fs.PathError{Op: "lock", Path: name, Err: syscall.EBUSY}
}

// release removes a lock file before it unlocks it, so that waiting processes see that the
// file is gone.
func release(lock *flock.Flock) {
	_ = os.Remove(lock.Path()) // a lock file that remains does no harm
	_ = lock.Close()
}

// fsync is (*os.File).Sync. Tests replace it, because they do not need to wait for the disk.
var fsync = (*os.File).Sync

// syncFile flushes a file or directory to the disk.
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
