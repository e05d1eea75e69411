package resultdir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
)

// A Dir is a result directory in the making. It is not for concurrent use.
type Dir struct {
	kind   Kind
	shown  string   // as the user wrote it
	target string   // absolute, behind all links
	inputs []string // what the command reads
	stage  *stage   // nil before Begin and after the end
	made   string   // topmost folder above the target that Begin made, "" if none

	// step is called before each change of the file system that Commit makes, and may stop it
	// there: tests kill it at every one.
	step func(what string) error
}

// content is what stands under the name of a directory.
type content struct {
	exists   bool            // as a directory
	empty    bool            // nothing in it, or no directory
	isListed bool            // there is a list
	isWhole  bool            // the marker is there
	complete bool            // and says so
	own      map[string]bool // files that mmsim wrote, with slashes
}

// Claim checks that a result may take the name dir; it writes nothing. Refused are a file, the
// working directory (unless it is a result), a directory with anything but a result of the same
// kind, and one that holds one of the inputs, files and folders that the command reads ("" is none). The same
// goes for the name of a partial result, where that may be needed.
//
// A link is followed: the directory that it points at takes the result, and is made where it
// is not there.
func Claim(dir string, kind Kind, inputs ...string) (*Dir, error) {
	if dir == "" {
		return nil, refusef(`expected the name of a directory, not ""`)
	}
	target, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	d := &Dir{kind: kind, shown: dir, target: target, inputs: inputs, step: func(string) error { return nil }}
	there, err := d.inspect(target, dir)
	if (err != nil || there.empty) && isSame(target, ".") {
		return nil, refusef("%s: the output directory is the working directory, expected another name", dir)
	}
	if err == nil {
		_, _, err = d.nameFor(false)
	}
	return d, err
}

// nameFor returns the name that a result takes, and what stands there. A complete one takes
// the target. A partial one takes it too, except from a complete result: then it goes to the
// name with ".partial" behind it.
func (d *Dir) nameFor(complete bool) (string, *content, error) {
	there, err := d.inspect(d.target, d.shown)
	if err != nil || complete || !there.complete {
		return d.target, there, err
	}
	there, err = d.inspect(d.target+".partial", d.shown+".partial")
	if err == nil && there.complete {
		err = refusef("%s.partial: holds a complete result, which an interrupted one does not replace", d.shown)
	}
	return d.target + ".partial", there, err
}

// inspect tells what stands under a name, and refuses it where it holds an input.
func (d *Dir) inspect(dir, shown string) (*content, error) {
	there, err := d.kind.inspect(dir, shown)
	if err != nil || there.empty {
		return there, err
	}
	for _, input := range d.inputs {
		if input != "" && holds(dir, input) {
			return nil, refusef("%s: the output directory holds %s, which is read, expected another name", shown, input)
		}
	}
	return there, nil
}

// holds tells whether a directory is a file or folder, or holds it: by its name, or by what is
// behind its links.
func holds(dir, file string) bool {
	names := []string{}
	if name, err := filepath.Abs(file); err == nil {
		names = append(names, name)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		if name, err := filepath.Abs(real); err == nil {
			names = append(names, name)
		}
	}
	for _, name := range names {
		for ; ; name = filepath.Dir(name) {
			if isSame(name, dir) {
				return true
			}
			if name == filepath.Dir(name) {
				break
			}
		}
	}
	return false
}

// isSame tells whether two names are of one file or directory.
func isSame(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// Expect checks that a result may take some names in the directory: that nobody else's file
// has one. Commit checks all names; this is for a command that works long before it.
func (d *Dir) Expect(names ...string) error {
	there, err := d.inspect(d.target, d.shown)
	if err != nil {
		return err
	}
	return refuseStrangers(d.target, d.shown, names, there)
}

// IsComplete tells whether the directory holds a complete result, which only another
// complete one may replace.
func (d *Dir) IsComplete() (bool, error) {
	there, err := d.inspect(d.target, d.shown)
	return err == nil && there.complete, err
}

// Open makes the directory now, for a command that keeps there what it has done so far. The
// command may write files of some names there at any time; the next Commit removes those that
// are not part of its result.
func (d *Dir) Open(names ...string) error {
	if err := os.MkdirAll(d.target, 0o777); err != nil {
		return d.Fail(err)
	}
	lock, err := d.lock()
	if err != nil {
		return d.Fail(err)
	}
	defer release(lock)
	there, err := d.inspect(d.target, d.shown)
	if err != nil {
		return err
	}
	if err := refuseStrangers(d.target, d.shown, names, there); err != nil {
		return err
	}
	for _, name := range names {
		there.own[name] = true
	}
	s, err := newStage(d.target, filepath.Base(d.target))
	if err != nil {
		return d.Fail(err)
	}
	defer s.remove()
	list := filepath.Join(s.folder, "list")
	if err = d.kind.writeList(list, there.own); err == nil {
		err = d.moveList(list, d.target)
	}
	if err != nil {
		return d.Fail(err)
	}
	return nil
}

// Begin makes the temporary directory, and the folders above it. It fails now where the
// result could not be written later.
func (d *Dir) Begin() error {
	parent, base := filepath.Split(d.target)
	for above := filepath.Clean(parent); ; above = filepath.Dir(above) {
		if _, err := os.Stat(above); err == nil || above == filepath.Dir(above) {
			break
		}
		d.made = above
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return d.Fail(err)
	}
	removeLeftovers(d.target)
	room := filepath.Clean(parent)
	if !d.takesFrom(room) {
		room = d.target
	}
	s, err := newStage(room, base)
	if err == nil {
		d.stage = s
		err = os.Mkdir(s.path(), 0o777)
	}
	if err != nil {
		return d.Fail(err)
	}
	return nil
}

// takesFrom tells whether files can be renamed between the target and a folder. They cannot
// where the target is a mount, such as a volume of a container, or the folder is not writable:
// then the temporary directory is made in the target.
func (d *Dir) takesFrom(folder string) bool {
	probe, err := os.MkdirTemp(d.target, prefix(filepath.Base(d.target))+"*")
	if err != nil {
		return true // there is no target yet, or making the temporary directory will tell
	}
	moved := filepath.Join(folder, filepath.Base(probe))
	err = os.Rename(probe, moved)
	_ = os.Remove(probe)
	_ = os.Remove(moved)
	return err == nil
}

// Temp is the folder to write files into, between Begin and Commit.
func (d *Dir) Temp() string { return d.stage.path() }

// In makes files in a folder, usually Temp, and folders for them. Close reports what any
// write missed, so that a full disk does not go unnoticed. The files are on the disk after
// Commit.
func In(folder string) func(name string) (io.WriteCloser, error) {
	return func(name string) (io.WriteCloser, error) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		f, err := os.Create(file)
		if errors.Is(err, fs.ErrNotExist) {
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return nil, err
			}
			f, err = os.Create(file)
		}
		if err != nil {
			return nil, err
		}
		return newBuffered(f), nil
	}
}

// Commit gives the result its name and returns it. After an error nothing new stands under
// any name; or, where the disk failed between two renames, a directory without a marker.
func (d *Dir) Commit(complete bool) (string, error) {
	return d.commit(func() (string, *content, error) { return d.nameFor(complete) }, true)
}

// Add puts the files in Temp, no marker among them, into a result that is there. Its other
// files stay.
func (d *Dir) Add() error {
	_, err := d.commit(func() (string, *content, error) { return d.nameFor(true) }, false)
	return err
}

func (d *Dir) commit(find func() (string, *content, error), replace bool) (string, error) {
	if err := syncAll(d.Temp()); err != nil {
		return "", d.Fail(err)
	}
	lock, err := d.lock()
	if err != nil {
		return "", d.Fail(err)
	}
	defer release(lock)
	name, there, err := find()
	if err == nil {
		busy.RLock() // Abandon waits for this
		err = d.publish(name, there, replace)
		busy.RUnlock()
	}
	if err != nil {
		return "", d.Fail(err)
	}
	d.stage.remove()
	d.stage, d.made = nil, ""
	return name, nil
}

// lock waits for the turn of this process at a directory: with a lock file beside it or,
// where the folder above is not writable, in it.
func (d *Dir) lock() (*flock.Flock, error) {
	file := prefix(filepath.Base(d.target)) + "lock" // no stage has this name: theirs end in a number
	lock, err := acquire(filepath.Join(filepath.Dir(d.target), file), waiting)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		lock, err = acquire(filepath.Join(d.target, file), waiting)
	}
	return lock, err
}

// Discard removes everything that Begin made, as if nothing had been asked. It does nothing
// after Commit, so that it can be deferred.
func (d *Dir) Discard() {
	if d.stage != nil {
		d.stage.remove()
		d.stage = nil
	}
	for above := filepath.Dir(d.target); d.made != ""; above = filepath.Dir(above) {
		if os.Remove(above) != nil || above == d.made {
			d.made = ""
		}
	}
}

// Fail discards everything, and words an error of the file system; any other it returns as it
// is.
func (d *Dir) Fail(err error) error {
	d.Discard()
	path, link := (*fs.PathError)(nil), (*os.LinkError)(nil)
	if !errors.As(err, &path) && !errors.As(err, &link) {
		return err
	}
	return fmt.Errorf("%s: cannot write the results: %w", d.shown, err)
}
