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

// ReadHashed opens a file, passes it to read and returns the hash of the file's content, which it fixes
// (see FixContents).
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
	return hex.EncodeToString(sum.Sum(nil)), Fix(file, [sha256.Size]byte(sum.Sum(nil)))
}

// ReaderError adds the file's name to a system error. Errors about the content of the file
// already contain it.
func ReaderError(file string, err error) error {
	var detail *os.PathError
	if errors.As(err, &detail) {
		return Error(file, err)
	}
	return err
}

// Shown returns a file's name for messages. It is relative to the working directory if that is
// shorter.
func Shown(file string) string {
	if file == Stdin {
		return StdinShown
	}
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

// TotalSize returns the total size of files in bytes. It returns 0 if one of them is not a
// regular file, because the size of a pipe, for example, is unknown.
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
