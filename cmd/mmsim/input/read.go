package input

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ReadHashed reads a file through read, and identifies its content.
func ReadHashed(file string, read func(r io.Reader, name string) error) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", Error(Shown(file), err)
	}
	defer f.Close()
	sum := sha256.New()
	both := io.TeeReader(f, sum)
	if err := read(both, Shown(file)); err != nil {
		return "", ReaderError(Shown(file), err)
	}
	if _, err := io.Copy(io.Discard, both); err != nil {
		return "", Error(Shown(file), err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// ReaderError words what a reader of a file returned: messages about its content
// name the file already, failures of the system do not.
func ReaderError(file string, err error) error {
	var detail *os.PathError
	if errors.As(err, &detail) {
		return Error(file, err)
	}
	return err
}

// Shown is a file's name in messages: relative to the working directory where
// that is shorter, as the user would write it.
func Shown(file string) string {
	here, err := os.Getwd()
	if err != nil || file == "" {
		return file
	}
	relative, err := filepath.Rel(here, file)
	if err != nil || strings.HasPrefix(relative, "..") && len(relative) > len(file) {
		return file
	}
	return relative
}

// TotalSize is how many bytes some files have together; 0 where one is no regular file,
// such as a pipe, of which it is not known.
func TotalSize(files []string) (size int64) {
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		size += info.Size()
	}
	return size
}
