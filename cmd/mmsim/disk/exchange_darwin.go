package disk

import "golang.org/x/sys/unix"

func exchange(one, other string) error {
	return unix.RenamexNp(one, other, unix.RENAME_SWAP)
}
