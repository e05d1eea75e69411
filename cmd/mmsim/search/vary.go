package search

import (
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/result"
)

// Files that a sweep without a sweep file also writes: the sweep file that its flags stand for, and
// the configuration that this file names if flags change the configuration.
const (
	specFile = "sweep.yaml"
	baseFile = "base.yaml"
)

// varied returns the sweep that flags describe: each text in vary is KEY=VALUE,... Every error is a
// bad input error, which names the flag.
func varied(vary []string, overrides []config.Override) (*sweepSpec, error) {
	s := &sweepSpec{name: "--vary", overrides: overrides, runs: DefaultSweepRuns, guard: gate.DefaultGuard()}
	for _, text := range vary {
		name, values, _ := strings.Cut(text, "=")
		list, err := listOfFlag("vary", name, text, values)
		if err != nil {
			return nil, err
		}
		key := yamltree.Node{Kind: yamltree.Plain, Text: name, From: list.From}
		if name == "" || name == text {
			return nil, key.Errorf("expected KEY=VALUE,... such as match.size=2,4,8")
		}
		if slices.ContainsFunc(s.axes, func(a axis) bool { return a.key.Text == name }) {
			return nil, key.Errorf("duplicate key %q, expected it once", name)
		}
		if namesFilesInside(name) {
			return nil, key.Errorf("got a key with names of files in it, expected such a key in SPEC.yaml: sweep.yaml could not name the files")
		}
		v, err := s.axis(key)
		if err == nil {
			err = v.Read(list)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, s.checkOverridden()
}

// listOfFlag parses a part of a flag's text as what stands between the brackets of a YAML list.
// Paths in it are relative to the working directory. key is the setting to which the list belongs,
// or "".
func listOfFlag(flag, key, text, values string) (yamltree.Node, error) {
	folder, err := input.WorkingFolder()
	if err != nil {
		return yamltree.Node{}, err
	}
	short, rest := input.Shortened(text, 80)
	from := &yamltree.Source{Name: "--" + flag + " " + short + rest, Key: key, Folder: folder}
	list, err := yamltree.Parse([]byte("["+values+"]"), from)
	if err == nil && list.Kind != yamltree.List {
		err = list.Errorf("got %s, expected values such as 2,4,8", list)
	}
	return list, err
}

// baseConfig returns the text of baseFile: the configuration from which all points start. It has the
// settings of the first of n points, because the sweep's settings alone may make a configuration valid.
// Values that mmsim chooses remain auto.
func (s *sweepSpec) baseConfig(n int) ([]byte, error) {
	from, err := s.base()
	if err != nil {
		return nil, err
	}
	keys, values := s.pointSettings(0, n)
	c, _, err := from.ReadWith(s.dir, keys, values)
	if err != nil {
		return nil, err
	}
	return c.Resolved(s.dir)
}

// specNote begins specFile.
const specNote = "# The flags of a sweep as a file. \"mmsim sweep\" gives the same results again with this file and\n# another result directory (--out).\n"

// write writes the sweep file that gives the same results as the flags.
func (s sweepSpec) write(w io.Writer, points []planPoint) (err error) {
	if len(s.overrides) > 0 {
		if s.config, err = Absolute(filepath.Join(s.dir, baseFile)); err != nil {
			return err
		}
	}
	s.axes = slices.Clone(s.axes)
	after := len(points)
	for i := range s.axes {
		a := &s.axes[i]
		after /= len(a.values)
		for j, n := range a.values {
			a.written = append(a.written, inList(a.key.Text, n, points[j*after].Values[i]))
		}
	}
	text, err := yaml.Marshal(s.keys().Value().Write(s.dir))
	if err == nil {
		_, err = w.Write(append([]byte(specNote), text...))
	}
	return err
}

// written returns the settings with their values as specFile has them.
func written(axes []axis) any {
	settings := yaml.MapSlice{}
	for _, a := range axes {
		settings = append(settings, yaml.MapItem{Key: a.key.Text, Value: value.JSON("[" + strings.Join(a.written, ", ") + "]")})
	}
	return settings
}

// queuePrefix matches the beginning of a key of one queue.
var queuePrefix = regexp.MustCompile(`^queues(\[\d+\]|\.[^.]+)\.?`)

// namesFilesInside reports whether a key is a section, or belongs to one queue, so that only its
// parts know which of them are names of files.
func namesFilesInside(key string) bool {
	if config.SettingNamed(key) != nil {
		return false
	}
	rest := queuePrefix.ReplaceAllString(key, "")
	return slices.ContainsFunc([]string{"dataset.file", "datacenters.file", "latency.maps", "rules", "matcher.external", "matcher.profiles"},
		func(file string) bool { return rest == "" || file == rest || strings.HasPrefix(file, rest+".") })
}

// inList returns a value of a setting as an element of a YAML list. written is the value as a
// configuration file has it. n is the value as the user wrote it, whose kind matters inside a
// ruleset: there, "80" in quotes is a text.
func inList(key string, n yamltree.Node, written string) string {
	switch {
	case config.SettingNamed(key) == nil && n.Kind == yamltree.Null:
		return "null"
	case n.Kind > yamltree.Text && !strings.HasPrefix(written, "{") && !strings.HasPrefix(written, "["):
		return string(n.JSON()) // written names only a part, such as the mean of match.length
	case config.SettingNamed(key) == nil && n.Kind == yamltree.Text:
		return asText(written)
	}
	return quoted(written)
}

// quoted returns a text as it is if it is one element of a YAML list, and otherwise in quotes.
func quoted(text string) string {
	list, err := yamltree.Parse([]byte("["+text+"]"), &yamltree.Source{})
	if err == nil && list.Kind == yamltree.List && len(list.Elements) == 1 {
		switch n := list.Elements[0]; n.Kind {
		case yamltree.Mapping, yamltree.List:
			return text
		case yamltree.Plain:
			if n.Text == text {
				return text
			}
		}
	}
	return asText(text)
}

// asText returns a text in double quotes.
func asText(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // cannot happen for a string
	}
	return string(quoted)
}

// writeSpec writes the files that repeat a sweep without a sweep file.
func (s *sweepSpec) writeSpec(points []planPoint, create result.Create) error {
	if len(s.overrides) > 0 {
		text, err := s.baseConfig(len(points))
		if err != nil {
			return err
		}
		if err := create.Text(baseFile, string(text)); err != nil {
			return err
		}
	}
	return create.File(specFile, func(w io.Writer) error { return s.write(w, points) })
}

// Absolute returns the absolute form of a path that a flag names.
func Absolute(file string) (string, error) {
	if file == "" || filepath.IsAbs(file) {
		return file, nil
	}
	folder, err := input.WorkingFolder()
	return filepath.Join(folder, file), err
}
