package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"mmsim/reports"
)

// resultDir is a result directory, or another one that mmsim makes, in the making. Files are written into a
// temporary directory beside the target, which takes the target's name at the
// end: the final name never shows half a result.
type resultDir struct {
	target string // absolute
	marker string // the file that shows that a directory is such a result
	temp   string // where files are written; "" before begin and after the end
	made   string // topmost folder above the target that begin made, "" if none
}

// occupant is what stands under a name before a result takes it.
type occupant uint8

const (
	nothingThere   occupant = iota // no such name, or an empty directory
	partialResult                  // an interrupted run of mmsim
	completeResult                 // a finished run of mmsim
)

// claimResultDir claims a name for the result of a run.
func claimResultDir(dir string) (*resultDir, error) { return claimDir(dir, reports.SummaryFile) }

// claimDir checks that a result may take the name dir; it writes nothing. A file,
// the working directory and a directory with anything but a result of the same kind
// in it are refused as bad input, under the name for a partial result too where that
// may be needed. Results of a kind hold its marker, a JSON file with the keys "schema"
// and "complete".
func claimDir(dir, marker string) (*resultDir, error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	// Renaming over a link would leave the directory behind it as it was.
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	if here, err := os.Getwd(); err == nil && here == target {
		return nil, badInputf("%s: the output directory is the working directory, expected another name", dir)
	}
	r := &resultDir{target: target, marker: marker}
	_, err = r.nameFor(false)
	return r, err
}

// nameFor returns the name that a result takes. A complete one takes the target. A
// partial one takes it too, except from a complete result: then it goes to the name
// with ".partial" behind it.
func (r *resultDir) nameFor(complete bool) (string, error) {
	there, err := inspect(r.target, r.marker)
	if err != nil || complete || there != completeResult {
		return r.target, err
	}
	name := r.target + ".partial"
	there, err = inspect(name, r.marker)
	if err == nil && there == completeResult {
		err = badInputf("%s: holds a complete result, which an interrupted one does not replace", name)
	}
	return name, err
}

// inspect tells what stands under a name, or why it must stay. The marker shows that
// it is a result of ours.
func inspect(dir, marker string) (occupant, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nothingThere, nil
	case errors.Is(err, syscall.ENOTDIR):
		return 0, badInputf("%s: a folder of the output path is a file, expected a directory or a new name", dir)
	case err != nil:
		return 0, openError(dir, err)
	case !info.IsDir():
		return 0, badInputf("%s: the output path is a file, expected a directory or a new name", dir)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0, openError(dir, err)
	}
	if len(files) == 0 {
		return nothingThere, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, marker))
	var summary struct {
		Schema   int   `json:"schema"`
		Complete *bool `json:"complete"`
	}
	if err != nil || json.Unmarshal(text, &summary) != nil || summary.Schema < 1 || summary.Complete == nil {
		return 0, badInputf("%s: the output directory is not empty and holds no %s of mmsim, expected another name",
			dir, marker)
	}
	if *summary.Complete {
		return completeResult, nil
	}
	return partialResult, nil
}

// begin makes the temporary directory, and the folders above it. It fails now
// where the result could not be written later.
func (r *resultDir) begin() error {
	parent := filepath.Dir(r.target)
	for above := parent; ; above = filepath.Dir(above) {
		if _, err := os.Stat(above); err == nil || above == filepath.Dir(above) {
			break
		}
		r.made = above
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return r.fail(err)
	}
	if err := r.removeLeftovers(); err != nil {
		return r.fail(err)
	}
	// The process number keeps runs apart.
	temp := filepath.Join(parent, r.tempPrefix()+strconv.Itoa(os.Getpid()))
	if err := os.Mkdir(temp, 0o777); err != nil {
		return r.fail(err)
	}
	r.temp = temp
	return nil
}

// tempPrefix begins the names of temporary directories; the number of the process
// that writes there follows.
func (r *resultDir) tempPrefix() string { return "." + filepath.Base(r.target) + ".tmp-" }

// removeLeftovers removes the temporary directories of processes that were killed.
// One that was put aside is the user's only result where the target is gone, and
// stays then.
func (r *resultDir) removeLeftovers() error {
	parent := filepath.Dir(r.target)
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil // a folder that takes files need not list them
	}
	_, missing := os.Stat(r.target)
	for _, entry := range entries {
		number, ours := strings.CutPrefix(entry.Name(), r.tempPrefix())
		number, aside := strings.CutSuffix(number, asideSuffix)
		pid, err := strconv.Atoi(number)
		if !ours || err != nil || aside && missing != nil || pid != os.Getpid() && isAlive(pid) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(parent, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// isAlive tells whether there is a process of that number, as far as can be known:
// when in doubt there is.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err != nil || !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// asideSuffix ends the name of what stood under the target before.
const asideSuffix = ".old"

// commit gives the result its final name and returns it. After an error nothing new
// stands under any name.
func (r *resultDir) commit(complete bool) (string, error) {
	name, err := r.nameFor(complete)
	if err == nil {
		err = r.takeName(name)
	}
	if err != nil {
		return "", r.fail(err)
	}
	r.temp, r.made = "", ""
	return name, nil
}

// takeName renames the temporary directory. What stood there is put aside first
// and removed last, and comes back when the renaming fails.
func (r *resultDir) takeName(name string) error {
	aside := r.temp + asideSuffix
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	err := os.Rename(name, aside)
	stood := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(r.temp, name); err != nil {
		if stood {
			err = errors.Join(err, os.Rename(aside, name))
		}
		return err
	}
	return os.RemoveAll(aside)
}

// discard removes everything that begin made, as if nothing had been asked. It
// does nothing after commit, so that it can be deferred.
func (r *resultDir) discard() {
	// A failure here has nobody left to tell: the reason why the result is
	// discarded is the message that matters.
	if r.temp != "" {
		_ = os.RemoveAll(r.temp)
		r.temp = ""
	}
	for above := filepath.Dir(r.target); r.made != ""; above = filepath.Dir(above) {
		if os.Remove(above) != nil || above == r.made {
			r.made = ""
		}
	}
}

// fail discards everything and words the error.
func (r *resultDir) fail(err error) error {
	r.discard()
	var coded *codedError
	if errors.As(err, &coded) {
		return err
	}
	return fmt.Errorf("%s: cannot write the results: %w", r.target, err)
}
