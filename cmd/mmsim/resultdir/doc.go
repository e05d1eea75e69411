// Package resultdir writes mmsim's output to disk. The output is either a result directory or a
// single file. Only files that mmsim wrote, and that nobody changed since, are replaced.
//
// After any fault at any call, a result directory holds the old result or the new one, whole. The
// user's files in it are unchanged. The same command then gives what it gives without a fault. Its
// exit code says which result is there; if the new one could not be published, it is kept beside the
// directory, as DIR.new, and named. Package disk makes all changes, and the tests let each of them
// fail; see TestEveryFault.
//
// A result directory is written in these steps:
//
//	Claim ──► begin ──► the command's files ──► commit ──► DIR, DIR.partial, or DIR.new
//	  │         │                                 │
//	  │         │                                 ├─ DIR is new: one rename
//	  │         │                                 ├─ swap: one exchange of DIR with a folder that has the
//	  │         │                                 │  new files and second names of the user's
//	  │         │                                 └─ placement: file by file, where folders cannot be
//	  │         │                                    exchanged
//	  │         └─ creates a temporary directory beside DIR, locked while this process lives
//	  └─ checks that DIR is free, or a result of the same command without an input in it
//
// Write does all steps after Claim. A command that writes a directory makes two calls:
//
//	d, err := resultdir.Claim(dir, kind, inputs...) // before the work
//	name, err := d.Write(func(folder string) (complete bool, err error) {
//		create := resultdir.In(folder)
//		…
//	})
//
// The marker is a file such as summary.json for a run. A directory without its marker is not a
// result.
//
// # Whose files
//
// A list in the directory (ListFile) has the names and hashes of the files that mmsim wrote. Every
// other file belongs to the user, and so does a file of the list whose content is another by now. If
// a result needs the name of such a file, it goes to DIR.new instead. A directory
// that lost its list is recognised by the marker, which is then the only file of mmsim in it.
//
// # Where folders cannot be exchanged
//
// Linux and macOS exchange two folders in one step, on most file systems. A placement is used
// elsewhere, and if the directory is a mount, has attributes that cannot be copied, or has the
// working directory in it: a shell there would otherwise stay in the old folder, which is removed.
// It moves the old files into the temporary directory, the marker first, and the new ones into the
// directory, the marker last. An error undoes it. After a crash half-way, the directory has no
// marker, and the temporary directory has everything that is missing: the next command that claims
// the directory completes the new result.
//
// # Locks
//
// Two processes that commit to the same directory take turns. Each locks a file beside the
// directory, which says who holds the lock and since when. Who waits is told so (see Dir.Attend). A
// temporary directory also contains a lock file, which is locked while its process runs. If a
// process was killed, its lock is free, and the next process that writes there removes the
// leftovers: folders of this user whose lock file names them. Process IDs are not used for this,
// because several machines may share a folder.
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
