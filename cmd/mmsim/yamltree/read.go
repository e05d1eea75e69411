package yamltree

import (
	"path/filepath"
	"strings"

	"mmsim/cmd/mmsim/input"
)

// ReadFile reads a YAML file. Every error is a bad input error and names its position; see Parse.
func ReadFile(file string) (Node, error) {
	text, err := input.ReadFile(file, Limit)
	if err != nil {
		return Node{}, input.Bad(err)
	}
	return ParseFile(file, text)
}

// ParseFile parses the text of a file. Paths in it are relative to the file's folder.
func ParseFile(file string, text []byte) (Node, error) {
	folder := filepath.Dir(file)
	if !filepath.IsAbs(folder) {
		here, err := input.WorkingFolder()
		if err != nil {
			return Node{}, err
		}
		folder = filepath.Join(here, folder)
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	return Parse(text, &Source{Name: file, Folder: folder, lines: lines})
}

// Join returns the key inside the section, mapping or list at path, which is "" for a whole file.
func Join(path, key string) string {
	if path == "" || key == "" || key[0] == '[' {
		return path + key
	}
	return path + "." + key
}
