package search

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"mmsim/cmd/mmsim/schema"
)

// The schemas accept every sweep and tuning in the repository that mmsim accepts, including
// those in test scripts.
func TestSchemasAcceptValidFiles(t *testing.T) {
	sweeps, tunings := compiled(t, SweepSchema()), compiled(t, TuneSchema())
	folders := []string{"../gallery/article", "../gallery/playfab", "../../../scripts/equal/inputs"}
	scripts, err := filepath.Glob("../*/testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		folders = append(folders, extracted(t, script))
	}
	var sweepsRead, tuningsRead int
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			var fault error
			if isSweep(file) {
				sweepsRead++
				fault = check(t, sweeps, file)
			} else if _, err := readTuning(file, nil); err == nil {
				tuningsRead++
				fault = check(t, tunings, file)
			}
			if fault != nil {
				t.Errorf("%s: %v", file, fault)
			}
		}
	}
	if sweepsRead < 10 || tuningsRead < 10 {
		t.Errorf("got %d sweeps and %d tunings read, want at least 10 of each", sweepsRead, tuningsRead)
	}
}

// isSweep reports whether mmsim accepts a file as a sweep.
func isSweep(file string) bool {
	s, err := readSweep(file, nil)
	if err != nil {
		return false
	}
	points := 1
	for _, a := range s.axes {
		points *= len(a.values)
	}
	from, err := s.base()
	if err != nil {
		return false
	}
	for i := range points {
		keys, values := s.pointSettings(i, points)
		if _, _, err := from.LoadWith(s.dir, keys, values); err != nil {
			return false
		}
	}
	return true
}

// extracted writes the files in a test script to a folder.
func extracted(t *testing.T, script string) string {
	t.Helper()
	archive, err := txtar.ParseFile(script)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, file := range archive.Files {
		name := filepath.Join(folder, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func compiled(t *testing.T, s schema.Schema) *jsonschema.Schema {
	t.Helper()
	text, err := s.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("test", document); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("test")
}

// check returns the error of a schema about a file.
func check(t *testing.T, s *jsonschema.Schema, file string) error {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return s.Validate(document)
}
