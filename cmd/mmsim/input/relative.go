package input

import (
	"os"
	"path/filepath"
)

// Relative returns the path of file relative to folder, which need not exist yet. It first
// resolves symbolic links in both paths, because ".." refers to the parent of a link's target.
// If there is no relative path, for example between drives, it returns an absolute path.
func Relative(folder, file string) string {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return file
	}
	relative, err := filepath.Rel(followed(folder), filepath.Join(followed(filepath.Dir(file)), filepath.Base(file)))
	if err != nil {
		return file
	}
	return filepath.ToSlash(relative)
}

// linksMax is the maximum number of successive symbolic links, as in Linux.
const linksMax = 40

// Resolved returns the absolute path to which a name leads through symbolic links. Nothing need exist
// there.
func Resolved(name string) string {
	path, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	for range linksMax {
		path = filepath.Join(followed(filepath.Dir(path)), filepath.Base(path))
		to, err := os.Readlink(path)
		if err != nil { // no link
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// followed resolves the symbolic links in the existing part of a folder's path.
func followed(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return real
	}
	above := filepath.Dir(folder)
	if above == folder {
		return folder
	}
	return filepath.Join(followed(above), filepath.Base(folder))
}
