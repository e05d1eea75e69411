//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

// Like sets only the permissions, because this system has nothing else.
func (OS) Like(name, model string) error {
	info, err := os.Lstat(model)
	if err != nil {
		return err
	}
	return os.Chmod(name, info.Mode().Perm())
}

// Owned reports whether this user owns a file. This system does not say.
func Owned(fs.FileInfo) bool { return true }

// isOnOwnDevice reports whether a folder is on another device than the folder above it. This system
// does not say.
func isOnOwnDevice(string) bool { return false }

// NoFollow is a flag of os.OpenFile: a symbolic link is not opened. This system has none.
const NoFollow = 0
