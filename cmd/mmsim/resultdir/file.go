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

// A File is a file that takes its name when it is closed: until then, and after Discard, what
// stood under the name is as it was. Links are followed: the file that a link points at is
// written, and made where it is not there. A device, a pipe, and what is standard output or
// standard error are written to as they are, at once.
//
// A file that is replaced keeps its permissions.
type File struct {
	*buffered
	name  string // as the user wrote it
	real  string // behind all links
	mode  fs.FileMode
	stage *stage // nil: written to directly
}

// CreateFile begins a file. Errors name the file; those that the user can mend are
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

// buffered is a file that is written in large pieces.
type buffered struct {
	*bufio.Writer
	file *os.File
}

func newBuffered(f *os.File) *buffered { return &buffered{bufio.NewWriterSize(f, 1<<16), f} }

// Close writes what is left and closes the file. It reports what any write missed.
func (b *buffered) Close() error {
	err := b.Flush()
	return first(err, b.file.Close())
}

// openDirectly opens what is not replaced. What is standard output already is written through
// the same descriptor: opened anew, a file behind it would be written from its beginning.
func openDirectly(name string, info fs.FileInfo) (*os.File, error) {
	if standard := standardStream(info); standard != nil {
		return standard, nil
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
}

// standardStream returns standard output or error where that is the file, else nil.
func standardStream(info fs.FileInfo) *os.File {
	for _, standard := range []*os.File{os.Stdout, os.Stderr} {
		if same, err := standard.Stat(); err == nil && os.SameFile(same, info) {
			return standard
		}
	}
	return nil
}

// Close finishes the file: it is on the disk before it has its name.
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

// Discard leaves what stands under the name as it was. What was written to directly has got
// what it has got.
func (f *File) Discard() {
	if f.stage == nil {
		_ = f.closeDirect() // the caller has an error already, which is the message
		return
	}
	_ = f.file.Close() // what is removed need not be whole
	f.stage.remove()
}

// closeDirect closes what is not replaced, unless it is a standard stream.
func (f *File) closeDirect() error {
	if f.file == os.Stdout || f.file == os.Stderr {
		return nil
	}
	return f.file.Close()
}

// WriteFile writes a whole file through write. See File.
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

// CheckFile tells whether a file can be written under a name, as far as that is known before:
// the error is what CreateFile would say.
func CheckFile(name string) error {
	_, _, err := destination(name)
	return err
}

// destination finds what stands behind a name; info is nil where nothing does. real is ""
// where it has no name of its own: an open file of a process, such as standard output.
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
		// Behind a link into /proc may be a file that has lost its name.
		if named, err := os.Lstat(real); err != nil || !os.SameFile(named, info) {
			return "", info, nil
		}
	}
	if folder, err := os.Stat(filepath.Dir(real)); err != nil || !folder.IsDir() {
		return "", nil, refusef("%s: expected a file in a folder that is there", name)
	}
	return real, info, nil
}

// linksMax bounds how many links in a row are followed, as Linux does.
const linksMax = 40

// resolve follows the links of a name to a name that is none, which need not be there.
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

// fault puts the name that the user wrote before an error of the system.
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

// first returns the first error of two.
func first(one, other error) error {
	if one != nil {
		return one
	}
	return other
}
