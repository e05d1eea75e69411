package resultdir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Kind is what tells the directories of one command from all others.
type Kind struct {
	// Command is its name, as in "mmsim run". A directory of another command is refused.
	Command string
	// Marker is the file that comes last: a JSON object with the keys "schema" and "complete".
	// Files of this name in folders below come last in theirs.
	Marker string
	// Keys are further keys of the marker, by which directories without a list are recognised.
	Keys []string
	// Unlisted matches the names, with slashes, of the files that mmsim wrote before it kept
	// lists: it decides what is ours in a directory without a list. No name is added to it any
	// more, because a file that is written today is in the list.
	Unlisted *regexp.Regexp
}

// ListFile is the list of the files in a directory that mmsim wrote. It is equal for equal
// results.
const ListFile = ".mmsim-files.json"

// listSchema is the version of ListFile.
const listSchema = 1

// bytesMax bounds a list and a marker: the list of 10,000 replications has half of it.
const bytesMax = 32 << 20

// list is what ListFile holds.
type list struct {
	Schema  int      `json:"schema"`
	Command string   `json:"command"`
	Files   []string `json:"files"` // sorted, with slashes
}

// inspect tells what stands under a name, or why it must stay as it is.
func (k *Kind) inspect(dir, shown string) (*content, error) {
	there := &content{own: map[string]bool{}}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		there.empty = true
		return there, nil
	case err != nil:
		return nil, fault(shown, err)
	case !info.IsDir():
		return nil, refusef("%s: the output path is a file, expected a directory or a new name", shown)
	}
	there.exists = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fault(shown, err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), prefix(filepath.Base(dir))) })
	if len(entries) == 0 {
		there.empty = true
		return there, nil
	}
	if err := k.readList(dir, shown, there); err != nil {
		return nil, err
	}
	recognised := false
	there.isWhole, there.complete, recognised = k.readMarker(dir)
	switch {
	case there.isListed:
		return there, nil
	case !recognised:
		return nil, refusef("%s: the output directory is not empty and holds no %s of mmsim, expected another name", shown, k.Marker)
	}
	return there, k.findOwn(dir, there)
}

// readMarker tells whether there is a marker, whether it says that the result is complete,
// and whether only this command can have written it.
func (k *Kind) readMarker(dir string) (isThere, complete, recognised bool) {
	text, err := readWhole(filepath.Join(dir, k.Marker))
	if err != nil {
		return false, false, false
	}
	var keys map[string]json.RawMessage
	var marker struct {
		Schema   int   `json:"schema"`
		Complete *bool `json:"complete"`
	}
	if json.Unmarshal(text, &keys) != nil || json.Unmarshal(text, &marker) != nil || marker.Schema < 1 || marker.Complete == nil {
		return true, false, false
	}
	for _, key := range k.Keys {
		if _, has := keys[key]; !has {
			return true, *marker.Complete, false
		}
	}
	return true, *marker.Complete, true
}

// readList reads the list of a directory, if there is one, and those of folders below that
// are results too.
func (k *Kind) readList(dir, shown string, there *content) error {
	l, err := readListFile(dir, shown)
	if err != nil || l == nil {
		return err
	}
	if l.Command != k.Command {
		return refusef("%s: the output directory is not empty and holds no %s of mmsim but what \"mmsim %s\" wrote, expected another name",
			shown, k.Marker, l.Command)
	}
	there.isListed = true
	folders := map[string]bool{}
	for _, name := range l.Files {
		there.own[name] = true
		folders[path.Dir(name)] = true
	}
	delete(folders, ".")
	for folder := range folders {
		below, err := readListFile(filepath.Join(dir, folder), filepath.Join(shown, folder))
		if err != nil {
			return err
		}
		if below == nil {
			continue
		}
		there.own[path.Join(folder, ListFile)] = true
		for _, name := range below.Files {
			there.own[path.Join(folder, name)] = true
		}
	}
	return nil
}

// readListFile reads a list; nil where there is none.
func readListFile(dir, shown string) (*list, error) {
	text, err := readWhole(filepath.Join(dir, ListFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fault(filepath.Join(shown, ListFile), err)
	}
	var l list
	if err := json.Unmarshal(text, &l); err != nil || l.Schema != listSchema {
		return nil, refusef("%s: expected the list that mmsim writes, of schema %d and at most %d bytes; without the file, the directory is recognised by its results",
			filepath.Join(shown, ListFile), listSchema, bytesMax)
	}
	for _, name := range l.Files {
		if !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)) || name == "." {
			return nil, refusef("%s: got %q, expected names of files in the directory", filepath.Join(shown, ListFile), name)
		}
	}
	return &l, nil
}

// readWhole reads a file of at most bytesMax. Of a larger one, and of a pipe that nobody may
// write to, it reads nothing.
func readWhole(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > bytesMax {
		return nil, err
	}
	return os.ReadFile(file)
}

// depthMax is how deep below a directory files of earlier versions stand: runs/7/map.png.
const depthMax = 3

// findOwn finds the files of a directory without a list that earlier versions wrote.
func (k *Kind) findOwn(dir string, there *content) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil: // a folder that we may not read holds nothing of ours
			return fs.SkipDir
		case entry.IsDir() && strings.Count(name, "/")+1 >= depthMax:
			return fs.SkipDir
		case entry.Type().IsRegular() && k.Unlisted.MatchString(name):
			there.own[name] = true
		}
		return nil
	})
}

// writeList writes a list.
func (k *Kind) writeList(file string, own map[string]bool) error {
	l := list{Schema: listSchema, Command: k.Command, Files: []string{}}
	for name := range own {
		l.Files = append(l.Files, name)
	}
	slices.Sort(l.Files)
	text, err := json.MarshalIndent(&l, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", ListFile, err)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err == nil {
		err = fsync(f)
	}
	return first(err, f.Close())
}

// Unlisted matches one of several forms of a file's name, in some folder, for Kind.Unlisted.
func Unlisted(folder string, forms ...string) *regexp.Regexp {
	return regexp.MustCompile(`^` + folder + `(` + strings.Join(forms, "|") + `)$`)
}
