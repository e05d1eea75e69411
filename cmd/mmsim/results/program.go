package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
)

// Limits of the folder of a matchmaker program that workers get.
const (
	ProgramBytesMax = 8 << 20
	ProgramFilesMax = 1000 // files and folders
)

// PackProgram encodes the folder in which a matchmaker program runs, or returns an error that says why it
// is not sent to other machines. It leaves out results of mmsim, and files and folders whose names begin
// with a dot.
func PackProgram(folder string) ([]byte, error) {
	home, err := os.UserHomeDir()
	if above, is := filepath.Rel(folder, home); err == nil && is == nil && filepath.IsLocal(above) {
		return nil, errors.New("it contains the home folder; move the program to a folder of its own")
	}
	files, size := 0, int64(0)
	return pack(folder, 0o111, func(name string, entry fs.DirEntry) (bool, error) {
		if strings.HasPrefix(entry.Name(), ".") {
			return false, nil
		}
		if entry.IsDir() {
			if _, err := os.Stat(filepath.Join(folder, name, resultdir.ListFile)); err == nil {
				return false, nil
			}
		} else if !entry.Type().IsRegular() {
			return false, fmt.Errorf("it has %s, which is a link or a special file", name)
		}
		info, err := entry.Info()
		if err != nil {
			return false, err
		}
		if info.Mode().IsRegular() {
			size += info.Size()
		}
		if files++; files > ProgramFilesMax || size > ProgramBytesMax {
			return false, fmt.Errorf("it has more than %d files or %d MiB (limits ProgramFilesMax, ProgramBytesMax); move the program to a folder of its own", ProgramFilesMax, ProgramBytesMax>>20)
		}
		return true, nil
	})
}

// UnpackProgram writes the files of a program's folder to another folder. No file name in the archive can
// lead outside of the folder.
func UnpackProgram(content []byte, dir string) error {
	return unpack(content, dir, input.Limit{Name: "ProgramBytesMax", Bytes: ProgramBytesMax}, 0o111)
}
