package resultdir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/gofrs/flock"

	"mmsim/cmd/mmsim/disk"
)

// A Dir is a result directory that is being written. It is not safe for concurrent use.
type Dir struct {
	kind   Kind
	shown  string   // as the user wrote it
	target string   // absolute path with symbolic links resolved
	inputs []string // files and folders that the command reads
	stage  *stage   // nil before begin and after commit or discard
	made   string   // topmost parent of target that begin created, or "" if there is none
	known  sums     // hashes of files in target
	ctx    context.Context
	out    io.Writer // receives sentences for the user
}

// content describes what exists at the path of a result directory.
type content struct {
	exists   bool // it is a directory
	empty    bool // it has no entries or does not exist
	isListed bool // it has a list (ListFile)
	complete bool // the marker says that the result is complete
	own      own  // files that mmsim wrote
}

// Claim checks that a result may be written to dir. It writes nothing, but removes what killed
// processes left and completes what they were publishing there. It returns an error if dir
//
//   - is a file;
//   - has a name so long that no suffix, such as ".partial", can follow it;
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
	if base := filepath.Base(target); len(base) > nameMax {
		return nil, refusef("%s: the name has %d bytes, expected at most %d: mmsim may need a longer one beside it, such as NAME%s", dir, len(base), nameMax, partialSuffix)
	}
	d := &Dir{kind: kind, shown: dir, target: target, inputs: inputs, known: sums{}, ctx: context.Background(), out: os.Stderr}
	if err := d.settleLeft(false); err != nil {
		return nil, d.fail(err)
	}
	removeLeftovers(filepath.Dir(target))
	removeLeftovers(target)
	there, err := d.inspect(target, dir)
	if (err != nil || there.empty) && isSame(target, ".") {
		return nil, refusef("%s: the output directory is the working directory, expected another name", dir)
	}
	if err == nil {
		_, _, err = d.nameFor(false)
	}
	return d, err
}

// Attend makes waits for other processes that write to the directory end with ctx. Sentences for the
// user, for example about such a wait, go to out. Without Attend they go to standard error.
func (d *Dir) Attend(ctx context.Context, out io.Writer) { d.ctx, d.out = ctx, out }

// Suffixes of names beside a result directory, and the longest name that they can follow.
const (
	partialSuffix = ".partial"
	newSuffix     = ".new"
	nameMax       = 255 - len(partialSuffix)
)

// nameFor returns the path for a result, and what exists there. The path is the target, with
// one exception: a partial result must not replace a complete one, so its path is the target
// with the suffix ".partial".
func (d *Dir) nameFor(complete bool) (string, *content, error) {
	there, err := d.inspect(d.target, d.shown)
	if err != nil || complete || !there.complete {
		return d.target, there, err
	}
	there, err = d.inspect(d.target+partialSuffix, d.shown+partialSuffix)
	if err == nil && there.complete {
		err = refusef("%s.partial: contains a complete result, which a partial one cannot replace", d.shown)
	}
	return d.target + partialSuffix, there, err
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

// Expect says whether one of the names is a file of the user, which a result never replaces: the
// result will then be beside the directory. A command that runs for a long time calls Expect first,
// so that the user knows it early.
func (d *Dir) Expect(names ...string) error {
	there, err := d.inspect(d.target, d.shown)
	if err != nil {
		return err
	}
	if name := conflict(d.target, names, there.own, d.known); name != "" {
		fmt.Fprintf(d.out, "%s: mmsim did not write it or it has changed since, so it stays; the result will be in %s%s\n", filepath.Join(d.shown, name), d.shown, newSuffix)
	}
	return nil
}

// IsComplete reports whether the directory contains a complete result. Only another complete
// result may replace it.
func (d *Dir) IsComplete() (bool, error) {
	there, err := d.inspect(d.target, d.shown)
	return err == nil && there.complete, err
}

// Keep writes a file that is not yet a result, such as the progress of a command. It creates the
// directory if necessary. The next Write removes the file if it is not part of its result.
func (d *Dir) Keep(name string, write func(io.Writer) error) error {
	if _, err := makeFolder(d.target); err != nil {
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
	if err := refuseConflict(d.target, d.shown, []string{name}, there, d.known); err != nil {
		return err
	}
	s, err := newStage(roomFor(d.target), filepath.Base(d.target))
	if err != nil {
		return d.fail(err)
	}
	defer s.remove()
	if err := s.write(write); err != nil {
		return d.fail(err)
	}
	sum, err := hashOf(s.path())
	if err == nil {
		busy.RLock()
		defer busy.RUnlock()
		err = d.keep(s, name, sum, there.own)
	}
	return d.fail(err)
}

// keep renames the file of a stage into the directory. Before that, the list says that both the old
// file and the new one are ours.
func (d *Dir) keep(s *stage, name, sum string, files own) error {
	list := func(sums ...string) func() error {
		return func() error {
			files[name] = sums
			file := filepath.Join(s.folder, stageList)
			return inOrder(
				func() error { return d.kind.writeList(file, files) },
				func() error { return rename(file, filepath.Join(d.target, ListFile)) })
		}
	}
	file := func() error { return rename(s.path(), filepath.Join(d.target, name)) }
	switch was, err := d.known.of(d.target, name); {
	case errors.Is(err, fs.ErrNotExist):
		return inOrder(list(sum), file)
	case err != nil:
		return err
	case was == sum:
		return list(sum)()
	default:
		return inOrder(list(was, sum), file, list(sum))
	}
}

// begin creates the temporary directory and the target's missing parents. It fails if the
// result could not be written later.
func (d *Dir) begin() error {
	parent, base := filepath.Split(d.target)
	made, err := makeFolder(filepath.Clean(parent))
	d.made = made
	if err != nil {
		return d.fail(err)
	}
	removeLeftovers(d.target)
	s, err := newStage(roomFor(d.target), base)
	if err == nil {
		d.stage = s
		err = disk.Mkdir(s.path(), 0o777)
	}
	return d.fail(err)
}

// makeFolder creates a folder and the missing ones above it, and flushes their names to the disk. It
// returns the topmost folder that it created, or "".
func makeFolder(name string) (made string, err error) {
	for above := name; ; above = filepath.Dir(above) {
		if _, err := os.Stat(above); err == nil || above == filepath.Dir(above) {
			break
		}
		made = above
	}
	if err := disk.MkdirAll(name, 0o777); err != nil || made == "" {
		return made, err
	}
	for above := name; ; above = filepath.Dir(above) {
		if err := disk.Sync(filepath.Dir(above)); err != nil || above == made {
			return made, err
		}
	}
}

// rooms has the results of roomFor.
var rooms sync.Map

// roomFor returns the folder for the stages of a result directory: the one above it or, if files cannot
// be renamed from there to the directory, the directory. That is so if the directory is a mount, such as a
// volume of a container, or if the folder above is not writable. roomFor tries it out once.
func roomFor(target string) string {
	above := filepath.Dir(target)
	if room, known := rooms.Load(target); known {
		return room.(string)
	}
	probe, err := newStage(target, filepath.Base(target))
	if err != nil {
		return above // either there is no target yet, or creating a stage above reports the error
	}
	defer probe.remove()
	room, moved := target, filepath.Join(above, filepath.Base(probe.folder))
	if disk.Rename(probe.folder, moved) == nil {
		room, probe.folder = above, moved
	}
	rooms.Store(target, room)
	return room
}

// In returns a function that creates a file in folder, including the file's parent folders. The
// folder is usually the one that Dir.Write passes. Close reports errors of all writes, so that a
// full disk is noticed. Dir.Write flushes the files to the disk.
func In(folder string) func(name string) (io.WriteCloser, error) {
	return func(name string) (io.WriteCloser, error) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		f, err := disk.Create(file, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			if err := disk.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return nil, err
			}
			f, err = disk.Create(file, 0o666)
		}
		if err != nil {
			return nil, err
		}
		return newBuffered(f), nil
	}
}

// Write writes a result and returns its path. It calls write with a temporary folder to write
// files to. write reports whether the result is complete.
//
// If Write returns an error, the directory holds the old result, whole. If the error is an
// [UnpublishedError], the new one is beside it.
func (d *Dir) Write(write func(folder string) (complete bool, err error)) (string, error) {
	if err := d.begin(); err != nil {
		return "", err
	}
	defer d.discard()
	complete, err := write(d.stage.path())
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
	if err := write(d.stage.path()); err != nil {
		return d.fail(err)
	}
	_, err := d.commit(true, false)
	return err
}

// commit publishes the files in temp, and returns the path of the result. See publish for the
// parameter replace.
func (d *Dir) commit(complete, replace bool) (string, error) {
	next, err := hashAll(d.stage.path())
	if err != nil {
		return "", d.fail(err)
	}
	name := d.target
	lock, err := d.lock()
	if err == nil {
		defer release(lock)
		busy.RLock() // makes Abandon wait
		defer busy.RUnlock()
		var there *content
		own := d.stage // settleLeft uses another one
		err = d.settleLeft(true)
		d.stage = own
		if err == nil {
			name, there, err = d.nameFor(complete)
		}
		if err == nil {
			err = d.publish(name, there, next, replace)
		}
	}
	switch {
	case err == nil:
		if d.stage != nil {
			d.stage.remove()
			if _, err := os.Lstat(d.stage.folder); err == nil {
				fmt.Fprintf(d.out, "%s: cannot remove all files of the old result; they are in %s\n", d.shown, d.stage.folder)
			}
		}
		d.stage, d.made = nil, ""
		return name, nil
	case replace && d.stage != nil:
		return "", d.keepBeside(name, next, err)
	}
	return "", d.fail(err)
}

// lock waits until no other process commits to the directory, and locks it. The lock file is
// beside the directory or, if the parent is not writable, in it.
func (d *Dir) lock() (*flock.Flock, error) {
	file := prefix(filepath.Base(d.target)) + "lock" // no stage has this name, because the names of stages end in a number
	lock, err := acquire(filepath.Join(filepath.Dir(d.target), file), d)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		lock, err = acquire(filepath.Join(d.target, file), d)
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
		if disk.Remove(above) != nil || above == d.made {
			d.made = ""
		}
	}
}

// fail calls discard if there is an error. It adds the directory's name to an error of the file system,
// and returns any other error unchanged.
func (d *Dir) fail(err error) error {
	if err != nil {
		d.discard()
	}
	return d.named(err)
}

// named adds the directory's name to an error of the file system.
func (d *Dir) named(err error) error {
	if !errors.As(err, new(*fs.PathError)) && !errors.As(err, new(*os.LinkError)) {
		return err
	}
	return fmt.Errorf("%s: cannot write the results: %w", d.shown, err)
}
