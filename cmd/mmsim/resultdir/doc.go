// Package resultdir writes mmsim's output to disk. The output is either a result directory,
// which becomes visible completely or not at all, or a single file. Only files that mmsim
// wrote are replaced.
//
// A result directory is written in these steps:
//
//	Claim ──► begin ──► the command's files ──► commit ──► DIR, or DIR.partial
//	  │         │                                 │
//	  │         │                                 ├─ DIR is new: one rename
//	  │         │                                 └─ DIR is a result: add the new names to the list of
//	  │         │                                    its files, remove the old marker, remove old files,
//	  │         │                                    rename new files into DIR one by one, the marker last
//	  │         └─ creates a temporary directory beside DIR, locked while this process lives
//	  └─ writes nothing: checks that DIR is free, or a result of the same command without an input in it
//
// Write does all steps after Claim.
//
// The marker is a file that is written last, such as summary.json for a run. A directory with
// its marker is whole. A directory without its marker is not a result. If it has a list
// (ListFile), mmsim wrote it, and the next Write completes it.
//
// Older versions did not write lists. Their directories are recognised by the marker, and the
// files in them by the names that those versions used.
//
// All other files in a directory belong to the user and are never touched. If the result needs
// the name of such a file, it is not written.
//
// A command that writes a directory makes two calls:
//
//	d, err := resultdir.Claim(dir, kind, inputs...) // before the work
//	name, err := d.Write(func(folder string) (complete bool, err error) {
//		create := resultdir.In(folder)
//		…
//	})
//
// # Locks
//
// Two processes that commit to the same directory take turns. Each locks a file beside the
// directory while it renames files. A temporary directory also contains a lock file, which is
// locked while its process runs. If a process was killed, its lock is free, and the next
// process that writes there removes the leftovers. Process IDs are not used for this, because
// several machines may share a folder.
//
// The locks are flock(2), which Linux supports over NFS (since version 2.6.12) and SMB. With
// some mount options, locks are valid only on one machine (NFS with local_lock, Lustre with
// localflock) or not supported (Lustre without flock). In these cases, two machines can commit
// to a directory at the same time. If locks are not supported, leftovers also remain. Even
// then, every file that is renamed is whole and on the disk.
//
// # Reading
//
// Package resultdir reads only the list and the marker of a result. The packages below reports
// read the other files.
package resultdir

import (
	"errors"
	"fmt"
	"syscall"
)

// RefusedError is the reason why a result cannot be written at the path that the user asked
// for. The user can correct it.
type RefusedError struct {
	message string
	cause   error
}

func (e *RefusedError) Error() string { return e.message }
func (e *RefusedError) Unwrap() error { return e.cause }

// refusef returns a RefusedError. It supports %w like fmt.Errorf.
func refusef(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &RefusedError{err.Error(), err}
}

// IsMendable reports whether the user can correct an error. The user can correct a
// RefusedError, and system errors about the name itself, such as a name that is too long or a
// link to itself. A missing or unwritable file is not included, because whether the user can
// correct that depends on the file.
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
