package gallery

import (
	"io/fs"
	"strings"
	"testing"
)

// The projects in the table are exactly the folders, except the shared one.
func TestTable(t *testing.T) {
	entries, err := fs.ReadDir(folders, ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(Projects())+1 {
		t.Errorf("got %d folders, want one for each of %d projects and the shared one", len(entries), len(Projects()))
	}
	for _, p := range Projects() {
		files, err := filesIn(p.Name)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		for _, name := range []string{"mmsim.md", "mmsim.yaml", "gate.yaml"} {
			found := false
			for _, f := range files {
				found = found || f.Name == name
			}
			if !found {
				t.Errorf("project %s does not contain %s", p.Name, name)
			}
		}
	}
}

func TestWorkflow(t *testing.T) {
	known := Origin{Repository: "acme/mmsim", Release: "v1.2.3"}
	for _, test := range []struct {
		project      string
		from         Origin
		has, lacking string
	}{
		{"playfab", known, "uses: acme/mmsim/.github/actions/check@v1.2.3\n", "OWNER"},
		{"playfab", known, "          cases: cases\n          gate:", "vX.Y.Z"},
		{"article", known, "          config: mmsim.yaml\n          gate:", "cases"},
		{"playfab", Origin{Repository: "acme/mmsim", Release: "v0.0.0-20260314150405-0123456789ab"}, "uses: OWNER/mmsim/.github/actions/check@vX.Y.Z\n", "acme"},
		{"playfab", Origin{Repository: "acme/mmsim", Release: "unreleased-01234567"}, "uses: OWNER/mmsim/.github/actions/check@vX.Y.Z\n", "acme"},
		{"playfab", Origin{Release: "v1.2.3"}, "uses: OWNER/mmsim/.github/actions/check@vX.Y.Z\n", "v1.2.3"},
	} {
		p, _ := Find(test.project)
		files, err := p.Files(test.from, "")
		if err != nil {
			t.Fatal(err)
		}
		text := string(files[0].Content)
		if !strings.Contains(text, test.has) || strings.Contains(text, test.lacking) {
			t.Errorf("project %s from %v: want %q and not %q in\n%s", test.project, test.from, test.has, test.lacking, text)
		}
	}
}
