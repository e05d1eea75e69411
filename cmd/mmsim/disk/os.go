package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// OS is the disk of the operating system.
type OS struct{}

// Create implements [Disk].
func (OS) Create(name string, perm fs.FileMode) (File, error) {
	return orNil(os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm))
}

// Append implements [Disk].
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

// Mkdir implements [Disk].
func (OS) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }

// Link implements [Disk].
func (OS) Link(from, to string) error { return os.Link(from, to) }

// Symlink implements [Disk].
func (OS) Symlink(target, name string) error { return os.Symlink(target, name) }

// Rename implements [Disk].
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Exchange implements [Disk].
func (OS) Exchange(one, other string) error {
	err := exchange(one, other)
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: "exchange", Old: one, New: other, Err: err}
}

// Remove implements [Disk].
func (OS) Remove(name string) error { return os.Remove(name) }

// RemoveAll implements [Disk].
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

// Sync implements [Disk]. A file system that does not support it is no error.
func (OS) Sync(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closing := f.Close(); err == nil {
		err = closing
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// unsupported lists the errors of systems and file systems that cannot exchange two folders.
var unsupported = []error{errors.ErrUnsupported, syscall.ENOSYS, syscall.EINVAL, syscall.EXDEV, syscall.EBUSY}

// asUnsupported returns errors.ErrUnsupported instead of an error that means the same.
func asUnsupported(err error) error {
	for _, same := range unsupported {
		if errors.Is(err, same) {
			return errors.ErrUnsupported
		}
	}
	return err
}
