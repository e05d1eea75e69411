package resultdir

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mmsim/cmd/mmsim/disk"
)

// A File replaces an existing file when it is closed. Until then, and after Discard, the
// existing file is unchanged. It keeps its permissions when it is replaced. If the name is a
// symbolic link, File writes the file that the link points to, even if that file does not
// exist yet.
//
// Devices, pipes, standard output and standard error are not replaced but written directly.
type File struct {
	*buffered
	name  string // as the user wrote it
	real  string // with symbolic links resolved
	exist bool   // the file exists
	stage *stage // nil if the file is written directly
}

// CreateFile starts writing a file. Errors contain the file's name. IsMendable reports whether
// the user can correct an error.
func CreateFile(name string) (*File, error) {
	real, info, err := destination(name)
	if err != nil {
		return nil, err
	}
	f := &File{name: name, real: real, exist: info != nil}
	var file disk.File
	if info != nil && real == "" {
		file, err = openDirectly(name, info)
	} else if f.stage, err = newStage(filepath.Dir(real), filepath.Base(real)); err == nil {
		file, err = disk.Create(f.stage.path(), 0o666)
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
	file disk.File
}

func newBuffered(f disk.File) *buffered { return &buffered{bufio.NewWriterSize(f, 1<<16), f} }

// Close flushes the buffer and closes the file. It also reports errors of earlier writes.
func (b *buffered) Close() error {
	return cmp.Or(b.Flush(), b.file.Close())
}

// openDirectly opens a file that is written directly. It returns os.Stdout or os.Stderr if the
// file is one of them, because a new file descriptor would have its own position and overwrite
// the beginning of the file.
func openDirectly(name string, info fs.FileInfo) (disk.File, error) {
	if standard := standardStream(info); standard != nil {
		return standard, nil
	}
	return disk.Append(name)
}

// standardStream returns os.Stdout or os.Stderr if the file is one of them, and nil otherwise.
func standardStream(info fs.FileInfo) *os.File {
	for _, standard := range []*os.File{os.Stdout, os.Stderr} {
		if same, err := standard.Stat(); err == nil && os.SameFile(same, info) {
			return standard
		}
	}
	return nil
}

// Close finishes the file. It flushes the content to the disk before it renames the file. If it
// cannot be renamed, the content is kept beside it, and the error says where.
func (f *File) Close() error {
	err := f.Flush()
	if f.stage == nil {
		return fault(f.name, cmp.Or(err, f.closeDirect()))
	}
	if err == nil {
		err = f.file.Sync()
	}
	if err = cmp.Or(err, f.file.Close()); err == nil && f.exist {
		err = disk.Like(f.stage.path(), f.real)
		if isAny(err, fs.ErrPermission, errors.ErrUnsupported, fs.ErrNotExist) {
			err = nil // the file then belongs to this user
		}
	}
	if err == nil {
		busy.RLock()
		if err = disk.Rename(f.stage.path(), f.real); err == nil {
			err = disk.Sync(filepath.Dir(f.real))
		} else {
			err = f.keepBeside(err)
		}
		busy.RUnlock()
	}
	f.stage.remove()
	f.stage = nil
	return fault(f.name, err)
}

// keepBeside moves the content to a name beside the file: NAME.new, or NAME.new-2 and so on.
func (f *File) keepBeside(cause error) error {
	for i := 1; i <= keptMax; i++ {
		beside := newSuffix
		if i > 1 {
			beside = fmt.Sprintf("%s-%d", beside, i)
		}
		switch err := disk.Link(f.stage.path(), f.real+beside); {
		case err == nil:
			return &UnpublishedError{Kept: f.name + beside, Cause: fault(f.name, cause)}
		case !errors.Is(err, fs.ErrExist):
			return cause
		}
	}
	return cause
}

// Discard drops the new content. It cannot undo writes to a file that is written directly.
func (f *File) Discard() {
	if f.stage == nil {
		_ = f.closeDirect() // the caller already has an error to report
		return
	}
	_ = f.file.Close() // the file is removed next
	f.stage.remove()
}

// closeDirect closes a file that was written directly, except a standard stream.
func (f *File) closeDirect() error {
	if f.file == os.Stdout || f.file == os.Stderr {
		return nil
	}
	return f.file.Close()
}

// WriteFile writes a File with the content that write produces.
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

// Store writes a file below a result directory at any time, also while another process publishes a
// result there. The file is not part of the result: a later result leaves it where it is.
// MakeFolder has created its folder.
func Store(dir, name string, write func(io.Writer) error) error {
	target, err := resolve(dir)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, name)
	s, err := newStage(roomFor(target), filepath.Base(target))
	if err != nil {
		return fault(file, err)
	}
	defer s.remove()
	if err := s.write(write); err != nil {
		return fault(file, err)
	}
	busy.RLock()
	defer busy.RUnlock()
	return fault(file, rename(s.path(), filepath.Join(target, name)))
}

// MakeFolder creates a folder for [Store] in a result directory.
func MakeFolder(dir, name string) error {
	folder := filepath.Join(dir, name)
	_, err := makeFolder(folder)
	return fault(folder, err)
}

// CheckFile returns the error that CreateFile would return because of the file's name. It does
// not create the file.
func CheckFile(name string) error {
	_, _, err := destination(name)
	return err
}

// destination finds the file to write. info is nil if the file does not exist. real is "" if
// the file must be written directly.
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
		// Write directly if real is another file: a link in /proc may point to a removed file.
		if named, err := os.Lstat(real); err != nil || !os.SameFile(named, info) {
			return "", info, nil
		}
	}
	if folder, err := os.Stat(filepath.Dir(real)); err != nil || !folder.IsDir() {
		return "", nil, refusef("%s: expected a file in an existing folder", name)
	}
	return real, info, nil
}
