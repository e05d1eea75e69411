package input

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSplitPart(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a#b.json", "queues.json", "folder#1/queues.json"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ name, file, part string }{
		{"queues.json", "queues.json", ""},
		{"queues.json#Ranked", "queues.json", "Ranked"},
		{"queues.json#*", "queues.json", "*"},
		{"queues.json#", "queues.json", ""},
		{"a#b.json", "a#b.json", ""}, // a file has this name
		{"a#b.json#", "a#b.json", ""},
		{"a#b.json#Ranked", "a#b.json", "Ranked"},
		{"folder#1/queues.json", "folder#1/queues.json", ""},
		{"folder#1/missing.json", "folder#1/missing.json", ""},
		{"folder#1/queues.json#Ranked", "folder#1/queues.json", "Ranked"},
	} {
		file, part := SplitPart(test.name)
		if file != test.file || part != test.part {
			t.Errorf("%s: got %q and %q, want %q and %q", test.name, file, part, test.file, test.part)
		}
	}
	t.Chdir(t.TempDir()) // without the files, joined names are still split as before
	for _, test := range []struct{ file, part string }{{"queues.json", ""}, {"queues.json", "Ranked"}, {"a#b.json", ""}, {"a#b.json", "Ranked"}} {
		if file, part := SplitPart(JoinPart(test.file, test.part)); file != test.file || part != test.part {
			t.Errorf("%q: got %q and %q, want %q and %q", JoinPart(test.file, test.part), file, part, test.file, test.part)
		}
	}
}
