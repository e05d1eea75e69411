package resultdir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"mmsim/cmd/mmsim/disk"
)

// lockTitle begins the text of every lock file. A file without it is not ours.
const lockTitle = "mmsim lock "

// triesMax is the maximum number of attempts to create a lock file or a stage while other processes
// remove it.
const triesMax = 100

// lockBytesMax is the maximum size of a lock file.
const lockBytesMax = 1 << 12

// Lengths of waits for a lock.
const (
	waitPoll   = 50 * time.Millisecond
	waitSilent = time.Second // before the first word
)

// acquire creates a lock file and locks it. If another process holds the lock of a result directory,
// acquire waits as d says (see Dir.Attend). If d is nil, it returns nil instead. A lock that a killed
// process left is free. If the file system does not support locks, the returned lock is not Locked.
//
// The file says who holds the lock. It is valid only while its file exists, because release removes
// the file. A file that is not a lock, or is a link to one, is never opened.
func acquire(name string, d *Dir) (*flock.Flock, error) {
	began, told := time.Now(), false
	for tries := 0; d != nil || tries < triesMax; tries++ {
		created, err := createLock(name)
		if err != nil {
			return nil, err
		}
		// NFS allows exclusive locks only on files that are open for writing.
		lock := flock.New(name, flock.SetFlag(os.O_RDWR|disk.NoFollow))
		locked, err := lock.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // another process released it
		case isAny(err, errors.ErrUnsupported, syscall.ENOLCK):
			return lock, nil
		case err != nil:
			return nil, err
		case locked && isAt(lock, name) && created:
			return lock, nil
		case locked && isAt(lock, name): // its holder was killed
			if disk.Remove(name) != nil {
				return lock, nil // the file of another user in a sticky folder: the lock is as good
			}
			_ = lock.Close() // the next file says who has it
			continue
		case locked:
			_ = lock.Close() // another process has removed the locked file
			continue
		case d == nil:
			return nil, nil
		}
		if !told && time.Since(began) > waitSilent {
			told = true
			fmt.Fprintf(d.out, "%s: waiting for %s\n", d.shown, holder(name))
		}
		select {
		case <-d.ctx.Done():
			return nil, fmt.Errorf("%s: still waiting for %s: %w", d.shown, holder(name), context.Cause(d.ctx))
		case <-time.After(waitPoll):
		}
	}
	return nil, &fs.PathError{Op: "lock", Path: name, Err: syscall.EBUSY}
}

// createLock creates a lock file that names this process. It reports false if the file exists.
func createLock(name string) (created bool, err error) {
	switch text, err := readLock(name); {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, fs.ErrInvalid), text != "" && !strings.HasPrefix(text, lockTitle):
		return false, refusef("%s: mmsim needs this name for a lock, and it is something else: expected it elsewhere", name)
	default:
		return false, err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	text := fmt.Sprintf("%s%s\n%s (process %d on %s), since %s\n", lockTitle, filepath.Base(filepath.Dir(name)),
		command(), os.Getpid(), host, time.Now().Format(time.DateTime))
	err = disk.Write(name, []byte(text), 0o666)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// command returns the command that this process runs, such as "mmsim run".
func command() string {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		return "mmsim " + os.Args[1]
	}
	return "mmsim"
}

// readLock returns the text of a lock file, which is empty if its process was killed before it wrote it.
// The error is fs.ErrInvalid for anything but a regular file that can be read.
func readLock(name string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", err
	}
	if info.Mode().IsRegular() && info.Size() <= lockBytesMax {
		text, err := os.ReadFile(name)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return string(text), err
		}
	}
	return "", &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
}

// holder returns who holds a lock, in the words of its file.
func holder(name string) string {
	text, _ := readLock(name)
	if _, who, found := strings.Cut(text, "\n"); found && who != "" {
		return strings.TrimSuffix(who, "\n")
	}
	return "another process"
}

// isAt reports whether the locked file still has its name.
func isAt(lock *flock.Flock, name string) bool {
	own, err := lock.Stat()
	named, otherErr := os.Lstat(name)
	return err == nil && otherErr == nil && os.SameFile(own, named)
}

// release removes a lock file before it unlocks it, so that waiting processes see that the
// file is gone.
func release(lock *flock.Flock) {
	_ = disk.Remove(lock.Path()) // a lock file that remains does no harm
	_ = lock.Close()
}
