// Package disk changes files. No other package of mmsim does: what a command creates, renames or
// removes goes through the functions here. Tests replace the disk below them by one that fails at a
// chosen call; see package disktest.
//
// Reading is not part of it: the other packages read with package os.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A Disk is what this package changes files with. Every method is one change, which a crash may
// precede or follow.
type Disk interface {
	// Create creates a file for writing. It fails if there is anything with that name, such as a
	// link.
	Create(name string, perm fs.FileMode) (File, error)
	// Append opens a file, pipe or device, to write at its end. It creates a file that does not exist.
	Append(name string) (File, error)
	Mkdir(name string, perm fs.FileMode) error // creates a folder
	// Link gives a file a second name.
	Link(from, to string) error
	Symlink(target, name string) error // creates a symbolic link
	// Rename renames a file or folder. It replaces a file that has the new name.
	Rename(from, to string) error
	// Exchange exchanges the names of two folders in one step. If the system cannot do this, the
	// error is errors.ErrUnsupported.
	Exchange(one, other string) error
	Remove(name string) error // removes a file or an empty folder
	// RemoveAll removes a file or folder with all it contains. It follows no links. If a folder in it
	// is a mount, it removes nothing.
	RemoveAll(name string) error
	// Like gives a file or folder the owner and the permissions of model. If model has extended
	// attributes that the other one has not, such as access control lists, the error is
	// errors.ErrUnsupported.
	Like(name, model string) error
	// Sync flushes a file or a folder to the disk. For a folder, these are the names in it.
	Sync(name string) error
}

// A File is a file that is being written.
type File interface {
	io.WriteCloser
	Sync() error
	Stat() (fs.FileInfo, error)
}

var current Disk = OS{}

// Replace replaces the disk of the process, and returns a function that restores it. It is for
// tests, and not safe while another goroutine changes files.
func Replace(d Disk) (restore func()) {
	previous := current
	current = d
	return func() { current = previous }
}

// These are the methods of the disk of the process; see [Disk].

func Create(name string, perm fs.FileMode) (File, error) { return current.Create(name, perm) }
func Append(name string) (File, error)                   { return current.Append(name) }
func Mkdir(name string, perm fs.FileMode) error          { return current.Mkdir(name, perm) }
func Link(from, to string) error                         { return current.Link(from, to) }
func Symlink(target, name string) error                  { return current.Symlink(target, name) }
func Rename(from, to string) error                       { return current.Rename(from, to) }
func Exchange(one, other string) error                   { return current.Exchange(one, other) }
func Remove(name string) error                           { return current.Remove(name) }
func RemoveAll(name string) error                        { return current.RemoveAll(name) }
func Like(name, model string) error                      { return current.Like(name, model) }
func Sync(name string) error                             { return current.Sync(name) }

// MkdirAll creates a folder and the missing folders above it.
func MkdirAll(name string, perm fs.FileMode) error {
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.ENOTDIR}
	}
	if above := filepath.Dir(name); above != name {
		if err := MkdirAll(above, perm); err != nil {
			return err
		}
	}
	err := Mkdir(name, perm)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		if info, statErr := os.Stat(name); statErr == nil && info.IsDir() {
			return nil
		}
	}
	return err
}

// Write writes a new file. If it cannot write all of it, it removes the file.
func Write(name string, content []byte, perm fs.FileMode) error {
	f, err := Create(name, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = Remove(name) // the error that is reported says more
	}
	return err
}
