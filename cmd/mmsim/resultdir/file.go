package resultdir

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A File is a file that replaces the file of its name when it is closed. Until then, and
// after Discard, that file is unchanged. Links are followed: the file that a link points to
// is written, and created if it is missing. A device, a pipe, and a file that is standard
// output or standard error are not replaced but written directly.
//
// A file that is replaced keeps its permissions.
type File struct {
	*buffered
	name  string // as the user wrote it
	real  string // with links resolved
	mode  fs.FileMode
	stage *stage // nil: the file is written directly
}

// CreateFile starts writing a file. Errors name the file; those that the user can correct are
// RefusedErrors.
func CreateFile(name string) (*File, error) {
	real, info, err := destination(name)
	if err != nil {
		return nil, err
	}
	f := &File{name: name, real: real}
	var file *os.File
	switch {
	case info != nil && real == "":
		file, err = openDirectly(name, info)
	default:
		if info != nil {
			f.mode = info.Mode().Perm()
		}
		if f.stage, err = newStage(filepath.Dir(real), filepath.Base(real)); err == nil {
			file, err = os.Create(f.stage.path())
		}
	}
	if err != nil {
		if f.stage != nil {
			f.stage.remove()
		}
		return nil, fault(name, err)
	}
	f.buffered = newBuffered(file)
	return f, nil
}

// buffered is a file that is written in large blocks.
type buffered struct {
	*bufio.Writer
	file *os.File
}

func newBuffered(f *os.File) *buffered { return &buffered{bufio.NewWriterSize(f, 1<<16), f} }

// Close writes the rest and closes the file. It reports an error of any earlier write.
func (b *buffered) Close() error {
	err := b.Flush()
	return first(err, b.file.Close())
}

// openDirectly opens a file that is not replaced. A file that is standard output is written
// through the existing descriptor: a new descriptor would overwrite the file from its
// beginning.
func openDirectly(name string, info fs.FileInfo) (*os.File, error) {
	if standard := standardStream(info); standard != nil {
		return standard, nil
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
}

// standardStream returns standard output or standard error if the file is one of them, else
// nil.
func standardStream(info fs.FileInfo) *os.File {
	for _, standard := range []*os.File{os.Stdout, os.Stderr} {
		if same, err := standard.Stat(); err == nil && os.SameFile(same, info) {
			return standard
		}
	}
	return nil
}

// Close finishes the file: its content is on the disk before it is renamed.
func (f *File) Close() error {
	err := f.Flush()
	if f.stage == nil {
		return fault(f.name, first(err, f.closeDirect()))
	}
	if err == nil && f.mode != 0 {
		err = f.file.Chmod(f.mode)
	}
	if err == nil {
		err = fsync(f.file)
	}
	if err = first(err, f.file.Close()); err == nil {
		busy.RLock()
		err = os.Rename(f.stage.path(), f.real)
		if err == nil {
			err = syncFile(filepath.Dir(f.real))
		}
		busy.RUnlock()
	}
	f.stage.remove()
	f.stage = nil
	return fault(f.name, err)
}

// Discard drops the new content. Content that was written directly stays.
func (f *File) Discard() {
	if f.stage == nil {
		_ = f.closeDirect() // the caller has an error already, and reports that
		return
	}
	_ = f.file.Close() // the file is removed next
	f.stage.remove()
}

// closeDirect closes a file that is not replaced, unless it is a standard stream.
func (f *File) closeDirect() error {
	if f.file == os.Stdout || f.file == os.Stderr {
		return nil
	}
	return f.file.Close()
}

// WriteFile calls write to write a whole file. See File.
func WriteFile(name string, write func(io.Writer) error) error {
	f, err := CreateFile(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Discard()
		return fault(name, err)
	}
	return f.Close()
}

// CheckFile reports whether a file can be written, as far as that can be checked before: it
// returns the error that CreateFile would return.
func CheckFile(name string) error {
	_, _, err := destination(name)
	return err
}

// destination finds the file that a name refers to; info is nil if there is none. real is ""
// if the file has no name: an open file of a process, such as standard output.
func destination(name string) (real string, info fs.FileInfo, err error) {
	if name == "" || os.IsPathSeparator(name[len(name)-1]) {
		return "", nil, refusef("%s: expected the name of a file", name)
	}
	switch info, err = os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return "", nil, fault(name, err)
	case info.IsDir():
		return "", nil, refusef("%s: is a directory, expected the name of a file to write", name)
	case info.Mode()&fs.ModeSocket != 0:
		return "", nil, refusef("%s: is a socket, expected a file, a pipe or a device", name)
	case !info.Mode().IsRegular() || standardStream(info) != nil:
		return "", info, nil
	}
	if real, err = resolve(name); err != nil {
		return "", nil, err
	}
	if info != nil {
		// A link in /proc may point to a file that was removed.
		if named, err := os.Lstat(real); err != nil || !os.SameFile(named, info) {
			return "", info, nil
		}
	}
	if folder, err := os.Stat(filepath.Dir(real)); err != nil || !folder.IsDir() {
		return "", nil, refusef("%s: expected a file in a folder that is there", name)
	}
	return real, info, nil
}

// linksMax is the maximum number of successive links, as in Linux.
const linksMax = 40

// resolve follows the links of a name until it is no link; the result need not exist.
func resolve(name string) (string, error) {
	real, err := filepath.Abs(name)
	if err != nil {
		return "", refusef("%s: the working directory is gone: %w", name, err)
	}
	for range linksMax {
		if folder, err := filepath.EvalSymlinks(filepath.Dir(real)); err == nil {
			real = filepath.Join(folder, filepath.Base(real))
		}
		info, err := os.Lstat(real)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0:
			return real, nil
		case err != nil:
			return "", fault(name, err)
		}
		to, err := os.Readlink(real)
		if err != nil {
			return "", fault(name, err)
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(real), to)
		}
		real = filepath.Clean(to)
	}
	return "", fault(name, syscall.ELOOP)
}

// fault prefixes an error of the system with the name that the user wrote.
func fault(name string, err error) error {
	if refused := (*RefusedError)(nil); err == nil || errors.As(err, &refused) {
		return err
	}
	if detail := (*fs.PathError)(nil); errors.As(err, &detail) {
		err = detail.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		err = link.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// first returns the first of two errors that is not nil.
func first(one, other error) error {
	if one != nil {
		return one
	}
	return other
}
