package casefile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher/dialect/vendor"
)

// These cases contain the documented behaviour of the vendors' services, one statement per file.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../dialect/*/testdata/cases/*.json")
	if err != nil || len(files) < 230 {
		t.Fatalf("got %d case files (error %v), want at least 230", len(files), err)
	}
	more, err := filepath.Glob("../dialect/*/testdata/more/*.json") // our own cases for statements that no other case covers
	if err != nil || len(more) == 0 {
		t.Fatalf("got %d case files in the second folder (error %v), want some", len(more), err)
	}
	service, err := filepath.Glob("../dialect/*/testdata/service/*.json") // outcomes of a released service
	if err != nil || len(service) < 225 {
		t.Fatalf("got %d cases recorded from the service (error %v), want at least 225", len(service), err)
	}
	for _, file := range slices.Concat(files, more, service) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Read(file, text, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			outcome, refused := c.Run(vendor.CompileOptions{})
			if differences := c.Compare(outcome, refused); differences != nil {
				t.Errorf("%s: %s\n%s", file, c.Why, strings.Join(differences, "\n"))
			}
		})
	}
}
