package resultdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// linksMax is the maximum number of successive symbolic links, as in Linux.
const linksMax = 40

// resolve follows symbolic links until the name is not a link. The resulting file need not
// exist.
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

// holds reports whether file is dir or is inside dir, either by its path as given or by its path
// with symbolic links resolved.
func holds(dir, file string) bool {
	names := []string{file}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		names = append(names, real)
	}
	for _, name := range names {
		name, err := filepath.Abs(name)
		for ; err == nil; name = filepath.Dir(name) {
			if isSame(name, dir) {
				return true
			}
			if name == filepath.Dir(name) {
				break
			}
		}
	}
	return false
}

// isSame reports whether two names refer to the same file or directory.
func isSame(one, other string) bool {
	a, err := os.Stat(one)
	b, otherErr := os.Stat(other)
	return err == nil && otherErr == nil && os.SameFile(a, b)
}

// prefix returns the beginning of the names of all temporary files and folders for name. It
// shortens a long name to leave room for a suffix.
func prefix(name string) string {
	const longest = 200 // of the 255 bytes that file systems allow
	return "." + strings.ToValidUTF8(name[:min(len(name), longest)], "") + ".tmp-"
}

// isTemporary reports whether a name in a result directory is that of a stage or a lock. They are
// there if there was no room beside the directory.
func isTemporary(dir, name string) bool { return strings.HasPrefix(name, prefix(filepath.Base(dir))) }

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
