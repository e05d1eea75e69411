package gallery_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gallery"
	"mmsim/cmd/mmsim/matchmaker/service"
	"mmsim/cmd/mmsim/terminal"
)

// These tests run the examples in README.md, on the pages of the gallery and in the help
// texts. They run every fenced block of shell commands, and write every fenced file under the
// name in its first line.
//
// A fenced block of text after commands is their exact output. A line with only … matches
// any lines. MMSIM_UPDATE=1 rewrites the blocks without such a line. Commands whose output is
// not shown run on a small day (see smallDay).

// lastsLong lists commands with shown output that take minutes. They also run on a small day,
// and their output is compared only with MMSIM_EXAMPLES=full.
var lastsLong = []string{
	"mmsim compare --set-b states.ideal.for=7s", // 16 days: 25 s
	"mmsim tune tune.yaml",                      // 115 trials: 5 min
}

// notRun lists the beginnings of commands that are not run, with the reason.
var notRun = map[string]string{
	"go test":    "these are the tests",
	"go install": "it would install mmsim on this machine",

	"mmsim worker":                        "it waits for another machine",
	"MMSIM_WORKER_TOKEN=":                 "it waits for another machine",
	"mmsim sweep play-again.yaml --serve": "it waits for workers; TestWorkersGiveEqualResults has some",
	"mmsim tune tune.yaml --nats":         "it needs a server; workers.TestExistingNATSServer has one",
}

// smallEnv is set for examples that may run on a small day.
const smallEnv = "MMSIM_TEST_SMALL_DAY"

func TestMain(m *testing.M) { commandtest.Main(m, exampleMain) }

// exampleMain runs mmsim for an example of the documentation.
func exampleMain() {
	args := os.Args[1:]
	if os.Getenv(smallEnv) != "" {
		args = smallDay(args)
	}
	code := command.Run(args, os.Stdin, os.Stdout, os.Stderr)
	if os.Getenv(smallEnv) != "" && args[0] == "check" && code == command.ExitFailed {
		code = command.ExitGood // the gate is for the whole day
	}
	os.Exit(code)
}

// smallDay adds flags to a command that simulates or writes the built-in day, so that it takes
// little time. There are few joins, most of them within an hour so that players find matches,
// few runs, no pictures, and no waiting for viewers.
func smallDay(args []string) []string {
	root := command.NewRoot(&terminal.Streams{Out: io.Discard, Err: io.Discard})
	command, rest, err := root.Find(args)
	if err != nil || command.ParseFlags(rest) != nil {
		return args
	}
	for _, arg := range command.Flags().Args() {
		if info, err := os.Stat(arg); err == nil && info.IsDir() && slices.Contains([]string{"compare", "check"}, command.Name()) {
			return args // the command compares results and does not simulate
		}
	}
	switch command.CommandPath() {
	case "mmsim run", "mmsim matcher record", "mmsim compare", "mmsim check", "mmsim sweep", "mmsim tune", "mmsim site", "mmsim dataset gen":
		args = append(args, "--set", "dataset.builtin.joins=400", "--set", "dataset.builtin.spike={hour: 20, factor: 40}")
	}
	if command.CommandPath() == "mmsim run" || command.CommandPath() == "mmsim matcher record" {
		args = append(args, "--set", "output.plots=false", "--set", "output.html=false")
	}
	if slices.Contains(args, "--runs") || command.CommandPath() == "mmsim compare" {
		args = append(args, "--runs", "2")
	}
	if slices.Contains(args, "--live") {
		args = append(args, "--live", "0", "--live-speed", "1000000")
	}
	return args
}

// fence is a fenced block in a document.
type fence struct {
	language, body string
	start, end     int // of the content
}

var fenceForm = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

func fencesOf(text string) []fence {
	var list []fence
	for _, at := range fenceForm.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, fence{text[at[2]:at[3]], text[at[4]:at[5]], at[4], at[5]})
	}
	return list
}

// shell runs commands in a folder. If a program is missing, it skips the test.
func shell(t *testing.T, folder, script string, small bool) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil && strings.Contains(script, "exec:python3") {
		t.Skip("skipped: python3 is not installed")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // a command may hang
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-e", "-c", script)
	c.Dir, c.Env = folder, append(os.Environ(), "NO_COLOR=1")
	if small {
		c.Env = append(c.Env, smallEnv+"=1")
	}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 127 {
		if missing := missingProgram.FindStringSubmatch(errs.String()); missing != nil && missing[1] != "mmsim" {
			t.Skipf("skipped: %s is not installed", missing[1])
		}
	}
	if err != nil {
		t.Errorf("%v\n%s\n%s%s", err, script, tail(out.String()), errs.String())
	}
	return out.String()
}

// missingProgram matches shells' message about a missing program.
var missingProgram = regexp.MustCompile(`(?m)([^\s:]+): (?:command )?not found$`)

func tail(text string) string { return text[max(0, len(text)-2000):] }

// runDocument runs the examples in a document in a folder.
func runDocument(t *testing.T, document, folder string) {
	content, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	type change struct {
		at  fence
		now string
	}
	var changes []change
	list := fencesOf(text)
	for i := 0; i < len(list); i++ {
		f := list[i]
		switch f.language {
		case "yaml", "python", "json":
			name, named := strings.CutPrefix(strings.Replace(firstLine(f.body), "// ", "# ", 1), "# ")
			if !named || strings.ContainsAny(name, " /") {
				t.Errorf("a yaml block begins with %q, want a comment with the name of its file", firstLine(f.body))
			} else if !regexp.MustCompile("(?m)^mmsim .*[ =]" + regexp.QuoteMeta(name)).MatchString(text) {
				t.Errorf("want a command that uses the file %s", name)
			} else if err := os.WriteFile(filepath.Join(folder, name), []byte(f.body), 0o666); err != nil {
				t.Fatal(err)
			}
		case "sh":
			shows := i+1 < len(list) && list[i+1].language == "text"
			if shows {
				i++
			}
			t.Run(strings.ReplaceAll(firstLine(f.body), "/", "_"), func(t *testing.T) {
				full := shows && (os.Getenv("MMSIM_EXAMPLES") == "full" || !containsAny(f.body, lastsLong))
				printed := shell(t, folder, withoutThoseNotRun(t, f.body), !full)
				switch {
				case !shows || t.Failed():
				case !full:
					t.Log("the output is not compared, because that takes minutes; MMSIM_EXAMPLES=full compares it")
				case !matchesShown(list[i].body, printed):
					if os.Getenv("MMSIM_UPDATE") != "" && !strings.Contains(list[i].body, "…\n") {
						changes = append(changes, change{list[i], printed})
						return
					}
					t.Errorf("%s shows the output:\n%s\nthe commands print:\n%s", document, list[i].body, printed)
				}
			})
		default:
			t.Errorf("a block of language %q, want yaml, python or json with the name of its file, sh, or text with the output of the sh block before:\n%s", f.language, f.body)
		}
	}
	for _, c := range slices.Backward(changes) {
		text = text[:c.at.start] + c.now + text[c.at.end:]
	}
	if len(changes) > 0 {
		if err := os.WriteFile(document, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// withoutThoseNotRun removes the commands that are not run. It makes the others call the mmsim
// of this test.
func withoutThoseNotRun(t *testing.T, script string) string {
	var b strings.Builder
lines:
	for line := range strings.Lines(strings.ReplaceAll(script, "go run ./cmd/mmsim", "mmsim")) {
		for start, why := range notRun {
			if strings.HasPrefix(strings.TrimSpace(line), start) {
				t.Logf("skipped a command (%s): %s", why, line)
				continue lines
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// matchesShown reports whether the output of a command matches the text in a document.
func matchesShown(shown, printed string) bool {
	var form strings.Builder
	form.WriteString(`\A`)
	for line := range strings.Lines(shown) {
		if line == "…\n" {
			form.WriteString(`(?:.*\n)*?`)
		} else {
			form.WriteString(regexp.QuoteMeta(strings.TrimRight(line, " \n")) + " *\n")
		}
	}
	return regexp.MustCompile(form.String() + `\z`).MatchString(printed)
}

func TestMatchesShown(t *testing.T) {
	for _, test := range []struct {
		shown, printed string
		want           bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\nb\nc\n", false},
		{"a\n", "z\na\n", false},
		{"a\n…\n", "a\nb\nc\n", true},
		{"…\nb\n…\n", "a\nb\nc\n", true},
		{"…\nb\n", "a\nb\nc\n", false},
		{"a.c\n", "abc\n", false},
		{"a …\n", "a b\n", false},
		{"", "a\n", false},
	} {
		if got := matchesShown(test.shown, test.printed); got != test.want {
			t.Errorf("printed %q where %q is shown: got match %v, want %v", test.printed, test.shown, got, test.want)
		}
	}
}

// exampleInputs creates a folder with the files that examples name.
func exampleInputs(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped in short mode, because it runs examples")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("skipped: sh is not installed")
	}
	folder := t.TempDir()
	script, err := os.ReadFile("examples.sh")
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		JoinedAt time.Time `parquet:"joined_at,timestamp"`
		Y        float64   `parquet:"y"`
		X        float64   `parquet:"x"`
	}
	rows := []row{{time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC), 52.5, 13.4}}
	if err := parquet.WriteFile(filepath.Join(folder, "joins.parquet"), rows); err != nil {
		t.Fatal(err)
	}
	if shell(t, folder, string(script), true); t.Failed() {
		t.FailNow()
	}
	return folder
}

// The examples in the help texts run before those in README.md, which shows different files
// under some of the same names.
func TestExamples(t *testing.T) {
	folder := exampleInputs(t)
	root := command.NewRoot(&terminal.Streams{Out: io.Discard, Err: io.Discard})
	runHelpExamples(t, root, folder)
	runHelpFiles(t, root)
	runDocument(t, "../../../README.md", folder)
}

// Every project in the gallery passes its own tests and its own gate, and prints exactly the
// output and warnings on its page. "mmsim init" writes its folder, and README.md links to its
// page.
func TestGallery(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || testing.Short() {
		t.Skip("skipped in short mode or without sh, because it runs examples")
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range gallery.Projects() {
		t.Run(p.Name, func(t *testing.T) {
			folder := t.TempDir()
			var out, errs strings.Builder
			if code := command.Run([]string{"init", "--template", p.Name, folder}, nil, &out, &errs); code != command.ExitGood {
				t.Fatalf("exit code %d: %s", code, errs.String())
			}
			if _, err := exec.LookPath("python3"); err != nil && strings.Contains(commandtest.Read(t, filepath.Join(folder, "mmsim.yaml")), "exec:python3") {
				t.Skip("skipped: python3 is not installed")
			}
			page := filepath.Join("..", "gallery", p.Name, "mmsim.md")
			runDocument(t, page, folder)
			checkBaselineLimits(t, folder)
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			wanted := []string{"mmsim run --config mmsim.yaml\n", "mmsim check results --gate gate.yaml\n", "`mmsim init --template " + p.Name + "`"}
			if p.HasCases() {
				wanted = append(wanted, "mmsim test cases\n", " passed, 0 failed\n")
			}
			for _, wanted := range wanted {
				if !strings.Contains(string(text), wanted) {
					t.Errorf("%s does not contain %q", page, wanted)
				}
			}
			if !strings.Contains(string(readme), "(cmd/mmsim/gallery/"+p.Name+"/mmsim.md)") {
				t.Errorf("README.md has no link to %s", page)
			}
		})
	}
}

// checkBaselineLimits checks that the gate of a project accepts the project's own results as a
// baseline. The limits for this are comments in the gate.
func checkBaselineLimits(t *testing.T, folder string) {
	gate, err := os.ReadFile(filepath.Join(folder, "gate.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(`(?m)^# ([a-z0-9_.]+: \{)`)
	if !comment.Match(gate) {
		t.Error("gate.yaml does not contain limits for a baseline in comments")
	}
	commandtest.Put(t, folder, map[string]string{"all.yaml": string(comment.ReplaceAll(gate, []byte("$1")))})
	shell(t, folder, "mmsim check results --gate all.yaml --baseline results", false)
}

// allCommands lists a command and all its subcommands.
func allCommands(c *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		list = append(list, allCommands(sub)...)
	}
	return list
}

// runHelpExamples runs the examples in the help texts of all commands.
func runHelpExamples(t *testing.T, root *cobra.Command, folder string) {
	for _, c := range allCommands(root) {
		if c.Example == "" && c.Runnable() && !c.Hidden && c.Name() != "help" && c.Parent().Name() != "completion" && c.Name() != "completion" {
			t.Errorf("the help of %q shows no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Example) {
			t.Run(strings.TrimSpace(line), func(t *testing.T) {
				in := folder
				if c.Name() == "init" {
					in = t.TempDir() // the command rejects a folder that has a project's files
				}
				if c.Name() == "dataset" || c.Name() == "gen" || c.Name() == "convert" {
					removeOutput(t, in, line)
				}
				shell(t, in, withoutThoseNotRun(t, line), true)
			})
		}
	}
}

// removeOutput removes the file that an example of "mmsim dataset" writes: a day is replaced only with
// --force.
func removeOutput(t *testing.T, folder, line string) {
	words := strings.Fields(line)
	i := slices.Index(words, "#")
	if i < 0 {
		i = len(words)
	}
	if i == 0 || !strings.Contains(words[i-1], ".csv") || !strings.Contains(line, "--out") && !strings.Contains(line, "convert") {
		return
	}
	if err := os.Remove(filepath.Join(folder, words[i-1])); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// In sentences, quoted text that begins with mmsim is an existing command with existing flags.
func TestCommandsInSentences(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	root := command.NewRoot(&terminal.Streams{Out: io.Discard, Err: io.Discard})
	places := map[string]string{"README.md": string(text)}
	for _, c := range allCommands(root) {
		places["the help of "+c.CommandPath()] = c.Long
	}
	quoted := regexp.MustCompile("(?s)`(mmsim [^`]*)`|\"(mmsim [^\"]*)\"")
	found := 0
	for place, text := range places {
		for _, match := range quoted.FindAllStringSubmatch(text, -1) {
			found++
			if err := isCommand(root, strings.Fields(match[1] + match[2])[1:]); err != nil {
				t.Errorf("%s: %s: %v", place, match[0], err)
			}
		}
	}
	if found < 30 {
		t.Errorf("got %d commands in sentences, want at least 30", found)
	}
}

// isCommand checks that words are a command and its flags.
func isCommand(root *cobra.Command, words []string) error {
	command, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	if command == root {
		return errors.New("names no command")
	}
	if command.Name() == "help" && len(rest) > 0 {
		_, _, err := root.Find(rest[:1])
		return err
	}
	for _, word := range rest {
		if name, isFlag := strings.CutPrefix(word, "--"); isFlag && name != "" && word != "--help" {
			name, _, _ = strings.Cut(name, "=")
			if command.Flag(name) == nil {
				return fmt.Errorf("%s has no flag --%s", command.CommandPath(), name)
			}
		}
	}
	return nil
}

// helpFiles has, by command, the command line that uses the YAML files in its help text.
var helpFiles = map[string]string{
	"mmsim sweep":  "mmsim sweep spec.yaml --shard 1/100000 --out swept",
	"mmsim tune":   "mmsim tune spec.yaml --out tuned",
	"mmsim site":   "mmsim site spec.yaml --shard 1/100000 --out sites",
	"mmsim check":  "mmsim check mmsim-out --gate spec.yaml --baseline mmsim-out",
	"mmsim gate":   "mmsim check mmsim-out --gate spec.yaml --baseline mmsim-out",
	"mmsim config": "mmsim validate spec.yaml",

	"mmsim matcher": "", // Open Match profiles, which need a running service
}

// helpFileForm matches a block of YAML in a help text: indented lines, of which the first
// begins with a key.
var helpFileForm = regexp.MustCompile(`(?m)^  [a-z][a-z0-9_.*]*:(?: +[{\[].*| +\S+\.yaml.*|)\n(?:  .*\n)*`)

// runHelpFiles uses the files in the help texts of commands.
func runHelpFiles(t *testing.T, root *cobra.Command) {
	folder := t.TempDir()
	// The rules that the sweep and the tuning change.
	commandtest.Put(t, folder, map[string]string{
		"mmsim.yaml": "rules: queue.json\nplayers: {attributes: {mmr: {normal: {mean: 1500, sd: 300}}}}\n",
		"queue.json": `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 4, "DifferenceRules": [{"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"},
			"Difference": 100, "AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1}]}`,
	})
	shell(t, folder, "mmsim run --quiet", true)
	used := map[string]bool{}
	for _, c := range allCommands(root) {
		path := c.CommandPath()
		if path == "mmsim config" {
			c.Long, _, _ = strings.Cut(c.Long, "\n  seed:") // cut off the table of keys
		}
		for _, file := range helpFileForm.FindAllString(c.Long, -1) {
			use, known := helpFiles[path]
			if !known {
				t.Errorf("the help of %q shows a file that is not in the table helpFiles; add it with the command that uses it\n%s", path, file)
			}
			used[path] = true
			t.Run(path+" file", func(t *testing.T) {
				file = strings.ReplaceAll(file, "budget: {runs: 200}", "budget: {runs: 26}") // other tests cover the search
				commandtest.Put(t, folder, map[string]string{"spec.yaml": strings.ReplaceAll("\n"+file, "\n  ", "\n")})
				if use == "" {
					if _, err := service.ReadProfiles(filepath.Join(folder, "spec.yaml")); err != nil {
						t.Error(err)
					}
					return
				}
				shell(t, folder, use, true)
			})
		}
	}
	for path := range helpFiles {
		if !used[path] {
			t.Errorf("helpFiles contains %q, but its help shows no file", path)
		}
	}
}

// Every example of a value in "mmsim help config" is valid with the built-in datacenters and
// without files.
func TestHelpConfigValues(t *testing.T) {
	example := regexp.MustCompile(`such as ((?:\{.*?\}+|\[.*?\]+|[^\s,{]+))(?:,|$| or )`)
	cache := experiment.NewCache(1)
	found := 0
	try := func(key, text string) {
		found++
		o, err := config.ParseOverride("set", key+"="+text)
		if err != nil {
			t.Error(err)
			return
		}
		c, err := config.Load("", []config.Override{o})
		if err == nil {
			_, err = experiment.Load(c, cache)
		}
		if err != nil {
			t.Errorf("%s: %s: %v", key, text, err)
		}
	}
	for _, s := range config.Settings(config.Default()) {
		if !strings.Contains(s.Expects, "such as") || strings.Contains(s.Expects, "in steps of") { // a step is not a value
			continue
		}
		match := example.FindStringSubmatch(s.Expects)
		if match == nil {
			t.Errorf("%s: got no example in %q, want one", s.Path, s.Expects)
			continue
		}
		try(s.Path, match[1])
	}
	_, generators, _ := strings.Cut(config.Help(), "GENERATORS.")
	for line := range strings.Lines(generators) {
		if form := strings.TrimSpace(line); strings.HasPrefix(form, "{") {
			name := "x"
			if strings.HasPrefix(form, "{graph:") {
				name = "friends"
			}
			try("players.attributes", "{"+name+": "+form+"}")
		}
	}
	if found < 12 {
		t.Errorf("got %d examples, want at least 12", found)
	}
}
