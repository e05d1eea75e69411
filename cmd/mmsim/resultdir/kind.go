package resultdir

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	switch there.complete = complete; {
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
