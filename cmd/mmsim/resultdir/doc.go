// Package resultdir writes what mmsim leaves on disk: result directories, which are whole or
// no result at all, and single files. It replaces only what mmsim wrote.
//
// The life of a result directory:
//
//	Claim ──► Begin ──► In(d.Temp()) … ──► Commit ──► DIR, or DIR.partial
//	  │         │                            │
//	  │         │                            ├─ DIR is new: one rename
//	  │         │                            └─ DIR is a result: the list of its files grows by the new
//	  │         │                               names, the old marker goes, old files go, new files are
//	  │         │                               renamed into place one by one, the marker comes last
//	  │         └─ a temporary directory beside DIR, locked while this process lives
//	  └─ nothing is written: is DIR free, or a result of the same command, without an input in it?
//
// The marker is the file that says that a directory is whole: summary.json of a run. A
// directory with its marker is whole. One without is no result; its list (ListFile) says that
// it is ours, and the next Commit completes it. Directories of versions that kept no list are
// recognised by their marker, and the names that those versions wrote are ours in them.
// Everything else in a directory is the user's: it stays, and where it has a name that a
// result needs, the result is refused.
//
// A command that writes a directory needs three calls:
//
//	d, err := resultdir.Claim(dir, kind, inputs...)  // before the work
//	err = d.Begin()                                  // defer d.Discard()
//	name, err := d.Commit(complete)                  // files are in d.Temp()
//
// # Locks
//
// Two processes that commit to one directory take turns: each holds a lock file beside it
// while it renames. A temporary directory holds a lock file too, for as long as its process
// lives, so that what a killed process left is recognised by its free lock and removed by the
// next one that writes there. The number of a process says nothing: folders are shared
// between machines.
//
// The locks are flock(2), which Linux carries over NFS (since version 2.6.12) and SMB. Some
// mounts keep locks to one machine (NFS with local_lock, Lustre with localflock), and some have
// none at all (Lustre without flock). There two machines that commit to one directory at the
// same instant are not kept apart; without locks, leftovers stay too. What a process renames
// is whole and on disk even then.
//
// # Not for
//
// Reading results, and knowing what is in them: package reports does both.
package resultdir

import (
	"errors"
	"fmt"
	"syscall"
)

// RefusedError says why something cannot be written where the user wants it, and names the
// place. The user can mend it.
type RefusedError struct {
	message string
	cause   error
}

func (e *RefusedError) Error() string { return e.message }
func (e *RefusedError) Unwrap() error { return e.cause }

// refusef makes a RefusedError. Like fmt.Errorf it wraps %w.
func refusef(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &RefusedError{err.Error(), err}
}

// IsMendable tells whether an error is one that the user can mend: a RefusedError, or what the
// system says of a name that is too long, a link that leads to itself, and the like. A name that
// is not there, or not writable, is not among them: what is wrong then depends.
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
