package resultdir

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// publish moves the files in temp into the directory with the given name. The parameter there
// describes what that directory contains.
//
// If replace is set (Write), the files replace the whole old result. A crash leaves the old
// result, the new result, or a directory with a list (ListFile) but no marker, which the next
// Write completes.
//
// If replace is not set (Add), the files replace only files of the same names. A crash may
// leave some of them replaced and others not.
func (d *Dir) publish(name string, there *content, replace bool) error {
	files, err := filesIn(d.temp())
	if err != nil {
		return err
	}
	next := map[string]bool{}
	for _, file := range files {
		next[file] = true
	}
	if !there.exists {
		return d.publishNew(name, next)
	}
	if err := refuseOtherFiles(name, d.shown+strings.TrimPrefix(name, d.target), files, there); err != nil {
		return err
	}
	all := maps.Clone(there.own)
	maps.Copy(all, next)
	// Write everything that needs disk space before removing the old result.
	lists := [2]string{filepath.Join(d.stage.folder, "all"), filepath.Join(d.stage.folder, "next")}
	for i, own := range []map[string]bool{all, next} {
		if err := d.kind.writeList(lists[i], own); err != nil {
			return err
		}
	}
	if err := d.moveList(lists[0], name); err != nil {
		return err
	}
	if !replace {
		return d.moveIn(name, files, "")
	}
	if err := d.removeOld(name, there.own, next); err != nil {
		return err
	}
	return d.moveIn(name, files, lists[1])
}

// publishNew renames the whole temporary directory.
func (d *Dir) publishNew(name string, own map[string]bool) error {
	if err := d.kind.writeList(filepath.Join(d.temp(), ListFile), own); err != nil {
		return err
	}
	if err := syncFile(d.temp()); err != nil {
		return err
	}
	if err := d.step("rename the directory"); err != nil {
		return err
	}
	if err := os.Rename(d.temp(), name); err != nil {
		return err
	}
	return syncFile(filepath.Dir(name))
}

// moveList renames the file list to the ListFile of the directory name.
func (d *Dir) moveList(list, name string) error {
	if err := d.step("replace the list"); err != nil {
		return err
	}
	if err := os.Rename(list, filepath.Join(name, ListFile)); err != nil {
		return err
	}
	return syncFile(name)
}

// isMarker reports whether a file is the marker of the directory or of a subfolder.
func (d *Dir) isMarker(file string) bool { return path.Base(file) == d.kind.Marker }

// removeOld removes the old result's markers. It then removes the files of the old result that
// the new result does not have.
func (d *Dir) removeOld(name string, own, next map[string]bool) error {
	var markers, others []string
	for file := range own {
		if d.isMarker(file) {
			markers = append(markers, file)
		} else if !next[file] {
			others = append(others, file)
		}
	}
	// Remove the directory's own marker first.
	slices.SortFunc(markers, byDepth)
	slices.Sort(others)
	if err := d.removeFiles(name, markers); err != nil {
		return err
	}
	return d.removeFiles(name, others)
}

// removeFiles removes files, and folders that become empty.
func (d *Dir) removeFiles(name string, files []string) error {
	folders := map[string]bool{}
	for _, file := range files {
		if foreign(name, file) != "" {
			continue // the user has replaced it
		}
		if err := d.step("remove " + file); err != nil {
			return err
		}
		err := os.Remove(filepath.Join(name, file))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	for _, folder := range slices.SortedFunc(maps.Keys(folders), func(a, b string) int { return byDepth(b, a) }) {
		_ = os.Remove(filepath.Join(name, folder)) // fails if the folder is not empty, which is intended
	}
	return syncFile(name)
}

// byDepth orders the files in a folder before those in its subfolders.
func byDepth(a, b string) int {
	if n := strings.Count(a, "/") - strings.Count(b, "/"); n != 0 {
		return n
	}
	return strings.Compare(a, b)
}

// moveIn renames files into a directory. It moves files in subfolders first and markers last.
// Before it moves the directory's own marker, it replaces the directory's ListFile.
func (d *Dir) moveIn(name string, files []string, list string) error {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b string) int {
		if d.isMarker(a) != d.isMarker(b) {
			if d.isMarker(a) {
				return 1
			}
			return -1
		}
		return byDepth(b, a)
	})
	folders := map[string]bool{name: true}
	for _, file := range files {
		to := filepath.Join(name, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if file == d.kind.Marker {
			if err := d.moveList(list, name); err != nil {
				return err
			}
		}
		if d.isMarker(file) { // the other files must be on the disk before the marker says so
			if err := syncFile(filepath.Dir(to)); err != nil {
				return err
			}
		}
		if err := d.step("rename " + file); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(d.temp(), filepath.FromSlash(file)), to); err != nil {
			return err
		}
		folders[filepath.Dir(to)] = true
	}
	for folder := range folders {
		if err := syncFile(folder); err != nil {
			return err
		}
	}
	return nil
}

// refuseOtherFiles returns an error if a file to be written would replace a file that mmsim did
// not write.
func refuseOtherFiles(dir, shown string, files []string, there *content) error {
	const hint = "mmsim did not write it, and the result needs its name: expected it elsewhere, or another output directory"
	if foreign(dir, ListFile) != "" {
		return refusef("%s: %s", filepath.Join(shown, ListFile), hint)
	}
	for _, file := range files {
		if name := foreign(dir, file); name != "" {
			return refusef("%s: %s", filepath.Join(shown, name), hint)
		}
		if _, err := os.Lstat(filepath.Join(dir, file)); err == nil && !there.own[file] {
			return refusef("%s: %s", filepath.Join(shown, file), hint)
		}
	}
	return nil
}

// foreign looks for something at the path of a file that mmsim never creates: a parent that is
// not a folder, or a file that is not regular, such as a symbolic link. It returns the parent
// or file, or "" if there is no such thing.
func foreign(dir, file string) string {
	for i := range len(file) {
		if file[i] != '/' {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, file[:i])); err != nil {
			return "" // it does not exist
		} else if !info.IsDir() {
			return file[:i]
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, file)); err == nil && !info.Mode().IsRegular() {
		return file
	}
	return ""
}

// filesIn lists the files below a folder as sorted slash-separated relative paths.
func filesIn(folder string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, name)
		}
		return err
	})
	return files, err
}

// syncAll flushes everything below a folder to the disk. It flushes files concurrently,
// because it would otherwise spend nearly all of its time waiting for the disk.
func syncAll(folder string) error {
	var group errgroup.Group
	group.SetLimit(32)
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if err == nil {
			group.Go(func() error { return syncFile(name) })
		}
		return err
	})
	return first(err, group.Wait())
}
