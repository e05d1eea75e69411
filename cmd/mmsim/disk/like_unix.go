//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

func (OS) Like(name, model string) error {
	want, err := os.Lstat(model)
	if err != nil {
		return err
	}
	is, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if !hasAttributesOf(name, model) {
		return &fs.PathError{Op: "copy the attributes of", Path: model, Err: errors.ErrUnsupported}
	}
	if of := owner(want); owner(is) != of {
		err = os.Chown(name, int(of.uid), int(of.gid)) // which may change the permissions, too
	}
	const bits = fs.ModePerm | fs.ModeSetgid | fs.ModeSetuid | fs.ModeSticky
	if is.Mode()&bits != want.Mode()&bits || owner(is) != owner(want) {
		err = errors.Join(err, os.Chmod(name, want.Mode()&bits))
	}
	return err
}

type owners struct{ uid, gid uint32 }

func owner(info fs.FileInfo) (o owners) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		o = owners{s.Uid, s.Gid}
	}
	return o
}

// hasAttributesOf reports whether a file has all extended attributes of model. Files of some file
// systems have none, and the system labels files by itself (security).
func hasAttributesOf(name, model string) bool {
	list := make([]byte, 1<<16)
	n, err := unix.Llistxattr(model, list)
	if err != nil {
		return errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM)
	}
	for _, attribute := range strings.Split(strings.TrimSuffix(string(list[:n]), "\x00"), "\x00") {
		if attribute == "" || strings.HasPrefix(attribute, "security.") {
			continue
		}
		var values [2][1 << 12]byte
		one, err := unix.Lgetxattr(model, attribute, values[0][:])
		other, otherErr := unix.Lgetxattr(name, attribute, values[1][:])
		if err != nil || otherErr != nil || string(values[0][:one]) != string(values[1][:other]) {
			return false
		}
	}
	return true
}

// Owned reports whether this user owns a file.
func Owned(info fs.FileInfo) bool {
	return int(owner(info).uid) == os.Geteuid()
}

// isOnOwnDevice reports whether a folder is on another device than the folder above it.
func isOnOwnDevice(name string) bool {
	var is, above unix.Stat_t
	return unix.Lstat(name, &is) == nil && unix.Lstat(filepath.Dir(name), &above) == nil && is.Dev != above.Dev
}

// NoFollow is a flag of os.OpenFile: a symbolic link is not opened.
const NoFollow = unix.O_NOFOLLOW
