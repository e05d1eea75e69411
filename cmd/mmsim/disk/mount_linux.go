package disk

import "golang.org/x/sys/unix"

// IsMount reports whether a folder is the root of a mount, such as a volume of a container. It may be
// on the same device as the folder above.
func IsMount(name string) bool {
	var s unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, name, unix.AT_SYMLINK_NOFOLLOW, 0, &s)
	if err == nil && s.Attributes_mask&unix.STATX_ATTR_MOUNT_ROOT != 0 {
		return s.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
	}
	return isOnOwnDevice(name) // Linux before 5.8
}
