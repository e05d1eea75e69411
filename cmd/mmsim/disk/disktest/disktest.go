// Package disktest has a disk for tests that fails at a chosen call, and that loses what was not
// flushed to it when its power goes.
//
// The files are those of a real folder. A test runs something once to count its calls, and then
// once for every call and fault:
//
//	d := disktest.New(folder)
//	d.FailAt(7, disktest.PowerLoss)
//	defer disk.Replace(d)()
//
// After a crash, all further calls fail and change nothing. What the code under test still does does
// not matter then, as in a process that was killed.
package disktest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"mmsim/cmd/mmsim/disk"
)

// A Fault is what happens at a call.
type Fault int

// The faults.
const (
	Error       Fault = iota // the call fails with EIO and changes nothing
	Full                     // from now on, whatever needs space fails with ENOSPC; a write stores a half
	CrashBefore              // the process is killed before the call
	CrashAfter               // the process is killed after the call
	DataLoss                 // the power goes after the call: files that were not flushed are half there
	PowerLoss                // likewise, and changes of names that were not flushed are undone
	Other                    // another process acts before the call; see Disk.Act
)

// Faults lists all faults.
var Faults = []Fault{Error, Full, CrashBefore, CrashAfter, DataLoss, PowerLoss, Other}

func (f Fault) String() string {
	return [...]string{"error", "full disk", "crash before", "crash after", "data loss", "power loss", "another process"}[f]
}

// IsCrash reports whether the process does not survive the fault.
func (f Fault) IsCrash() bool { return f >= CrashBefore && f <= PowerLoss }

// ErrCrash is the error of all calls after a crash.
var ErrCrash = errors.New("the process was killed")

// A Disk is a [disk.Disk]. It is safe for concurrent use.
type Disk struct {
	NoExchange bool   // folders cannot be exchanged
	Act        func() // what another process does at the fault Other
	Exit       func() // ends the process after a crash; without it, all further calls fail

	root string // the folder that loses what was not flushed
	real disk.OS

	mutex  sync.Mutex
	at     int // call that fails, from 1; 0 for none
	fault  Fault
	calls  []string
	dead   bool
	full   bool
	grave  string // folder of removed files, from which a power loss brings them back
	graves int
	dirty  []fs.FileInfo // files with data that was not flushed
	undo   []change      // changes of names that were not flushed
}

// change is a change of a name in a folder.
type change struct {
	folder fs.FileInfo // whose names changed
	back   func() error
}

// New returns a disk without a fault whose files are below root.
func New(root string) *Disk { return &Disk{root: root} }

// FailAt makes the n-th call fail, counted from 1.
func (d *Disk) FailAt(n int, f Fault) { d.at, d.fault = n, f }

// String returns the fault in a form that Parse reads.
func (d *Disk) String() string { return fmt.Sprintf("%d %d %t", d.at, d.fault, d.NoExchange) }

// Parse returns a disk from the text of another one, for a test that runs another process.
func Parse(root, text string) (*Disk, error) {
	d := New(root)
	_, err := fmt.Sscanf(text, "%d %d %t", &d.at, &d.fault, &d.NoExchange)
	return d, err
}

// Calls describes the calls so far.
func (d *Disk) Calls() []string { return d.calls }

// Happened reports whether the chosen call was made.
func (d *Disk) Happened() bool { return d.at > 0 && len(d.calls) >= d.at }

// call makes a change, with the fault if it is the chosen call. name is that of the changed file.
func (d *Disk) call(what, name string, change func() error) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.dead {
		return &fs.PathError{Op: what, Path: name, Err: ErrCrash}
	}
	d.calls = append(d.calls, what+" "+name)
	d.full = d.full || len(d.calls) == d.at && d.fault == Full
	switch {
	case d.full && needsSpace[what]:
		return &fs.PathError{Op: what, Path: name, Err: syscall.ENOSPC}
	case len(d.calls) != d.at, d.fault == Full:
		return change()
	}
	switch d.fault {
	case Error:
		return &fs.PathError{Op: what, Path: name, Err: syscall.EIO}
	case Other:
		d.Act()
		return change()
	case CrashBefore:
		d.die()
		return &fs.PathError{Op: what, Path: name, Err: ErrCrash}
	}
	err := change()
	if d.fault == DataLoss || d.fault == PowerLoss {
		err = errors.Join(err, d.lose(d.fault == PowerLoss))
	}
	d.die()
	if err != nil {
		return err
	}
	return &fs.PathError{Op: what, Path: name, Err: ErrCrash}
}

func (d *Disk) die() {
	d.dead = true
	if d.Exit != nil {
		d.Clean()
		d.Exit()
	}
}

// needsSpace has the calls that a full disk refuses.
var needsSpace = map[string]bool{"create": true, "mkdir": true, "link": true, "symlink": true, "write to": true}

// lose undoes what was not flushed.
func (d *Disk) lose(names bool) error {
	err := filepath.WalkDir(d.root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(d.dirty, func(dirty fs.FileInfo) bool { return os.SameFile(dirty, info) }) {
			return os.Truncate(name, info.Size()/2)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := len(d.undo) - 1; names && i >= 0; i-- {
		if err := d.undo[i].back(); err != nil {
			return fmt.Errorf("the disk cannot lose a change: %w", err)
		}
	}
	return nil
}

// folderOf returns the folder of a name.
func folderOf(name string) fs.FileInfo {
	info, err := os.Stat(filepath.Dir(name))
	if err != nil {
		panic(err) // the call has just changed a name in it
	}
	return info
}

// place returns where a folder is now. It may have been renamed.
func (d *Disk) place(folder fs.FileInfo) string {
	found := ""
	_ = filepath.WalkDir(d.root, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			if info, err := entry.Info(); err == nil && os.SameFile(info, folder) {
				found = name
			}
		}
		return nil
	})
	return found
}

// changed notes a change of a name. back undoes it, given the folder's present place; it is not
// called if the folder is gone.
func (d *Disk) changed(name string, back func(now string) error) {
	folder := folderOf(name)
	d.undo = append(d.undo, change{folder, func() error {
		if at := d.place(folder); at != "" {
			return back(filepath.Join(at, filepath.Base(name)))
		}
		return nil
	}})
}

// created notes a new name, which a power loss removes.
func (d *Disk) created(name string, err error) error {
	if err == nil {
		d.changed(name, os.RemoveAll)
	}
	return err
}

// bury renames a file that is about to be removed, so that a power loss can bring it back.
func (d *Disk) bury(name string) (grave string, err error) {
	if d.grave == "" {
		if d.grave, err = os.MkdirTemp(filepath.Dir(d.root), "grave-*"); err != nil {
			return "", err
		}
	}
	d.graves++
	grave = filepath.Join(d.grave, fmt.Sprint(d.graves))
	return grave, os.Rename(name, grave)
}

// Clean removes what the disk keeps outside its folder.
func (d *Disk) Clean() {
	if d.grave != "" {
		_ = os.RemoveAll(d.grave) // it is in a temporary folder
	}
}

func (d *Disk) Create(name string, perm fs.FileMode) (disk.File, error) {
	return d.open("create", name, func() (disk.File, error) { return d.real.Create(name, perm) })
}

func (d *Disk) Append(name string) (disk.File, error) {
	return d.open("append", name, func() (disk.File, error) { return d.real.Append(name) })
}

// open opens a file, which may be new.
func (d *Disk) open(what, name string, open func() (disk.File, error)) (f disk.File, err error) {
	err = d.call(what, name, func() error {
		_, missing := os.Lstat(name)
		if f, err = open(); err == nil && missing != nil {
			return d.created(name, nil)
		}
		return err
	})
	if err != nil {
		if f != nil {
			_ = f.Close() // killed
		}
		return nil, err
	}
	return &file{f, name, d}, nil
}

func (d *Disk) Mkdir(name string, perm fs.FileMode) error {
	return d.call("mkdir", name, func() error { return d.created(name, d.real.Mkdir(name, perm)) })
}

func (d *Disk) Link(from, to string) error {
	return d.call("link", to, func() error { return d.created(to, d.real.Link(from, to)) })
}

func (d *Disk) Symlink(target, name string) error {
	return d.call("symlink", name, func() error { return d.created(name, d.real.Symlink(target, name)) })
}

func (d *Disk) Rename(from, to string) error {
	return d.call("rename to", to, func() error {
		replaced, there := "", false
		if info, err := os.Lstat(to); err == nil && !info.IsDir() {
			if source, err := os.Lstat(from); err == nil && !source.IsDir() { // otherwise it fails
				there = true
				if replaced, err = d.bury(to); err != nil {
					return err
				}
			}
		}
		source := folderOf(from)
		if err := d.real.Rename(from, to); err != nil {
			if there {
				err = errors.Join(err, os.Rename(replaced, to))
			}
			return err
		}
		d.changed(to, func(now string) error {
			at := d.place(source)
			if at == "" {
				return fmt.Errorf("the folder of %s is gone", from)
			}
			was := filepath.Join(at, filepath.Base(from))
			if _, err := os.Lstat(was); err == nil { // the name has another file by now, which was flushed
				return os.RemoveAll(now)
			}
			err := os.Rename(now, was)
			if there {
				err = errors.Join(err, os.Rename(replaced, now))
			}
			return err
		})
		return nil
	})
}

func (d *Disk) Exchange(one, other string) error {
	if d.NoExchange {
		return errors.ErrUnsupported
	}
	return d.call("exchange with", other, func() error {
		if err := d.real.Exchange(one, other); err != nil {
			return err
		}
		source := folderOf(one)
		d.changed(other, func(now string) error {
			return d.real.Exchange(filepath.Join(d.place(source), filepath.Base(one)), now)
		})
		return nil
	})
}

func (d *Disk) Remove(name string) error {
	return d.call("remove", name, func() error {
		if entries, err := os.ReadDir(name); err == nil && len(entries) > 0 {
			return d.real.Remove(name) // which fails
		}
		return d.removed(name)
	})
}

func (d *Disk) RemoveAll(name string) error {
	return d.call("remove all of", name, func() error {
		if err := d.removed(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

func (d *Disk) removed(name string) error {
	if _, err := os.Lstat(name); err != nil {
		return err
	}
	grave, err := d.bury(name)
	if err != nil {
		return err
	}
	d.changed(name, func(now string) error { return os.Rename(grave, now) })
	return nil
}

func (d *Disk) Like(name, model string) error {
	return d.call("like", name, func() error { return d.real.Like(name, model) })
}

func (d *Disk) Sync(name string) error {
	return d.call("sync", name, func() error {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		d.flushed(info)
		return nil // the real disk need not do it
	})
}

// flushed forgets what a power loss would undo in a file or folder.
func (d *Disk) flushed(info fs.FileInfo) {
	d.dirty = slices.DeleteFunc(d.dirty, func(f fs.FileInfo) bool { return os.SameFile(f, info) })
	d.undo = slices.DeleteFunc(d.undo, func(c change) bool { return os.SameFile(c.folder, info) })
}

// file is a file of a Disk.
type file struct {
	disk.File
	name string
	disk *Disk
}

func (f *file) Write(p []byte) (n int, err error) {
	err = f.disk.call("write to", f.name, func() error {
		if info, err := f.Stat(); err == nil {
			f.disk.dirty = append(f.disk.dirty, info)
		}
		n, err = f.File.Write(p)
		return err
	})
	if errors.Is(err, syscall.ENOSPC) {
		n, _ = f.File.Write(p[:len(p)/2]) // the fault is reported
	}
	return n, err
}

func (f *file) Sync() error {
	return f.disk.call("sync", f.name, func() error {
		info, err := f.Stat()
		if err == nil {
			f.disk.flushed(info)
		}
		return err
	})
}
