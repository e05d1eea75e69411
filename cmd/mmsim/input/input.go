// Package input opens and reads the files that a user names. It limits the size of files that
// are read as a whole, and opens only regular files in folders. It does not interpret their
// content.
//
// It also has helpers for error messages. Bad marks an error that the user can correct.
// DidYouMean suggests a known word for a misspelled one.
package input

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// A Limit is the maximum size of a type of file.
type Limit struct {
	Name     string // name in messages, such as MaxConfigBytes
	Bytes    int64  // a multiple of 1 MiB
	Expected string // type of file in messages, such as "a configuration"
}

// ReadFile reads a whole file of limited size, and fixes its content (see FixContents). The file may
// be a pipe, so that process substitution in a shell works. The error begins with the name of the
// file.
func ReadFile(file string, limit Limit) ([]byte, error) {
	text, err := readFile(file, limit)
	if err == nil {
		err = Fix(file, sha256.Sum256(text))
	}
	return text, err
}

func readFile(file string, limit Limit) ([]byte, error) {
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

// ReadRegular reads a whole file that the user did not name, such as a file in a result
// directory. It must be a regular file. A command may change it.
func ReadRegular(file string, limit Limit) ([]byte, error) {
	if err := CheckRegular(file); err != nil {
		return nil, err
	}
	return readFile(file, limit)
}

// Error returns the error for a file that cannot be opened or read. Like all messages about
// files, it begins with the name of the file.
func Error(file string, err error) error {
	if detail := (*fs.PathError)(nil); errors.As(err, &detail) {
		err = detail.Err
	}
	if errors.Is(err, syscall.EISDIR) {
		return fmt.Errorf("%s: %w, expected a file", file, err)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// Folder returns a file system that opens only regular files, and links to them. Opening a
// pipe would block until something writes to it, and reading a device may never end. Folders
// of results or maps do not contain such files.
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

// CheckRegular returns an error unless file is a regular file or a link to one. The error
// begins with the name of the file. CheckRegular is for files that the user did not name
// individually.
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

// regular returns an error that describes the file unless it is a regular file.
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
