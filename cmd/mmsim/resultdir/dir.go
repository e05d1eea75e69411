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

// A Dir is a result directory that is being written. It is not safe for concurrent use.
type Dir struct {
	kind   Kind
	shown  string   // as the user wrote it
	target string   // absolute path with symbolic links resolved
	inputs []string // files and folders that the command reads
	stage  *stage   // nil before begin and after commit or discard
	made   string   // topmost parent of target that begin created, or "" if there is none

	// step is called before each change that commit makes in the file system. If it returns an
	// error, commit stops. Tests use it to stop commit after every step.
	step func(what string) error
}

// content describes what exists at the path of a result directory.
type content struct {
	exists    bool            // it is a directory
	empty     bool            // it has no entries or does not exist
	isListed  bool            // it has a list (ListFile)
	hasMarker bool            // it has the marker
	complete  bool            // the marker says that the result is complete
	own       map[string]bool // slash-separated names of the files that mmsim wrote
}

// Claim checks that a result may be written to dir. It does not write anything. It returns an
// error if dir
//
//   - is a file;
//   - is the working directory, unless that contains a result of the same kind;
//   - contains anything that is not a result of the same kind;
//   - contains one of the inputs, which are the files and folders that the command reads. Empty
//     inputs are ignored.
//
// If dir contains a complete result, Claim also checks the directory for a partial result.
//
// If dir is a symbolic link, the result is written to the directory that the link points to,
// which need not exist yet.
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

// nameFor returns the path for a result, and what exists there. The path is the target, with
// one exception: a partial result must not replace a complete one, so its path is the target
// with the suffix ".partial".
func (d *Dir) nameFor(complete bool) (string, *content, error) {
	there, err := d.inspect(d.target, d.shown)
	if err != nil || complete || !there.complete {
		return d.target, there, err
	}
	there, err = d.inspect(d.target+".partial", d.shown+".partial")
	if err == nil && there.complete {
		err = refusef("%s.partial: contains a complete result, which a partial one cannot replace", d.shown)
	}
	return d.target + ".partial", there, err
}

// inspect describes what exists at dir. It returns an error if dir contains an input.
func (d *Dir) inspect(dir, shown string) (*content, error) {
	there, err := d.kind.inspect(dir, shown)
	if err != nil || there.empty {
		return there, err
	}
	for _, input := range d.inputs {
		if input != "" && holds(dir, input) {
			return nil, refusef("%s: the output directory contains the input %s, expected another name", shown, input)
		}
	}
	return there, nil
}

// holds reports whether file is dir or is inside dir, either by its path as given or by its path
// with symbolic links resolved.
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

// isSame reports whether two names refer to the same file or directory.
func isSame(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// Expect checks that none of the names is a file of the user. Write checks this for all files
// of the result. A command that runs for a long time calls Expect first, to find the error
// earlier.
func (d *Dir) Expect(names ...string) error {
	there, err := d.inspect(d.target, d.shown)
	if err != nil {
		return err
	}
	return refuseOtherFiles(d.target, d.shown, names, there)
}

// IsComplete reports whether the directory contains a complete result. Only another complete
// result may replace it.
func (d *Dir) IsComplete() (bool, error) {
	there, err := d.inspect(d.target, d.shown)
	return err == nil && there.complete, err
}

// Open creates the directory, so that a command can store its progress there. The command may
// write files with the given names at any time. The next Write removes those that are not
// part of its result.
func (d *Dir) Open(names ...string) error {
	if err := os.MkdirAll(d.target, 0o777); err != nil {
		return d.fail(err)
	}
	lock, err := d.lock()
	if err != nil {
		return d.fail(err)
	}
	defer release(lock)
	there, err := d.inspect(d.target, d.shown)
	if err != nil {
		return err
	}
	if err := refuseOtherFiles(d.target, d.shown, names, there); err != nil {
		return err
	}
	for _, name := range names {
		there.own[name] = true
	}
	s, err := newStage(d.target, filepath.Base(d.target))
	if err != nil {
		return d.fail(err)
	}
	defer s.remove()
	list := filepath.Join(s.folder, "list")
	if err = d.kind.writeList(list, there.own); err == nil {
		err = d.moveList(list, d.target)
	}
	if err != nil {
		return d.fail(err)
	}
	return nil
}

// begin creates the temporary directory and the target's missing parents. It fails if the
// result could not be written later.
func (d *Dir) begin() error {
	parent, base := filepath.Split(d.target)
	for above := filepath.Clean(parent); ; above = filepath.Dir(above) {
		if _, err := os.Stat(above); err == nil || above == filepath.Dir(above) {
			break
		}
		d.made = above
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return d.fail(err)
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
		return d.fail(err)
	}
	return nil
}

// takesFrom reports whether files can be renamed from folder to the target. This is impossible
// if the target is a mount, such as a volume of a container, or if folder is not writable. The
// temporary directory must then be in the target.
func (d *Dir) takesFrom(folder string) bool {
	probe, err := os.MkdirTemp(d.target, prefix(filepath.Base(d.target))+"*")
	if err != nil {
		return true // either there is no target yet, or creating the temporary directory reports the error
	}
	moved := filepath.Join(folder, filepath.Base(probe))
	err = os.Rename(probe, moved)
	_ = os.Remove(probe)
	_ = os.Remove(moved)
	return err == nil
}

// temp returns the folder to write files to, between begin and commit.
func (d *Dir) temp() string { return d.stage.path() }

// In returns a function that creates a file in folder, including the file's parent folders. The
// folder is usually the one that Dir.Write passes. Close reports errors of all writes, so that a
// full disk is noticed. Dir.Write flushes the files to the disk.
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

// Write writes a result and returns its path. It calls write with a temporary folder to write
// files to. write reports whether the result is complete. If Write returns an error, nothing has
// changed, unless the disk failed between two renames: that leaves a directory without a marker.
func (d *Dir) Write(write func(folder string) (complete bool, err error)) (string, error) {
	if err := d.begin(); err != nil {
		return "", err
	}
	defer d.discard()
	complete, err := write(d.temp())
	if err != nil {
		return "", d.fail(err)
	}
	return d.commit(complete, true)
}

// Add writes files into an existing result, and keeps the result's other files. It calls write
// with a temporary folder to write files to. write must not write a marker.
func (d *Dir) Add(write func(folder string) error) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.discard()
	if err := write(d.temp()); err != nil {
		return d.fail(err)
	}
	_, err := d.commit(true, false)
	return err
}

// commit moves the files in temp to their final path, and returns the path of the result. See
// publish for the parameter replace.
func (d *Dir) commit(complete, replace bool) (string, error) {
	if err := syncAll(d.temp()); err != nil {
		return "", d.fail(err)
	}
	lock, err := d.lock()
	if err != nil {
		return "", d.fail(err)
	}
	defer release(lock)
	name, there, err := d.nameFor(complete)
	if err == nil {
		busy.RLock() // makes Abandon wait
		err = d.publish(name, there, replace)
		busy.RUnlock()
	}
	if err != nil {
		return "", d.fail(err)
	}
	d.stage.remove()
	d.stage, d.made = nil, ""
	return name, nil
}

// lock waits until no other process commits to the directory, and locks it. The lock file is
// beside the directory or, if the parent is not writable, in it.
func (d *Dir) lock() (*flock.Flock, error) {
	file := prefix(filepath.Base(d.target)) + "lock" // no stage has this name, because the names of stages end in a number
	lock, err := acquire(filepath.Join(filepath.Dir(d.target), file), waiting)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		lock, err = acquire(filepath.Join(d.target, file), waiting)
	}
	return lock, err
}

// discard removes everything that begin created. It does nothing after commit, so it can be
// deferred.
func (d *Dir) discard() {
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

// fail calls discard. It adds the directory's name to an error of the file system, and returns
// any other error unchanged.
func (d *Dir) fail(err error) error {
	d.discard()
	path, link := (*fs.PathError)(nil), (*os.LinkError)(nil)
	if !errors.As(err, &path) && !errors.As(err, &link) {
		return err
	}
	return fmt.Errorf("%s: cannot write the results: %w", d.shown, err)
}
