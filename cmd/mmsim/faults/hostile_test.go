package faults_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/gate"
	"mmsim/reports/words"
)

// hostile is a name with everything that a terminal or a CI service might interpret. It begins
// and ends with text that must stay readable.
const hostile = "日本é🙂\x1b[2J\x07\r\n::error::forged\nFORGED line\t\u202etxt\u200b\u0085\u009b31m##[error]x"

// hostileFile is a similar name for a file. The part before \xff is UTF-8, because names in a
// configuration must be.
const (
	hostilePath = "::error::日本\x1b[31m\x07\r\n::warning::x\nFORGED \u202e##[group]x"
	hostileFile = hostilePath + "\xff"
)

// quotedJSON returns text as a JSON string.
func quotedJSON(t *testing.T, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(quoted)
}

// checkShown checks that a text has no characters that must not reach a terminal or the log of
// a CI service.
func checkShown(t *testing.T, label, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s: got output that is not UTF-8: %q", label, text)
	}
	for _, r := range text {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Errorf("%s: got the unprintable character %U in %q", label, r, text)
			break
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "::") || strings.Contains(line, "##[") || strings.HasPrefix(line, "FORGED") {
			t.Errorf("%s: got a line that a name forged: %q", label, line)
		}
	}
}

// show runs a command and checks everything that it prints.
func show(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = command.Run(args, strings.NewReader(""), &out, &errs)
	label := fmt.Sprintf("%q", args)
	checkShown(t, label+": standard output", out.String())
	checkShown(t, label+": standard error", errs.String())
	if code == command.ExitFault {
		t.Errorf("%s: got exit code %d, want no internal fault: %s", label, code, errs.String())
	}
	return code, out.String(), errs.String()
}

// hostileProject writes files in which all names are hostile. It returns the names of the
// files.
func hostileProject(t *testing.T, file string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), file)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	name := quotedJSON(t, hostile)
	cell := `"` + hostile + `"`
	queue := `{"Name": ` + name + `, "MinMatchSize": 2, "MaxMatchSize": 2,
		"StringEqualityRules": [{"Name": ` + name + `, "Attribute": {"Path": ` + name + `, "Source": "User"}, "Weight": 1}]}`
	texts := map[string]string{
		"case": `{"name": ` + name + `, "why": ` + name + `, "rules": ` + queue + `, "at": 5, "tickets": [
			{"id": ` + name + `, "created_at": 0, "players": [{"id": ` + name + `, "attributes": {` + name + `: ` + name + `}}]},
			{"id": "other", "created_at": 0, "players": [{"id": "p2", "attributes": {` + name + `: "b"}}]}],
			"expect": {"matches": [{"tickets": [` + name + `, "other"]}]}}`,
		"roblox": `{"name": ` + name + `, "rules": {"attributes": {"player": [{"name": "a", "dataType": "String", "defaultValue": ""}]},
			"signals": [{"signal": "Occupancy", "weight": 1}]}, "at": 5,
			"tickets": [{"id": ` + name + `, "created_at": 0, "players": [{"id": ` + name + `, "attributes": {` + name + `: 1}}]}],
			"sessions": [{"id": ` + name + `, "created_at": 0, "capacity": 4}], "expect": {"chosen": "new"}}`,
		"unknown": `{` + name + `: 1, "rules": ` + queue + `, "at": 5, "tickets": []}`,
		"refused": `{"rules": ` + queue + `, "at": 5, "tickets": [{"id": ` + name + `, "created_at": 0, ` + name + `: 1, "players": [{"id": "p", "latencies": {` + name + `: -1}}]}]}`,
		"broken":  "{\"a\": \"" + hostile + "\"",
		"queue":   queue,
		"lint":    `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, ` + name + `: {` + name + `: 1}}`,
		"csv":     "time,latitude,longitude,\"n" + hostile + "\"," + cell + "\n00:00:01,50,8,1," + cell + "\n00:00:01,50,8,2," + cell + "\n00:00:02,50,8,3,b\n",
		"badcsv":  "time,latitude,longitude," + cell + "\n00:00:01,50,8," + cell + "\n00:00:02," + cell + ",8,1\n",
		"dc":      "id,name,latitude,longitude\n1," + cell + ",50,8\n2,plain,51,9\n",
		"baddc":   "id,name,latitude,longitude\n1," + cell + ",50,8\n2," + cell + ",51,9\n",
		"yaml":    "dataset: {builtin: {joins: 1000}}\nqueues: [{name: " + name + ", share: 1}]\nplayers: {attributes: {" + name + ": {constant: 1}}}\n",
		"base":    "dataset: {file: " + quotedJSON(t, filepath.Join(dir, file+"csv.csv")) + "}\nclock: {duration: 1m, warmup: 0s}\nmatch: {size: 2}\noutput: {plots: false, html: false}\n",
		"badyaml": "match: {" + name + ": " + name + "}\n",
		"gate":    name + ": {max: 1}\n",
		"held":    "ccu.peak: {max: 0}\n",
	}
	files := map[string]string{"dir": dir}
	for key, text := range texts {
		extension := map[string]string{"csv": ".csv", "badcsv": ".csv", "dc": ".csv", "baddc": ".csv",
			"yaml": ".yaml", "base": ".yaml", "badyaml": ".yaml", "gate": ".yaml", "held": ".yaml"}[key]
		if extension == "" {
			extension = ".json"
		}
		files[key] = filepath.Join(dir, file+key+extension)
		if err := os.WriteFile(files[key], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// Whatever the names in files, columns, rules, tickets and flags are, commands print nothing
// that a terminal or a CI service would interpret, and no forged lines.
func TestHostileNames(t *testing.T) {
	files := hostileProject(t, hostileFile)
	f := func(name string) string { return files[name] }
	t.Chdir(t.TempDir())
	none := filepath.Join(f("dir"), hostileFile+"none")
	for _, args := range [][]string{
		{hostile}, {"--" + hostile}, {"help", hostile}, {"completion", hostile}, {"run", hostile}, {"run", "--" + hostile, "1"}, {"run", "-\x1b"},
		{"run", "--set", hostile}, {"run", "--set", hostile + "=1"}, {"run", "--set", "match.size=" + hostile}, {"run", "--records", hostile},
		{"run", "--config", none}, {"run", "--config", f("badyaml")}, {"run", "--config", f("yaml"), "--duration", "1s"}, {"run", "--dataset", none},
		{"run", "--dataset", f("badcsv")}, {"run", "--datacenters", f("baddc")}, {"run", "--live", hostile}, {"run", "--live", hostile + ":1"},
		{"run", "--latency-maps", f("dir")}, {"run", "--rules", f("lint")}, {"run", "--rules", f("unknown")}, {"run", "--capture", hostile},
		{"run", "--runs", hostile}, {"run", "--out", filepath.Dir(f("csv"))},
		{"test", none}, {"test", f("case"), f("roblox"), f("unknown"), f("refused"), f("broken"), f("queue")}, {"test", f("dir")},
		{"test", "--run", hostile, f("case")}, {"test", "--run", "(" + hostile, f("case")}, {"test", "--junit", none + "/x", f("case")},
		{"match", f("case")}, {"match", "--explain", f("case")}, {"match", "--json", "--explain", f("case")}, {"match", "--explain", f("roblox")},
		{"match", f("unknown")}, {"match", f("refused")}, {"match", "--expansion-basis", hostile, f("case")},
		{"validate", none, f("dir")}, {"validate", f("case"), f("roblox"), f("queue"), f("lint"), f("csv"), f("badcsv"), f("dc"), f("baddc"), f("yaml"), f("badyaml"), f("broken")},
		{"dataset", "info", f("csv")}, {"dataset", "info", "--json", f("csv")}, {"dataset", "info", f("badcsv")}, {"dataset", "convert", f("badcsv"), none + ".csv"},
		{"dataset", "convert", f("csv"), none + "/x.csv"}, {"dataset", "gen", "--preset", hostile}, {"dataset", "gen", "--out", none + "/x"},
		{"latency", "lookup", hostile, "1", "1"}, {"latency", "lookup", "plain", hostile, "1"}, {"latency", "lookup", "--datacenters", f("dc"), hostile, "1", "1"},
		{"latency", "lookup", "--datacenters", f("dc"), "x", "1", "1"}, {"latency", "render", "--datacenters", f("dc"), "--out", none + "/x.png"},
		{"latency", "diff", f("dir"), none}, {"latency", "build", f("badcsv")}, {"latency", "build", "--out", none, none},
		{"compare", none, f("yaml")}, {"compare", f("badyaml"), f("yaml")}, {"compare", f("yaml"), "--set-b", hostile}, {"check", none, "--gate", f("gate")},
		{"check", f("dir"), "--gate", none}, {"check", f("yaml"), "--gate", f("gate")}, {"sweep", f("badyaml")}, {"sweep", none}, {"tune", f("badyaml")}, {"tune", none},
		{"init", none + "/a/b"}, {"init", "--template", hostile}, {"report", none}, {"report", f("dir")}, {"about", hostile},
	} {
		show(t, args...)
	}

	// A JUnit report is valid XML, which cannot contain most control characters, and has one
	// case for each file.
	show(t, "test", "--junit", "junit.xml", f("case"), f("roblox"), f("unknown"), f("refused"))
	text, err := os.ReadFile("junit.xml")
	if err != nil {
		t.Fatal(err)
	}
	var suite gate.JUnit
	if err := xml.Unmarshal(text, &suite); err != nil || len(suite.Cases) != 4 || strings.ContainsRune(string(text), utf8.RuneError) {
		t.Errorf("reading the JUnit report: got error %v, want 4 cases and valid UTF-8 in %s", err, text)
	}
	for _, c := range suite.Cases {
		for _, part := range []string{c.Name, c.File} {
			if part != words.Printable(part) || !strings.Contains(part, "日本") {
				t.Errorf("got name %q in the report, want it printable with its letters", part)
			}
		}
	}
}

// What TestHostileNames checks also holds for runs and for everything that is made from their
// results. JSON contains the unchanged names.
func TestHostileNamesInResults(t *testing.T) {
	files := hostileProject(t, hostilePath)
	t.Chdir(t.TempDir())
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(t.TempDir(), "summary.md"))
	out := hostilePath + "out"
	code, _, stderr := show(t, "run", "--dataset", files["csv"], "--duration", "1m", "--out", out,
		"--set", "match.size=2", "--set", "output.plots=false", "--set", "output.html=false", "--set", "dataset.spread=false")
	if code != command.ExitGood {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	_, printed, _ := show(t, "run", "--dataset", files["csv"], "--duration", "1m", "--out", out, "--json",
		"--set", "match.size=2", "--set", "output.plots=false", "--set", "output.html=false", "--set", "dataset.spread=false")
	var summary struct {
		Attributes map[string]any `json:"attributes"`
	}
	column := strings.ReplaceAll("n"+hostile, "\r", "") // CSV has one kind of line break
	if err := json.Unmarshal([]byte(printed), &summary); err != nil || summary.Attributes[column] == nil {
		t.Errorf("the JSON does not contain the attribute %q (error %v)\n%s", column, err, printed)
	}
	sweep := filepath.Join(filepath.Dir(files["csv"]), "sweep.yaml")
	spec := "config: " + quotedJSON(t, files["base"]) + "\nruns: 1\nsettings: {match.order: [shuffle, oldest]}\n"
	if err := os.WriteFile(sweep, []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"report", out}, {"compare", out, out}, {"compare", "--markdown", out, out}, {"compare", "--json", out, out},
		{"check", out, "--gate", files["held"]}, {"check", out, "--gate", files["held"], "--markdown"}, {"check", out, "--gate", files["gate"]},
		{"run", "--dataset", files["csv"], "--duration", "1m", "--out", files["dir"]},
	} {
		show(t, args...)
	}

	if code, _, stderr := show(t, "sweep", sweep, "--out", hostilePath+"sweep"); code != command.ExitGood {
		t.Errorf("sweep: exit code %d: %s", code, stderr)
	}

	var printedOut, errs bytes.Buffer
	code = command.Run([]string{"check", out, "--gate", files["held"], "--github", "--junit", "junit.xml"}, nil, &printedOut, &errs)
	commands := 0
	for line := range strings.Lines(printedOut.String()) {
		if strings.HasPrefix(line, "::error file=") {
			commands++
			properties, _, _ := strings.Cut(strings.TrimPrefix(line, "::error "), "::")
			if strings.Count(properties, ",") != 3 || strings.Count(properties, "=") != 4 {
				t.Errorf("got properties %q of a workflow command, want 4", properties)
			}
			continue
		}
		// The note about the rows of the file contains its name, after the beginning of a command.
		if note, ok := strings.CutPrefix(line, "::notice title=mmsim check::"); ok {
			line = "note: " + strings.Replace(note, "##[group]x", "", 1)
		}
		checkShown(t, "check --github", line)
	}
	if code != command.ExitFailed || commands != 1 {
		t.Errorf("got exit code %d and %d workflow commands, want %d and 1: %s%s", code, commands, command.ExitFailed, printedOut.String(), errs.String())
	}
}
