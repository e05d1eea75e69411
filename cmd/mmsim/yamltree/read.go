package yamltree

import (
	"path/filepath"
	"strings"

	"mmsim/cmd/mmsim/input"
)

// ReadFile reads a whole YAML file: a configuration, a gate, a sweep. Every error is bad input
// and names its position.
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

// About begins a message about a section or setting with its name, unless the position of the
// message is a flag that names it.
func (s *Source) About(path string) string {
	switch path {
	case "":
		return "the configuration: "
	case s.Key:
		return ""
	}
	return path + ": "
}
