package commandtest

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"mmsim/cmd/mmsim/value"
)

// AcceptsValidFiles checks that a schema accepts every YAML file of its kind in the repository that mmsim
// accepts, including those in test scripts. isValid reports whether mmsim accepts a file as one of this
// kind. It must be called from the folder of a package in cmd/mmsim.
func AcceptsValidFiles(t *testing.T, s value.Schema, isValid func(file string) bool, least int) {
	t.Helper()
	of := compiled(t, s)
	folders := []string{"../gallery/article", "../gallery/playfab", "../../../scripts/equal/inputs"}
	scripts, err := filepath.Glob("../*/testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		folders = append(folders, extracted(t, script))
	}
	read := 0
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !isValid(file) {
				continue
			}
			read++
			if err := check(t, of, file); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if read < least {
		t.Errorf("got %d files read, want at least %d", read, least)
	}
}

// extracted writes the files in a test script to a folder.
func extracted(t *testing.T, script string) string {
	t.Helper()
	archive, err := txtar.ParseFile(script)
	if err != nil {
		t.Fatal(err)
	}
	folder, files := t.TempDir(), map[string]string{}
	for _, file := range archive.Files {
		files[file.Name] = string(file.Data)
	}
	Put(t, folder, files)
	return folder
}

func compiled(t *testing.T, s value.Schema) *jsonschema.Schema {
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
	var document any
	if err := yaml.Unmarshal([]byte(Read(t, file)), &document); err != nil {
		t.Fatal(err)
	}
	return s.Validate(document)
}
