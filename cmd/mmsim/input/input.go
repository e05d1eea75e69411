// Package input opens and reads the files that a user names: whole files up to a named
// limit, and folders, of which it opens only regular files. It knows nothing of formats.
//
// It also has helpers for error messages: Bad marks an error that the user can correct, and
// DidYouMean names the word that was probably meant.
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A Limit is the largest size of one kind of file.
type Limit struct {
	Name     string // for messages: MaxConfigBytes
	Bytes    int64  // a whole number of MiB
	Expected string // what such a file is, for messages: "a configuration"
}

// ReadFile reads a whole file of limited size. It may be a pipe, so that shells can
// substitute a process. The error begins with the name of the file.
func ReadFile(file string, limit Limit) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, Error(file, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit.Bytes+1))
	switch {
	case err != nil:
		return nil, Error(file, err)
	case int64(len(text)) > limit.Bytes:
		return nil, fmt.Errorf("%s: larger than %d MiB (limit %s), expected %s", file, limit.Bytes>>20, limit.Name, limit.Expected)
	}
	return text, nil
}

// ReadRegular reads a whole file that the user did not name, such as one that mmsim wrote
// into a folder. It must be a regular file.
func ReadRegular(file string, limit Limit) ([]byte, error) {
	if err := CheckRegular(file); err != nil {
		return nil, err
	}
	return ReadFile(file, limit)
}

// Error is the message about a file that cannot be opened or read, in the form of every
// message about a file: its name first.
func Error(file string, err error) error {
	if detail := (*fs.PathError)(nil); errors.As(err, &detail) {
		err = detail.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// Folder is a folder that opens only regular files and links to them: opening a pipe waits
// for a writer, reading a device may never end, and neither belongs in a folder of results or
// maps.
func Folder(dir string) fs.FS { return folder{os.DirFS(dir)} }

type folder struct{ fs.FS }

// Open opens a regular file or a folder.
func (f folder) Open(name string) (fs.File, error) {
	info, err := fs.Stat(f.FS, name)
	if err != nil {
		return nil, err
	}
	if err := regular(info); err != nil && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f.FS.Open(name)
}

// Stat describes a file without opening it.
func (f folder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

// CheckRegular returns an error, beginning with the name of the file, unless the file is
// regular or a link to a regular file. It is for files that the user did not name singly.
func CheckRegular(file string) error {
	info, err := os.Stat(file)
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return Error(file, err)
	}
	return nil
}

// regular returns an error that says what the file is, or nil if it is regular.
func regular(info fs.FileInfo) error {
	kind := "no file"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return errors.New(kind + ", expected a regular file")
}
