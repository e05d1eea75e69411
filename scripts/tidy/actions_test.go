package tidy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pinned is an action with the full hash of its commit and, for readers, its version. A tag can be
// moved to another commit, which would then run with the rights of the workflow.
var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// Workflows use the actions of others only by the hash of a commit. mmsim's own action in the template
// of a project stands for a release, which "mmsim init" fills in.
func TestActionsArePinned(t *testing.T) {
	found := 0
	for _, folder := range []string{"../../.github", "../../cmd/mmsim/gallery"} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".yml" {
				return err
			}
			text, err := os.ReadFile(path)
			for line := range strings.Lines(string(text)) {
				name, is := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "- "), "uses: ")
				if !is || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "OWNER/mmsim/") {
					continue
				}
				if found++; !pinned.MatchString(name) {
					t.Errorf("%s: uses %s, want OWNER/ACTION@ with 40 hexadecimal digits and the version as a comment", path, name)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 6 {
		t.Errorf("got %d actions, want at least 6", found)
	}
}
