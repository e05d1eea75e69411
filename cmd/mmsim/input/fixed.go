package input

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// A command must not mix two contents of an input, even if it reads the file again for each of its
// jobs. So the first content of a file is the content of the file until the command ends: reading
// another one later is an error.

// contents are the first contents of the files that a command has read.
type contents struct {
	mutex sync.Mutex
	known map[string]content // by absolute path
}

type content struct {
	sum  [sha256.Size]byte
	info fs.FileInfo
}

// fixed are the contents of the running command, or nil if files may change. It is one per process,
// like standard input.
var fixed atomic.Pointer[contents]

// FixContents makes it an error that a file which was read has another content when it is read again.
// This ends when the returned function is called.
func FixContents() (release func()) {
	c := &contents{known: map[string]content{}}
	fixed.Store(c)
	return func() { fixed.CompareAndSwap(c, nil) }
}

// ChangedError is the error for a file whose content changed since the command first read it.
type ChangedError struct{ message string }

func (e *ChangedError) Error() string { return e.message }

// Fix notes the content of a file by its hash. It returns a ChangedError if the file had another
// content before. Files that are not regular have no content to compare.
func Fix(file string, sum [sha256.Size]byte) error {
	c := fixed.Load()
	info, err := os.Stat(file)
	if c == nil || err != nil || !info.Mode().IsRegular() { // a file that is gone was read as a whole
		return nil
	}
	path, err := filepath.Abs(file)
	if err != nil {
		path = file
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	first, isKnown := c.known[path]
	switch {
	case !isKnown:
		c.known[path] = content{sum, info}
	case first.sum != sum:
		return Bad(&ChangedError{fmt.Sprintf("%s: changed since the command first read it (it had %d bytes, now %d), expected a file that stays the same until the command ends; copy it first",
			Shown(file), first.info.Size(), info.Size())})
	}
	return nil
}

// CheckFixed returns a ChangedError if the content of a file is not the one that was fixed. It hashes
// the file only if its size or time changed. It is for files that are read in parts.
func CheckFixed(file string) error {
	c := fixed.Load()
	path, err := filepath.Abs(file)
	if c == nil || err != nil {
		return nil
	}
	c.mutex.Lock()
	first, isKnown := c.known[path]
	c.mutex.Unlock()
	if !isKnown || changed(file, first.info) == "" {
		return nil
	}
	_, err = ReadHashed(file, func(io.Reader, string) error { return nil })
	if errors.Is(err, fs.ErrNotExist) {
		return Bad(&ChangedError{fmt.Sprintf("%s: removed since the command first read it, expected a file that stays the same until the command ends", Shown(file))})
	}
	return err
}
