package results

import (
	"archive/zip"
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

// PackMaps encodes some of the latency maps in a folder. Of those that are not used, it keeps only the
// names, as empty files.
func PackMaps(folder string, used, unused []string) ([]byte, error) {
	return archive(func(z *zip.Writer) error {
		for _, name := range used {
			if err := packFile(z, os.DirFS(folder), name, 0); err != nil {
				return err
			}
		}
		for _, name := range unused {
			if _, err := z.Create(name); err != nil {
				return err
			}
		}
		return nil
	})
}

// UnpackFolder writes the files of a program's folder, or latency maps, to another folder. No file name in
// the archive can lead outside of the folder. Programs stay executable only if isProgram is set.
func UnpackFolder(content []byte, dir string, isProgram bool) error {
	modes := fs.FileMode(0)
	if isProgram {
		modes = 0o111
	}
	return unpack(content, dir, input.Limit{Name: "ArchiveBytesMax", Bytes: ArchiveBytesMax}, modes)
}
