package disk

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// OS is the disk of the operating system, a [Disk].
type OS struct{}

func (OS) Create(name string, perm fs.FileMode) (File, error) {
	return orNil(os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm))
}

func (OS) Append(name string) (File, error) {
	return orNil(os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666))
}

// orNil returns a nil File after an error, which a nil *os.File in an interface is not.
func orNil(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (OS) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }
func (OS) Link(from, to string) error                { return os.Link(from, to) }
func (OS) Symlink(target, name string) error         { return os.Symlink(target, name) }
func (OS) Rename(from, to string) error              { return os.Rename(from, to) }
func (OS) Remove(name string) error                  { return os.Remove(name) }

// unsupported lists the errors of systems and file systems that cannot exchange two folders.
var unsupported = []error{errors.ErrUnsupported, syscall.ENOSYS, syscall.EINVAL, syscall.EXDEV, syscall.EBUSY}

func (OS) Exchange(one, other string) error {
	err := exchange(one, other)
	if err == nil {
		return nil
	}
	if slices.ContainsFunc(unsupported, func(same error) bool { return errors.Is(err, same) }) {
		err = errors.ErrUnsupported
	}
	return &os.LinkError{Op: "exchange", Old: one, New: other, Err: err}
}

func (OS) RemoveAll(name string) error {
	err := filepath.WalkDir(name, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && IsMount(file) {
			return &fs.PathError{Op: "remove", Path: file, Err: syscall.EBUSY}
		}
		return nil // os.RemoveAll reports what cannot be read
	})
	if err != nil {
		return err
	}
	return os.RemoveAll(name)
}

// Sync returns no error if the file system does not support it.
func (OS) Sync(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	if err = cmp.Or(f.Sync(), f.Close()); errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
