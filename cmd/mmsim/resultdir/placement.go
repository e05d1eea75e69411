package resultdir

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/disk"
)

// A plan says in a stage what a process was about to do with it when it was killed.
type plan struct {
	Target   string   `json:"target"`             // base name of the result directory
	Exchange bool     `json:"exchange,omitempty"` // a swap; otherwise a placement
	Marker   string   `json:"marker,omitempty"`   // of a placement
	Old      own      `json:"old,omitempty"`      // files of the old result
	New      []string `json:"new,omitempty"`      // files of a placement
}

// write writes the plan and flushes it to the disk.
func (p *plan) write(s *stage) error {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("writing %s: %w", stagePlan, err)
	}
	return writeSynced(filepath.Join(s.folder, stagePlan), text)
}

// readPlan reads the plan of a stage. It returns nil if there is none. A process that was killed may
// have left half a plan, before anything was done.
func readPlan(s *stage) (*plan, error) {
	text, err := readWhole(filepath.Join(s.folder, stagePlan))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var p plan
	if json.Unmarshal(text, &p) != nil || p.Target == "" || p.Target != filepath.Base(p.Target) {
		return nil, nil
	}
	return &p, nil
}

// target returns the result directory of a plan. The stage is beside it, or in it.
func (p *plan) target(s *stage) string {
	above := filepath.Dir(s.folder)
	if filepath.Base(above) == p.Target {
		if _, err := os.Lstat(filepath.Join(above, p.Target)); err != nil {
			return above
		}
	}
	return filepath.Join(above, p.Target)
}

// settle makes the stage of a killed process removable. It returns an error if the stage has
// something that must stay.
func (s *stage) settle() error {
	p, err := readPlan(s)
	if p == nil || err != nil {
		return err
	}
	target := p.target(s)
	if !p.Exchange {
		if _, err := os.Lstat(filepath.Join(target, p.Marker)); err == nil {
			return nil // the old result or the new one is in place
		}
		return &fs.PathError{Op: "remove", Path: s.folder, Err: fs.ErrExist} // see settleLeft
	}
	files := p.Old // of the old result, if it had no list
	l, err := readListFile(s.path(), s.path())
	if err == nil && l == nil && files == nil {
		err = fs.ErrNotExist
	}
	if err == nil && l != nil {
		there := &content{own: own{}}
		err = (&Kind{Command: l.Command}).readList(s.path(), s.path(), there)
		files = there.own
	}
	if err != nil {
		return err
	}
	return retire(s.path(), target, files, sums{})
}

// A placement replaces a result file by file, where folders cannot be exchanged. It moves the old
// files into the stage, the marker first, and then the new ones into the directory, the marker last.
// It can be continued or undone after any step: where a file is says which steps were done.
type placement struct {
	plan
	stage *stage
	to    string // the directory
	known sums
}

// stageList is the ListFile of the new result until it is in place.
const stageList = "list"

// place replaces a result by a placement.
func (d *Dir) place(s *swap) error {
	p := &placement{plan{Target: filepath.Base(s.name), Marker: d.kind.Marker, Old: s.old.own, New: slices.Sorted(maps.Keys(s.next))}, d.stage, s.name, d.known}
	if s.kept != nil { // only files that are replaced go, and the marker goes and returns
		if err := p.copyMarker(); err != nil {
			return err
		}
		p.New = append(p.New, p.Marker)
		p.Old = maps.Clone(s.old.own)
		maps.DeleteFunc(p.Old, func(name string, _ []string) bool { return !slices.Contains(p.New, name) })
	}
	err := inOrder(
		func() error { return d.kind.writeList(filepath.Join(d.stage.folder, stageList), s.all()) },
		func() error { return disk.Mkdir(p.aside(), 0o777) },
		func() error { return syncFolders(d.stage.folder) },
		func() error { return disk.Sync(filepath.Dir(d.stage.folder)) },
		func() error { return p.plan.write(d.stage) }, // from here on the new result is the one to complete
		func() error { return disk.Sync(d.stage.folder) })
	if err != nil {
		_ = disk.Remove(filepath.Join(d.stage.folder, stagePlan))
		return err
	}
	return d.finish(p)
}

// copyMarker puts a copy of the directory's marker beside the new files.
func (p *placement) copyMarker() error {
	text, err := readWhole(filepath.Join(p.to, p.Marker))
	if err != nil {
		return err
	}
	return writeSynced(p.from(p.Marker), text)
}

// finish continues a placement. If that fails, it is undone. If that fails too, the stage stays: the
// next command that writes to the directory continues.
func (d *Dir) finish(p *placement) error {
	err := p.forward()
	if err == nil {
		_ = disk.Remove(filepath.Join(p.stage.folder, stagePlan)) // a plan with a marker does nothing
		return p.late()
	}
	if back := p.back(); back != nil {
		p.stage.forget()
		_ = p.stage.lock.Close()
		d.stage = nil
		return fmt.Errorf("%w; then also: %w; the next command that writes there tries again", err, back)
	}
	_ = disk.Remove(filepath.Join(p.stage.folder, stagePlan))
	return err
}

// late returns a lateError if the user has changed a file before it was moved aside.
func (p *placement) late() error {
	files, err := filesIn(p.aside())
	if err != nil {
		return err
	}
	for _, name := range files {
		if name != ListFile && !p.Old.owns(p.aside(), name, p.known) {
			return &lateError{name, filepath.Join(p.aside(), filepath.FromSlash(name))}
		}
	}
	return nil
}

func (p *placement) from(name string) string {
	return filepath.Join(p.stage.path(), filepath.FromSlash(name))
}

func (p *placement) aside() string { return filepath.Join(p.stage.folder, stageOld) }

func (p *placement) at(name string) string { return filepath.Join(p.to, filepath.FromSlash(name)) }

// forward does all steps that are left.
func (p *placement) forward() error {
	isNew := map[string]bool{}
	for _, name := range p.New {
		isNew[name] = true
	}
	old := slices.SortedFunc(maps.Keys(p.Old), p.order)
	for _, name := range slices.Backward(old) {
		if _, err := os.Lstat(p.from(name)); err != nil && isNew[name] {
			continue // the new file is in place
		}
		if p.Old.owns(p.to, name, p.known) {
			if err := move(p.at(name), filepath.Join(p.aside(), filepath.FromSlash(name))); err != nil {
				return err
			}
			if name == p.Marker { // without it, the directory is no result, whatever else is on the disk
				if err := p.sync(); err != nil {
					return err
				}
			}
		}
	}
	if err := p.sync(); err != nil {
		return err
	}
	slices.SortFunc(p.New, p.order)
	for _, name := range p.New {
		if name == p.Marker {
			if err := p.placeList(); err != nil {
				return err
			}
		}
		if err := placeFile(p.from(name), p.at(name)); err != nil {
			return err
		}
	}
	p.removeEmpty()
	return p.sync()
}

// placeList replaces the ListFile.
func (p *placement) placeList() error {
	list, aside := filepath.Join(p.stage.folder, stageList), filepath.Join(p.aside(), ListFile)
	if _, err := os.Lstat(list); errors.Is(err, fs.ErrNotExist) {
		return nil // it is in place
	}
	if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
		if err := move(p.at(ListFile), aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return inOrder(p.sync, func() error { return placeFile(list, p.at(ListFile)) }, p.sync)
}

// back undoes all steps.
func (p *placement) back() error {
	for _, name := range slices.Backward(slices.SortedFunc(slices.Values(p.New), p.order)) {
		if err := unplaceFile(p.from(name), p.at(name)); err != nil {
			return err
		}
	}
	if err := unplaceFile(filepath.Join(p.stage.folder, stageList), p.at(ListFile)); err != nil {
		return err
	}
	files, err := filesIn(p.aside())
	if err != nil {
		return err
	}
	slices.SortFunc(files, p.order)
	for _, name := range files {
		err := placeFile(filepath.Join(p.aside(), filepath.FromSlash(name)), p.at(name))
		if err != nil && !errors.Is(err, fs.ErrExist) { // the user has created a file in its place
			return err
		}
	}
	return p.sync()
}

// settleLeft finishes a placement that a killed process left half done. isLocked says that this
// process has locked the directory.
func (d *Dir) settleLeft(isLocked bool) error {
	for _, target := range []string{d.target, d.target + partialSuffix} {
		s, left := d.leftover(target)
		if s == nil {
			continue
		}
		if !isLocked {
			lock, err := d.lock()
			if err != nil {
				return err
			}
			defer release(lock)
		}
		d.stage = s
		err := d.finish(&placement{*left, s, target, d.known})
		late, isLate := errors.AsType[*lateError](err)
		switch {
		case d.stage == nil:
			return err
		case err == nil:
			s.remove()
			d.stage = nil
		case isLate:
			d.leave(late)
		default:
			next, hashing := hashAll(d.stage.path())
			fmt.Fprintln(d.out, d.keepBeside(target, next, cmp.Or(err, hashing)))
		}
	}
	return nil
}

// leftover finds the stage of a killed process that had begun a placement, and locks it. Between its
// first step and its last one, the directory has no marker.
func (d *Dir) leftover(target string) (*stage, *plan) {
	if info, err := os.Stat(target); err != nil || !info.IsDir() {
		return nil, nil
	}
	if _, err := os.Lstat(filepath.Join(target, d.kind.Marker)); err == nil {
		return nil, nil
	}
	for _, folder := range []string{filepath.Dir(target), d.target} {
		for _, name := range stagesIn(folder) {
			if !isTemporary(d.target, name) {
				continue
			}
			s := lockLeftover(filepath.Join(folder, name))
			if s == nil {
				continue
			}
			if p, err := readPlan(s); err == nil && p != nil && !p.Exchange && p.target(s) == target {
				return s, p
			}
			_ = s.lock.Close()
		}
	}
	return nil, nil
}

// order puts files in subfolders first and markers last, the directory's own marker at the end.
func (p *placement) order(a, b string) int {
	isMarker := func(name string) int {
		if path.Base(name) == p.Marker {
			return 1
		}
		return 0
	}
	return cmp.Or(isMarker(a)-isMarker(b), strings.Count(b, "/")-strings.Count(a, "/"), strings.Compare(a, b))
}

// removeEmpty removes folders of old files that are empty now.
func (p *placement) removeEmpty() {
	for _, folder := range slices.Backward(slices.Sorted(maps.Keys(p.Old.folders()))) { // a folder is before those in it
		_ = disk.Remove(p.at(folder)) // fails if the folder is not empty, which is intended
	}
}

// sync flushes the names in the folders of all files to the disk.
func (p *placement) sync() error {
	folders := map[string]bool{p.to: true}
	for _, name := range slices.Concat(p.New, slices.Collect(maps.Keys(p.Old))) {
		folders[filepath.Dir(p.at(name))] = true
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if err := disk.Sync(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return syncFolders(p.stage.folder)
}

// move renames a file into a folder, which it creates.
func move(from, to string) error {
	if _, err := os.Lstat(from); err != nil {
		return err
	}
	if err := disk.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return disk.Rename(from, to)
}

// placeFile renames a file unless that was done before. It never replaces a file: where files can
// have two names, also if another program is creating one at the same time.
func placeFile(from, to string) error {
	switch _, err := os.Lstat(from); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case isCarried(from, to):
		return disk.Remove(from)
	}
	if err := disk.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	err := disk.Link(from, to)
	if err == nil {
		return disk.Remove(from)
	}
	if errors.Is(asUnsupported(err), errors.ErrUnsupported) || isFull(err) { // a second name needs space
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return disk.Rename(from, to)
		}
	}
	return err
}

// unplaceFile undoes placeFile, also if it was stopped half-way.
func unplaceFile(from, to string) error {
	switch _, err := os.Lstat(from); {
	case isCarried(from, to):
		return disk.Remove(to)
	case err == nil:
		return nil
	}
	if err := move(to, from); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
