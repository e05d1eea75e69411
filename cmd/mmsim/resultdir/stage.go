package resultdir

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"github.com/gofrs/flock"

	"mmsim/cmd/mmsim/disk"
)

// A stage is a temporary folder for a file or directory that is being written. It contains a
// lock file, which is locked as long as the process runs.
type stage struct {
	folder string
	lock   *flock.Flock
}

// Names in a stage.
const (
	stageLock = "mmsim.lock"
	stageNew  = "new" // the file or directory being written
	stageOld  = "old" // files of the old result; see placement
	stagePlan = "plan.json"
)

// stageName matches the names of stages, which end in a random number.
var stageName = regexp.MustCompile(`^\..*\.tmp-[0-9a-f]{16}$`)

// stages has this process's stages until they are removed. A goroutine that creates a stage or
// publishes a result read-locks busy, so that Abandon waits for it.
var (
	busy   sync.RWMutex
	stages = map[*stage]bool{}
	mutex  sync.Mutex // protects stages
)

// Abandon removes all temporary folders of this process and prevents new ones. It is called
// when an interrupted process ends. It first waits for results that are being published.
func Abandon() {
	busy.Lock()
	mutex.Lock()
	for s := range stages {
		s.clear()
	}
}

// newStage creates a stage in folder for the file or directory with the given name.
func newStage(folder, name string) (*stage, error) {
	removeLeftovers(folder)
	busy.RLock()
	defer busy.RUnlock()
	for range triesMax {
		number := maphash.String(maphash.MakeSeed(), name) // the seed differs between processes and calls
		temp := filepath.Join(folder, fmt.Sprintf("%s%016x", prefix(name), number))
		if err := disk.Mkdir(temp, 0o777); errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		lock, err := acquire(filepath.Join(temp, stageLock), nil)
		if err == nil && lock != nil {
			s := &stage{temp, lock}
			mutex.Lock()
			stages[s] = true
			mutex.Unlock()
			return s, nil
		}
		_ = disk.RemoveAll(temp) // the error that is reported says more
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

// write writes the file of the stage and flushes it to the disk.
func (s *stage) write(content func(io.Writer) error) error {
	w, err := In(s.folder)(stageNew)
	if err != nil {
		return err
	}
	if err := cmp.Or(content(w), w.Close()); err != nil {
		return err
	}
	return disk.Sync(s.path())
}

// forget makes Abandon leave the stage alone.
func (s *stage) forget() {
	mutex.Lock()
	delete(stages, s)
	mutex.Unlock()
}

// remove removes the stage and everything in it. Abandon knows the stage until then, because the
// process may end meanwhile.
func (s *stage) remove() {
	s.clear()
	s.forget()
	_ = s.lock.Close()
}

// clear removes the files of the stage. The plan goes first: from then on, the rest may be removed
// unseen. The lock goes last: another process recognises and removes what remains after an error.
// The error does not matter: either the result is in place, or another error is reported.
func (s *stage) clear() {
	plan := filepath.Join(s.folder, stagePlan)
	if _, err := os.Lstat(plan); err == nil && disk.Remove(plan) != nil {
		return
	}
	entries, err := os.ReadDir(s.folder)
	for _, entry := range entries {
		if entry.Name() != stageLock && err == nil {
			err = disk.RemoveAll(filepath.Join(s.folder, entry.Name()))
		}
	}
	if err == nil {
		_ = disk.RemoveAll(s.folder)
	}
}

// leave ends the stage, and leaves everything in it for the user: without its lock, no process
// takes it for a leftover.
func (s *stage) leave() {
	s.forget()
	_ = disk.Remove(filepath.Join(s.folder, stagePlan)) // there may be none
	release(s.lock)
}

// cleaned has the folders in which removeLeftovers has searched. It searches each folder only
// once, because some contain thousands of files.
var cleaned sync.Map

// removeLeftovers removes the stages that killed processes left in folder. It completes what they
// were publishing.
func removeLeftovers(folder string) {
	if _, done := cleaned.LoadOrStore(folder, true); done {
		return
	}
	for _, name := range stagesIn(folder) {
		removeLeftover(filepath.Join(folder, name))
	}
}

// stagesIn lists what looks like a stage in a folder.
func stagesIn(folder string) (names []string) {
	entries, _ := os.ReadDir(folder) // a folder may be writable but not readable
	for _, entry := range entries {
		if entry.IsDir() && stageName.MatchString(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names
}

// removeLeftover removes a stage if its process was killed, which is so if its lock is free.
func removeLeftover(name string) {
	if disk.Remove(name) == nil {
		return // killed before it wrote the lock file, which leaves an empty folder
	}
	s := lockLeftover(name)
	if s == nil {
		return
	}
	if err := s.settle(); err == nil {
		s.remove()
	}
	_ = s.lock.Close()
}

// lockLeftover locks the stage of a killed process. It returns nil if the folder is not one, or if
// its process is running. A folder that merely has such a name is left alone: a stage belongs to
// this user, and its lock file names it.
func lockLeftover(name string) *stage {
	info, err := os.Lstat(name)
	if err != nil || !info.IsDir() || !disk.Owned(info) {
		return nil
	}
	file := filepath.Join(name, stageLock)
	text, err := readLock(file)
	switch {
	case err != nil:
		return nil
	case text == "": // killed before it wrote the text
		if entries, err := os.ReadDir(name); err != nil || len(entries) != 1 {
			return nil
		}
	case !strings.HasPrefix(text, lockTitle+filepath.Base(name)+"\n"):
		return nil // of another folder: somebody copied a stage
	}
	lock := flock.New(file, flock.SetFlag(os.O_RDWR|disk.NoFollow))
	// In a file system without locks, the process may still be running.
	if locked, err := lock.TryLock(); err == nil && locked && isAt(lock, file) {
		return &stage{name, lock}
	}
	_ = lock.Close()
	return nil
}
