package resultdir

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"

	"mmsim/cmd/mmsim/disk"
)

// A swap replaces a result in one step: the folder of the new result, with second names of all files
// that are to stay, is exchanged with the folder of the old one. What was in the old folder is then
// removed.
type swap struct {
	*Dir        // the new result is in the folder new of its stage; after do, the old one
	name string // the directory
	old  *content
	next own // files of the new result
	kept own // files of the old result that stay; nil if it is replaced as a whole

	carried []string // what do has put beside the new files, folders before what is in them
}

// all returns the files that the directory is to have.
func (s *swap) all() own {
	all := maps.Clone(s.next)
	maps.Copy(all, s.kept)
	return all
}

// do exchanges the folders. If the system cannot do that here, the error is errors.ErrUnsupported.
// After an error, the new folder is as it was.
func (s *swap) do() error {
	// An exchange would leave the working directory of the user's shell, too, in the old folder.
	if filepath.Dir(s.stage.folder) != filepath.Dir(s.name) || holds(s.name, ".") {
		return errors.ErrUnsupported
	}
	err := s.prepare()
	if err == nil {
		if err = disk.Exchange(s.stage.path(), s.name); err == nil {
			return s.confirm()
		}
	}
	err = asUnsupported(err)
	return cmp.Or(s.undo(), err)
}

// prepare completes the new folder, and says in the stage what happens to it.
func (s *swap) prepare() error {
	if err := s.carry(); err != nil {
		return err
	}
	list := filepath.Join(s.stage.path(), ListFile)
	s.carried = append(s.carried, list)
	if err := s.kind.writeList(list, s.all()); err != nil {
		return err
	}
	if err := disk.Like(s.stage.path(), s.name); err != nil {
		return err
	}
	p := plan{Target: filepath.Base(s.name), Exchange: true}
	if !s.old.isListed {
		p.Old = s.old.own
	}
	if err := p.write(s.stage); err != nil {
		return err
	}
	return syncFolders(s.stage.folder)
}

// confirm flushes the exchange to the disk. If the disk cannot do that, the exchange is undone.
func (s *swap) confirm() error {
	err := cmp.Or(disk.Sync(filepath.Dir(s.name)), disk.Sync(s.stage.folder))
	if err == nil {
		return nil
	}
	if back := disk.Exchange(s.stage.path(), s.name); back != nil {
		return nil // the new result is there, and the disk has lost its word
	}
	return cmp.Or(s.undo(), err)
}

// undo removes what prepare has added.
func (s *swap) undo() error {
	_ = disk.Remove(filepath.Join(s.stage.folder, stagePlan)) // there may be none
	_ = disk.Like(s.stage.path(), s.stage.folder)             // else the files in a read-only folder cannot be removed
	var fault error
	for _, name := range slices.Backward(s.carried) {
		if err := disk.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			fault = cmp.Or(fault, err)
		}
	}
	s.carried = nil
	return fault
}

// carry gives everything that is to stay in the directory a second name in the new folder.
func (s *swap) carry() error {
	folders := s.old.own.folders() // they go, unless something else is in them
	return filepath.WalkDir(s.name, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.name, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case name == "." || name == ListFile:
			return nil
		case isTemporary(s.name, name):
			return errors.ErrUnsupported // a process writes here
		case entry.IsDir() && disk.IsMount(file):
			return errors.ErrUnsupported // it would leave the directory with the old folder
		case entry.IsDir() && folders[name]:
			return nil
		case entry.IsDir():
			return s.carryFolder(name)
		}
		if _, stays := s.kept[name]; !stays && s.old.own.owns(s.name, name, s.known) {
			return nil
		}
		if err := s.carryFolder(path.Dir(name)); err != nil {
			return err
		}
		to := filepath.Join(s.stage.path(), rel)
		s.carried = append(s.carried, to)
		if entry.Type()&fs.ModeSymlink == 0 {
			return disk.Link(file, to)
		}
		target, err := os.Readlink(file)
		if err != nil {
			return err
		}
		return disk.Symlink(target, to)
	})
}

// carryFolder creates a folder in the new folder that is like the one in the directory, unless it
// exists.
func (s *swap) carryFolder(name string) error {
	to := filepath.Join(s.stage.path(), filepath.FromSlash(name))
	if info, err := os.Lstat(to); name == "." || err == nil && info.IsDir() {
		return nil
	}
	if err := s.carryFolder(path.Dir(name)); err != nil {
		return err
	}
	s.carried = append(s.carried, to)
	if err := disk.Mkdir(to, 0o777); err != nil {
		return err
	}
	return disk.Like(to, filepath.Join(s.name, filepath.FromSlash(name)))
}

// A lateError names a file of an old result that the user changed while it was replaced, and where
// the file is.
type lateError struct{ name, at string }

func (e *lateError) Error() string {
	return fmt.Sprintf("%s: written while the result was replaced", e.name)
}

// retire checks that everything in the folder of a replaced result may be removed with the stage. Another
// program may have written there until the folders were exchanged, or still writes in a folder that it has
// open. Its files are moved to the successor, or else a lateError names one.
func retire(folder, successor string, files own, known sums) error {
	return filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		to := filepath.Join(successor, rel)
		switch name := filepath.ToSlash(rel); {
		case name == ListFile, files.owns(folder, name, known), isCarried(file, to):
			return nil
		}
		_, err = os.Lstat(to)
		if !errors.Is(err, fs.ErrNotExist) || foreign(successor, filepath.ToSlash(rel)) != "" ||
			disk.MkdirAll(filepath.Dir(to), 0o777) != nil || disk.Rename(file, to) != nil {
			return &lateError{rel, file}
		}
		return nil
	})
}

// isCarried reports whether two names are of the same file, or of equal symbolic links.
func isCarried(one, other string) bool {
	a, err := os.Lstat(one)
	b, otherErr := os.Lstat(other)
	if err != nil || otherErr != nil || os.SameFile(a, b) {
		return err == nil && otherErr == nil
	}
	to, err := os.Readlink(one) // an error unless it is a link
	toOther, otherErr := os.Readlink(other)
	return err == nil && otherErr == nil && to == toOther
}

// refusals lists the errors of systems that do not let this user link a file or exchange two
// folders, although files may be renamed.
var refusals = []error{errors.ErrUnsupported, syscall.EPERM, syscall.EACCES, syscall.EXDEV, syscall.EMLINK, syscall.ENOSYS}

// asUnsupported returns errors.ErrUnsupported instead of an error that means that there is no such
// way here.
func asUnsupported(err error) error {
	if isAny(err, refusals...) {
		return errors.ErrUnsupported
	}
	return err
}
