package gallery_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/gallery"
)

// The workflow from "mmsim init" uses an action. This test runs the action's steps unchanged,
// except the step that installs mmsim, and checks the files that the last step uploads.
func TestActionSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode, because it runs examples")
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				If, Run string
				Env     map[string]string
			}
		}
	}
	text, err := os.ReadFile("../../../.github/actions/check/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	input := regexp.MustCompile(`^\$\{\{ inputs\.(\w+) \}\}$`)
	// The scripts that call git and GitHub are tested in scripts/release.
	scripts := regexp.MustCompile(`(install|before|comment)\.sh`)
	for _, with := range []map[string]string{
		{"cases": gallery.CasesFolder},
		{"baseline": "before", "runs": "3"},
	} {
		folder, temp := t.TempDir(), t.TempDir()
		shell(t, folder, "mmsim init\nmmsim run --config mmsim.yaml --runs 2 --out before --quiet", true)
		value := func(name string) string {
			if given, ok := with[name]; ok {
				return given
			}
			return action.Inputs[name].Default
		}
		ran := 0
		for _, s := range action.Runs.Steps {
			if s.Run == "" || scripts.MatchString(s.Run) || s.If == "inputs.cases != ''" && value("cases") == "" {
				continue
			}
			script := fmt.Sprintf("export RUNNER_TEMP='%s' GITHUB_STEP_SUMMARY='%s/summary.md'\nmkdir -p \"$RUNNER_TEMP/mmsim\"\n", temp, temp)
			for variable, from := range s.Env {
				match := input.FindStringSubmatch(from)
				if match == nil {
					t.Fatalf("%s: got %q, want an input of the action", variable, from)
				}
				script += fmt.Sprintf("export %s='%s'\n", variable, value(match[1]))
			}
			shell(t, folder, script+s.Run, true)
			ran++
		}
		wanted := []string{"results/summary.json", "gate.xml"}
		if value("cases") != "" {
			wanted = append(wanted, "cases.xml")
		}
		if ran != len(wanted) {
			t.Errorf("with %v: got %d steps run, want %d", with, ran, len(wanted))
		}
		for _, name := range append(wanted, "check/report.html", "check/check.md") {
			if _, err := os.Stat(filepath.Join(temp, "mmsim", filepath.FromSlash(name))); err != nil {
				t.Errorf("with %v: missing result file: %v", with, err)
			}
		}
	}
}
