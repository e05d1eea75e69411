package resultdir

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/disk"
)

// A Kind describes the result directories of one command.
type Kind struct {
	// Command is the name of the command, such as "run". A result of another command is not
	// replaced.
	Command string
	// Marker is the name of the file that is written last, so that a directory with this file is
	// finished. It is a JSON object with the keys "schema" and "complete". Subfolders may have a
	// file of the same name; these are written after all other files, and before the directory's
	// own marker.
	Marker string
	// Keys lists further keys that the marker of this command has. They identify a directory whose
	// ListFile was lost, such as a copy made by cp dir/*. Of its files, only the marker is mmsim's.
	Keys []string
}

// inspect describes what exists at dir. It returns an error if that must not be replaced.
func (k *Kind) inspect(dir, shown string) (*content, error) {
	there := &content{own: own{}}
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
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return isTemporary(dir, e.Name()) })
	if len(entries) == 0 {
		there.empty = true
		return there, nil
	}
	if err := k.readList(dir, shown, there); err != nil {
		return nil, err
	}
	complete, recognised := k.readMarker(dir)
	there.complete = complete
	switch {
	case there.isListed:
		return there, nil
	case !recognised:
		return nil, refusef("%s: the output directory is not empty and has no %s of mmsim, expected another name", shown, k.Marker)
	}
	there.own[k.Marker] = nil
	return there, nil
}

// readMarker reports whether the marker of a directory says that the result is complete, and whether its
// keys identify this command.
func (k *Kind) readMarker(dir string) (complete, recognised bool) {
	text, _ := readWhole(filepath.Join(dir, k.Marker)) // without a marker there is no text
	var keys map[string]json.RawMessage
	var marker struct {
		Schema   int   `json:"schema"`
		Complete *bool `json:"complete"`
	}
	if json.Unmarshal(text, &keys) != nil || json.Unmarshal(text, &marker) != nil || marker.Schema < 1 || marker.Complete == nil {
		return false, false
	}
	isWithout := func(key string) bool { return keys[key] == nil }
	return *marker.Complete, !slices.ContainsFunc(k.Keys, isWithout)
}

// readWhole reads a file. It returns nil for a file above bytesMax, and for a pipe, from which
// reading might block forever.
func readWhole(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > bytesMax {
		return nil, err
	}
	return os.ReadFile(file)
}

// ListFile lists the files in a directory that mmsim wrote, and their hashes. Equal results have
// equal lists.
const ListFile = ".mmsim-files.json"

// listSchema is the version of ListFile.
const listSchema = 2

// bytesMax limits the size of a ListFile and of a marker. The ListFile for 10,000 replications
// has about half this size.
const bytesMax = 64 << 20

// own has the slash-separated names of the files that mmsim wrote, with the hashes of what it wrote
// there. Without a hash the file is ours whatever it contains, as the lists of subfolders are. While a
// file is being replaced, it has two hashes.
type own map[string][]string

// folders returns the folders of the files, slash-separated.
func (o own) folders() map[string]bool {
	folders := map[string]bool{}
	for name := range o {
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	return folders
}

// list is the content of ListFile.
type list struct {
	Schema  int       `json:"schema"`
	Command string    `json:"command"`
	Files   []ownFile `json:"files"` // sorted by name
}

// ownFile is a file in a list. It may have several entries.
type ownFile struct {
	Name   string `json:"name"` // slash-separated
	SHA256 string `json:"sha256,omitempty"`
}

// readList reads the ListFile of a directory, if it has one. It also reads the lists of
// subfolders that are results.
func (k *Kind) readList(dir, shown string, there *content) error {
	l, err := readListFile(dir, shown)
	if err != nil {
		return err
	}
	if l == nil {
		there.own.addOuter(dir)
		return nil
	}
	if l.Command != k.Command {
		return refusef("%s: the output directory contains the results of \"mmsim %s\", expected another name", shown, l.Command)
	}
	there.isListed = true
	there.own.add("", l)
	folders := map[string]bool{}
	for name := range there.own {
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
		there.own[path.Join(folder, ListFile)] = nil
		there.own.add(folder, below)
	}
	return nil
}

// outerMost is how many folders above a result the result that it is part of may be, as for runs/1.
const outerMost = 2

// addOuter adds the files in a directory without a list that the list of a result around it names, such as
// those of one of its replications.
func (o own) addOuter(dir string) {
	outer, below := dir, ""
	for range outerMost {
		outer, below = filepath.Dir(outer), path.Join(filepath.Base(outer), below)
		l, err := readListFile(outer, outer)
		if err != nil || l == nil {
			continue // its own command reports an error
		}
		for _, f := range l.Files {
			if name, is := strings.CutPrefix(f.Name, below+"/"); is {
				o.add("", &list{Files: []ownFile{{name, f.SHA256}}})
			}
		}
		return
	}
}

// add adds the files of the list of a subfolder.
func (o own) add(folder string, l *list) {
	for _, f := range l.Files {
		name := path.Join(folder, f.Name)
		sums, has := o[name]
		switch {
		case f.SHA256 == "", has && sums == nil:
			o[name] = nil
		default:
			o[name] = append(sums, f.SHA256)
		}
	}
}

// readListFile reads the ListFile of a directory. It returns nil if there is none.
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
		return nil, refusef("%s: expected a list that mmsim wrote, with schema %d and at most %d bytes; if the file is removed, mmsim recognises the directory by its results",
			filepath.Join(shown, ListFile), listSchema, bytesMax)
	}
	for _, f := range l.Files {
		if !fs.ValidPath(f.Name) || !filepath.IsLocal(filepath.FromSlash(f.Name)) || f.Name == "." {
			return nil, refusef("%s: got %q, expected names of files in the directory", filepath.Join(shown, ListFile), f.Name)
		}
	}
	return &l, nil
}

// listText returns the content of a ListFile.
func (k *Kind) listText(files own) ([]byte, error) {
	l := list{Schema: listSchema, Command: k.Command, Files: []ownFile{}}
	for name, sums := range files {
		if sums == nil {
			sums = []string{""}
		}
		for _, sum := range sums {
			l.Files = append(l.Files, ownFile{name, sum})
		}
	}
	slices.SortFunc(l.Files, func(a, b ownFile) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.SHA256, b.SHA256))
	})
	text, err := json.MarshalIndent(&l, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", ListFile, err)
	}
	return append(text, '\n'), nil
}

// writeList writes a new ListFile and flushes it to the disk.
func (k *Kind) writeList(file string, files own) error {
	text, err := k.listText(files)
	if err != nil {
		return err
	}
	if err = writeSynced(file, text); err != nil && !errors.Is(err, fs.ErrExist) {
		_ = disk.Remove(file) // it may not be on the disk
	}
	return err
}

// sums has the hashes of files that were read, so that each is read once as long as it does not
// change.
type sums map[string]summed

type summed struct {
	info fs.FileInfo
	sum  string
}

// of returns the hash of the file with the given name in a folder.
func (s sums) of(folder, name string) (string, error) {
	file := filepath.Join(folder, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if err != nil {
		return "", err
	}
	if known, has := s[name]; has && os.SameFile(known.info, info) && known.info.Size() == info.Size() && known.info.ModTime().Equal(info.ModTime()) {
		return known.sum, nil
	}
	sum, err := hashOf(file)
	if err == nil {
		s[name] = summed{info, sum}
	}
	return sum, err
}

// hashOf returns the SHA-256 hash of a file in hexadecimal digits.
func hashOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// owns reports whether the file with a name in a folder is one that mmsim wrote and nobody changed.
func (o own) owns(folder, name string, known sums) bool {
	written, listed := o[name]
	if !listed || foreign(folder, name) != "" {
		return false
	}
	if written == nil {
		_, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(name)))
		return err == nil
	}
	sum, err := known.of(folder, name)
	return err == nil && slices.Contains(written, sum)
}
