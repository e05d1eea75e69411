package input

import "path/filepath"

// Relative names a file from a folder, which need not be there yet. Symbolic links on the
// way to both are followed first, because a step up leads out of where a link points to.
// It stays absolute where there is no such way, as between drives.
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

// followed is a folder without symbolic links, as far as it is there.
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
