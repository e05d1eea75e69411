package resultdir

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"mmsim/cmd/mmsim/disk"
)

// publish moves the files in temp, which next describes, into the directory with the given name. The
// parameter there describes what that directory contains.
//
// If replace is set (Write), the files replace the whole old result. Otherwise (Add), they replace
// only files of the same names.
func (d *Dir) publish(name string, there *content, next own, replace bool) error {
	if !there.exists {
		return d.publishNew(name, next)
	}
	names := slices.Sorted(maps.Keys(next))
	if err := refuseConflict(name, d.shown+strings.TrimPrefix(name, d.target), names, there, d.known); err != nil {
		return err
	}
	s := &swap{Dir: d, name: name, old: there, next: next}
	if !replace {
		s.kept = own{}
		for file, sums := range there.own {
			if _, replaced := next[file]; !replaced && file != ListFile && there.own.owns(name, file, d.known) {
				s.kept[file] = sums
			}
		}
	}
	err := s.do()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		err = d.place(s)
	case err == nil:
		err = retire(d.stage.path(), name, there.own, d.known)
	}
	if late, is := errors.AsType[*lateError](err); is {
		d.leave(late)
		return nil
	}
	return err
}

// leave leaves the stage for the user, because of a file in it.
func (d *Dir) leave(late *lateError) {
	fmt.Fprintf(d.out, "%s: another program wrote it while mmsim published a result; what it wrote is in %s\n", filepath.Join(d.shown, late.name), late.at)
	d.stage.leave()
	d.stage = nil
}

// publishNew renames the whole temporary directory.
func (d *Dir) publishNew(name string, next own) error {
	if err := d.listNew(next); err != nil {
		return err
	}
	if err := disk.Rename(d.stage.path(), name); err != nil {
		return err
	}
	err := disk.Sync(filepath.Dir(name))
	if err != nil && disk.Rename(name, d.stage.path()) != nil {
		return nil // the result is there, and the disk has lost its word
	}
	return err
}

// listNew writes the list into temp, and flushes the names in temp to the disk.
func (d *Dir) listNew(next own) error {
	list := filepath.Join(d.stage.path(), ListFile)
	if _, err := os.Lstat(list); err != nil {
		if err := d.kind.writeList(list, next); err != nil {
			return err
		}
	}
	return syncFolders(d.stage.path())
}

// keptMax is the maximum number of results beside a directory that could not be published.
const keptMax = 1000

// keepBeside moves a result that cannot be published to a name beside the directory: DIR.new, or
// DIR.new-2 and so on. If that is impossible too, it stays where it was written.
func (d *Dir) keepBeside(name string, next own, cause error) error {
	if isFull(cause) {
		return d.fail(cause) // a full disk is not made fuller
	}
	cause = d.named(cause)
	where := d.stage.path()
	if err := d.listNew(next); err == nil {
		for i := 1; i <= keptMax; i++ {
			beside := name + newSuffix
			if i > 1 {
				beside = fmt.Sprintf("%s-%d", beside, i)
			}
			if _, err := os.Lstat(beside); !errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err := disk.Rename(d.stage.path(), beside); err == nil {
				where = beside
			}
			break
		}
	}
	d.made = "" // its parents stay
	if where == d.stage.path() {
		d.stage.leave()
	} else {
		_ = disk.Sync(filepath.Dir(where)) // the error that is reported says more
		d.stage.remove()
	}
	d.stage = nil
	if shown, found := strings.CutPrefix(where, d.target); found {
		where = d.shown + shown
	}
	return &UnpublishedError{Kept: where, Cause: cause}
}

// refuseConflict returns an error if a file to be written would replace a file that mmsim did not
// write, or that somebody has changed since.
func refuseConflict(dir, shown string, files []string, there *content, known sums) error {
	if name := conflict(dir, files, there.own, known); name != "" {
		return refusef("%s: mmsim did not write it or it has changed since, and the result needs its name: expected it elsewhere, or another output directory",
			filepath.Join(shown, name))
	}
	return nil
}

// conflict returns the first name of a file to be written that something else has, or "".
func conflict(dir string, files []string, written own, known sums) string {
	if name := foreign(dir, ListFile); name != "" {
		return name
	}
	for _, file := range files {
		if name := foreign(dir, file); name != "" {
			return name
		}
		if _, err := os.Lstat(filepath.Join(dir, file)); err == nil && !written.owns(dir, file, known) {
			return file
		}
	}
	return ""
}

// flushes is the number of files that are flushed to the disk at the same time, because each spends
// nearly all of its time waiting for the disk.
const flushes = 32

// hashAll flushes all files below a folder to the disk, and returns their hashes.
func hashAll(folder string) (own, error) {
	files, err := filesIn(folder)
	if err != nil {
		return nil, err
	}
	var group errgroup.Group
	group.SetLimit(flushes)
	var mutex sync.Mutex
	found := own{}
	for _, name := range files {
		group.Go(func() error {
			file := filepath.Join(folder, filepath.FromSlash(name))
			if err := disk.Sync(file); err != nil {
				return err
			}
			sum, err := hashOf(file)
			mutex.Lock()
			defer mutex.Unlock()
			found[name] = []string{sum}
			return err
		})
	}
	return found, group.Wait()
}

// syncFolders flushes the names in a folder and in all folders below it to the disk.
func syncFolders(folder string) error {
	var group errgroup.Group
	group.SetLimit(flushes)
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			group.Go(func() error { return disk.Sync(name) })
		}
		return err
	})
	return cmp.Or(err, group.Wait())
}
