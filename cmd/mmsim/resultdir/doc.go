// Package resultdir writes mmsim's output to disk: result directories, which appear
// completely or not at all, and single files. It replaces only files that mmsim wrote.
//
// The steps of writing a result directory:
//
//	Claim ──► Begin ──► In(d.Temp()) … ──► Commit ──► DIR, or DIR.partial
//	  │         │                            │
//	  │         │                            ├─ DIR is new: one rename
//	  │         │                            └─ DIR is a result: add the new names to the list of its
//	  │         │                               files, remove the old marker, remove old files, rename
//	  │         │                               new files into DIR one by one, the marker last
//	  │         └─ creates a temporary directory beside DIR, locked while this process lives
//	  └─ writes nothing: checks that DIR is free, or a result of the same command without an input in it
//
// The marker is the file that says that a directory is whole: summary.json for a run. A
// directory with its marker is whole. A directory without its marker is not a result; its
// list (ListFile) says that mmsim wrote it, and the next Commit completes it. Directories of
// versions that kept no list are recognised by their marker, and files in them by the names
// that those versions wrote. All other files in a directory belong to the user: they stay,
// and if one of them has a name that a result needs, the result is refused.
//
// A command that writes a directory needs three calls:
//
//	d, err := resultdir.Claim(dir, kind, inputs...)  // before the work
//	err = d.Begin()                                  // defer d.Discard()
//	name, err := d.Commit(complete)                  // files are in d.Temp()
//
// # Locks
//
// Two processes that commit to one directory take turns: each locks a file beside the
// directory while it renames. A temporary directory also contains a lock file, which is
// locked while its process lives. If a process was killed, its lock is free, and the next
// process that writes there removes the leftovers. Process numbers are not used, because
// folders are shared between machines.
//
// The locks are flock(2), which Linux supports over NFS (since version 2.6.12) and SMB. Some
// mounts limit locks to one machine (NFS with local_lock, Lustre with localflock), and some
// have none at all (Lustre without flock). On these, nothing separates two machines that
// commit to one directory at the same instant; without locks, leftovers also stay. The files
// that a process renames are whole and on disk even then.
//
// # Not for
//
// Reading results and interpreting their content: package reports does both.
package resultdir

import (
	"errors"
	"fmt"
	"syscall"
)

// RefusedError is the reason why a result cannot be written at the path that the user wants,
// which it names. The user can correct it.
type RefusedError struct {
	message string
	cause   error
}

func (e *RefusedError) Error() string { return e.message }
func (e *RefusedError) Unwrap() error { return e.cause }

// refusef returns a RefusedError. Like fmt.Errorf it wraps %w.
func refusef(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &RefusedError{err.Error(), err}
}

// IsMendable reports whether the user can correct an error: a RefusedError, or an error of
// the system about the name itself, such as a name that is too long or a link that leads to
// itself. A missing or unwritable file is not included: who can correct it depends on the
// file.
func IsMendable(err error) bool {
	if refused := (*RefusedError)(nil); errors.As(err, &refused) {
		return true
	}
	for _, mendable := range []error{syscall.ENAMETOOLONG, syscall.ELOOP, syscall.ENOTDIR, syscall.EISDIR, syscall.EEXIST, syscall.ENXIO} {
		if errors.Is(err, mendable) {
			return true
		}
	}
	return false
}
