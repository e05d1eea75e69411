package command

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/disk/disktest"
)

// problemWords matches words that mmsim prints about a problem.
var problemWords = regexp.MustCompile(`(?im)^warning|::(warning|error)|interrupted`)

// atOnce runs a command line of mmsim. The command must succeed without a warning.
func atOnce(t *testing.T, line string) {
	t.Helper()
	var out, errs strings.Builder
	if code := Run(strings.Fields(line)[1:], nil, &out, &errs); code != ExitGood || errs.Len() > 0 || problemWords.MatchString(out.String()) {
		t.Errorf("%s: exit code %d\n%s%s", line, code, out.String(), errs.String())
	}
}

// In a new project, the steps of the workflow run unchanged and without a warning. The gate
// also accepts a baseline, as its comment describes. The test leaves out pictures and the
// page.
func TestProjectRunsWithoutWarnings(t *testing.T) {
	t.Chdir(t.TempDir())
	if code := Run([]string{"init", "--template", "playfab"}, nil, io.Discard, io.Discard); code != ExitGood {
		t.Fatalf("exit code %d", code)
	}
	config := commandtest.Read(t, "mmsim.yaml")
	write(t, "mmsim.yaml", strings.Replace(config, "output: {dir: results}", "output: {dir: results, plots: false, html: false}", 1))
	summary := t.TempDir() + "/summary.md"
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	runs := regexp.MustCompile(`(?m)^ *runs: (\d+)$`).FindStringSubmatch(commandtest.Read(t, ".github/workflows/mmsim.yml"))
	if runs == nil {
		t.Fatal("the workflow does not set the number of runs")
	}
	for _, step := range []string{ // from the action that the workflow uses
		"mmsim test cases --junit cases.xml",
		"mmsim run --config mmsim.yaml --runs " + runs[1] + " --out results --quiet",
		"mmsim check results --gate gate.yaml --github --junit gate.xml",
	} {
		atOnce(t, step)
	}
	if text := commandtest.Read(t, summary); !strings.Contains(text, "rtt\\_ms.mean") || problemWords.MatchString(text) {
		t.Errorf("got a job summary without rtt_ms.mean or with an error:\n%s", text)
	}
	if text := commandtest.Read(t, "results/summary.json"); !strings.Contains(text, `"warnings": [],`) {
		t.Error("summary.json contains warnings, want none")
	}

	gate := commandtest.Read(t, "gate.yaml")
	commands := regexp.MustCompile(`"(mmsim [^"]*)"`).FindAllStringSubmatch(gate[strings.Index(gate, "# Against a baseline"):], -1)
	if len(commands) != 2 {
		t.Fatalf("got %d commands about a baseline, want 2", len(commands))
	}
	write(t, "gate.yaml", regexp.MustCompile(`(?m)^# ([a-z_0-9.]+: \{max_(?:in|de)crease)`).ReplaceAllString(gate, "$1"))
	if n := strings.Count(commandtest.Read(t, "gate.yaml"), "crease: "); n != 3 {
		t.Errorf("got %d limits against the baseline, want 3", n)
	}
	for _, command := range commands {
		atOnce(t, command[1]+" "+map[bool]string{true: "--quiet"}[strings.HasPrefix(command[1], "mmsim check")])
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// If init cannot write a file, nothing remains of the others.
func TestInitOnFaultyDisk(t *testing.T) {
	for _, n := range []int{1, 2, 5, 12, 20, 30} {
		parent := t.TempDir()
		t.Chdir(parent)
		d := disktest.New(parent)
		d.FailAt(n, disktest.Full)
		restore := disk.Replace(d)
		var out, errs strings.Builder
		code := Run([]string{"init", "new/project"}, nil, &out, &errs)
		restore()
		d.Clean()
		if found, err := os.ReadDir("."); err != nil || !d.Happened() || code != ExitFault || len(found) != 0 || out.Len() != 0 {
			t.Errorf("full disk at call %d: got exit code %d (%s), output %q and files %v, want %d and nothing", n, code, errs.String(), out.String(), found, ExitFault)
		}
	}
}
