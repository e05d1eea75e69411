//go:build !linux

package disk

// IsMount reports whether a folder is the root of a mount.
func IsMount(name string) bool { return isOnOwnDevice(name) }
