package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
)

// override is one setting given on the command line.
type override struct {
	flag string // as the user wrote it, for messages: "--seed 5", "--set seed=5"
	key  string
	text string
	// literal text is taken as it stands, as for --dataset; otherwise it is
	// YAML, so that --set takes whatever a file takes.
	literal bool
}

// loadConfig resolves a configuration: the defaults, then the file ("" is
// none), then the overrides in their order, each over what came before. Nothing
// is read but that file. Every error is bad input and says where.
func loadConfig(file string, overrides []override) (*config, error) {
	l := newLoader()
	if err := l.applyFile(file); err != nil {
		return nil, err
	}
	for _, o := range overrides {
		if err := l.applyOverride(o); err != nil {
			return nil, err
		}
	}
	return l.config, l.check()
}

// readYAML reads a whole YAML file: a configuration, a gate, a sweep. Every error is
// bad input and says where.
func readYAML(file string) (node, error) {
	text, err := input.ReadFile(file, configLimit)
	if err != nil {
		return node{}, badInput(err)
	}
	return parseFile(file, text)
}

// parseFile parses the text of a file. Paths in it are relative to the file's folder.
func parseFile(file string, text []byte) (node, error) {
	folder := filepath.Dir(file)
	if !filepath.IsAbs(folder) {
		here, err := workingFolder()
		if err != nil {
			return node{}, err
		}
		folder = filepath.Join(here, folder)
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	return parseYAML(text, &source{name: file, folder: folder, lines: lines})
}

// openError is the message about a file that cannot be opened or read.
func openError(file string, err error) error { return input.Error(file, err) }

// loader applies values to a configuration, which remembers where each was
// written.
type loader struct {
	config   *config
	settings []setting
}

func newLoader() *loader {
	c := defaultConfig()
	c.written = map[string]node{}
	return &loader{config: c, settings: settings(c)}
}

// applyFile applies a configuration file, "" being none.
func (l *loader) applyFile(file string) error {
	if file == "" {
		return nil
	}
	root, err := readYAML(file)
	if err != nil {
		return err
	}
	return l.apply("", root)
}

// applyOverride applies one setting from the command line. Its paths are
// relative to the working directory.
func (l *loader) applyOverride(o override) error {
	folder, err := workingFolder()
	if err != nil {
		return err
	}
	from := &source{name: o.flag, folder: folder}
	if flag, _, _ := strings.Cut(o.flag, " "); strings.HasPrefix(flag, "--set") || flag == "--"+o.key {
		from.key = o.key
	}
	n := node{kind: kindText, text: o.text, from: from}
	if !o.literal {
		if n, err = parseYAML([]byte(o.text), from); err != nil {
			return err
		}
	}
	return l.applyKey(o.key, node{kind: kindPlain, text: o.key, from: from}, n)
}

// apply applies the entries of a section, "" being the whole configuration. A
// section without any entry, as when all are commented out, is well.
func (l *loader) apply(section string, n node) error {
	if n.kind == kindNull {
		return nil
	}
	if n.kind != kindMapping {
		return n.errorf("%sgot %s, expected a mapping with some of the keys %s",
			n.from.about(section), n, strings.Join(l.keysUnder(section), ", "))
	}
	for _, e := range n.entries {
		path := e.key.text
		if section != "" {
			path = section + "." + path
		}
		if outer, inner, dotted := strings.Cut(e.key.text, "."); dotted {
			return e.key.errorf("unknown key %q: expected %s inside the mapping %s", path, inner, outer)
		}
		if err := l.applyKey(path, e.key, e.value); err != nil {
			return err
		}
	}
	return nil
}

// applyKey applies the value n written under the dotted path.
func (l *loader) applyKey(path string, key, n node) error {
	s := l.find(path)
	switch {
	case s != nil && s.entry != nil:
		return l.applyEntries(s, n)
	case s != nil && (n.kind != kindMapping || len(l.keysUnder(path)) == 0):
		return l.applyValue(path, s.value, n)
	case len(l.keysUnder(path)) > 0:
		return l.apply(path, n)
	}
	if dot := strings.LastIndexByte(path, '.'); dot >= 0 {
		if s := l.find(path[:dot]); s != nil && s.entry != nil {
			return l.applyEntry(s, node{kind: kindPlain, text: path[dot+1:], from: key.from}, n)
		}
	}
	return key.errorf("unknown key %q%s", path, didYouMean(path, l.keys()))
}

// applyValue reads one value.
func (l *loader) applyValue(path string, v value, n node) error {
	if err := v.readAt(path, n); err != nil {
		return err
	}
	l.config.written[path] = n
	return nil
}

// readAt reads one value, and completes the message about a misfit unless that
// points at a part of it already.
func (v value) readAt(path string, n node) error {
	err := v.read(n)
	var placed *inputError
	if err == nil || errors.As(err, &placed) {
		return err
	}
	return n.errorf("%sgot %v, expected %s", n.from.about(path), err, v.expects)
}

// applyEntries replaces all entries of a setting whose keys are data.
func (l *loader) applyEntries(s *setting, n node) error {
	if n.kind != kindMapping && n.kind != kindNull {
		return n.errorf("%sgot %s, expected %s", n.from.about(s.path), n, s.expects)
	}
	s.empty()
	for _, e := range n.entries {
		if err := l.applyEntry(s, e.key, e.value); err != nil {
			return err
		}
	}
	l.config.written[s.path] = n
	return nil
}

// applyEntry sets one entry of a setting whose keys are data.
func (l *loader) applyEntry(s *setting, key, n node) error {
	v, err := s.entry(key)
	if err != nil {
		return key.errorf("%sgot %v, expected %s", key.from.about(s.path), err, s.expects)
	}
	l.config.written[s.path] = n
	return l.applyValue(s.path+"."+key.text, v, n)
}

// errorf makes the error about a setting that was read and yet does not fit what else
// there is. It points at where the setting was written.
func (c *config) errorf(path, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	if n, ok := c.written[path]; ok {
		return n.errorf("%s%s", n.from.about(path), message)
	}
	return badInputf("%s: %s", path, message)
}

func (l *loader) find(path string) *setting {
	i := slices.IndexFunc(l.settings, func(s setting) bool { return s.path == path })
	if i < 0 {
		return nil
	}
	return &l.settings[i]
}

// keys lists all settings, for suggestions.
func (l *loader) keys() []string {
	var keys []string
	for _, s := range l.settings {
		keys = append(keys, s.path)
	}
	return keys
}

// keysUnder lists the keys of a section, in order; none where there is no such
// section.
func (l *loader) keysUnder(section string) []string {
	var keys []string
	for _, s := range l.settings {
		rest, below := s.path, section == ""
		if !below {
			rest, below = strings.CutPrefix(s.path, section+".")
		}
		if key, _, _ := strings.Cut(rest, "."); below && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// about begins a message about a section or setting with its name, unless the
// place of the message is a flag that names it.
func (s *source) about(path string) string {
	switch path {
	case "":
		return "the configuration: "
	case s.key:
		return ""
	}
	return path + ": "
}
