package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/cli"
	"mmsim/matcher/dialect/vendor"
)

// The case that "test new" writes for the ruleset of any case of the vendors passes, or new warns
// that it does not pass yet. It is a valid case in any event. Few rulesets need special values: those
// with a limit that no equal players meet, six of 231. The test takes all cases, since in a sample the
// cases of a new vendor would move those of the others.
func TestNewCases(t *testing.T) {
	files, err := filepath.Glob("../../../matcher/dialect/*/testdata/cases/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d cases (error %v)", len(files), err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	written, met := map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for _, file := range files {
		c, err := cli.ReadCase(filepath.Join(root, "cmd/mmsim/command", file))
		if err != nil {
			continue
		}
		if _, err := c.Compile(vendor.CompileOptions{Budget: 10_000}); err != nil || seen[string(c.Rules.JSON())] {
			continue // a case about rules that are refused, or rules of another case
		}
		seen[string(c.Rules.JSON())] = true
		if err := os.WriteFile("rules.json", c.Rules.JSON(), 0o666); err != nil {
			t.Fatal(err)
		}
		os.Remove("case.json")
		var stdout, stderr bytes.Buffer
		args := []string{"test", "new", "--out", "case.json", "rules.json"}
		if c.RulesetName != "" {
			args[len(args)-1] += "#" + c.RulesetName
		}
		if code := Run(args, nil, &stdout, &stderr); code != ExitGood {
			t.Errorf("%s: got exit code %d, %s", file, code, stderr.String())
			continue
		}
		written[c.Dialect]++
		isWarned := strings.Contains(stderr.String(), "does not pass yet")
		stderr.Reset()
		code := Run([]string{"test", "case.json"}, nil, &stdout, &stderr)
		if isWarned != (code == ExitFailed) || code != ExitGood && code != ExitFailed {
			t.Errorf("%s: got a case with exit code %d and a warning: %v, %s", file, code, isWarned, stderr.String())
		}
		if code == ExitGood {
			met[c.Dialect]++
		} else {
			t.Logf("%s: does not pass yet", file)
		}
	}
	for _, dialect := range []string{"accelbyte", "flexmatch", "playfab", "roblox"} {
		t.Logf("%s: %d of %d cases pass", dialect, met[dialect], written[dialect])
		if written[dialect] == 0 || 10*met[dialect] < 9*written[dialect] {
			t.Errorf("%s: %d of %d cases pass, want at least nine in ten", dialect, met[dialect], written[dialect])
		}
	}
}
