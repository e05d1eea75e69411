package command

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/commandtest"
)

// Every flag with a value and every argument has a role, so that the check of files knows it.
func TestRolesAreComplete(t *testing.T) {
	for _, c := range ownCommands(t) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal == "" && cli.RoleOf(f) == "" {
				t.Errorf("%s --%s: no role, expected it declared with cli.Under", c.CommandPath(), f.Name)
			}
		})
		form := strings.TrimPrefix(strings.TrimPrefix(c.Use, c.Name()), " [flags]")
		takes := c.Runnable() && form != "" && form != " COMMAND" && !c.IsAdditionalHelpTopicCommand()
		if has := cli.RoleOfArgument(c, 0) != ""; takes != has {
			t.Errorf("%s takes the arguments %q: got a role %t, want %t", c.CommandPath(), form, has, takes)
		}
	}
}

// fileCommand is a command that writes files, with a command line that is valid but for the check.
type fileCommand struct {
	*cobra.Command
	args  []string // the arguments, by index
	flags []string // flags that the command needs
}

// fileCommands lists the commands with outputs. Their inputs are those in the table of roles.
func fileCommands(t *testing.T) (list []fileCommand) {
	needs := map[string]fileCommand{
		"mmsim run":             {},
		"mmsim matcher record":  {args: []string{"new.jsonl"}, flags: []string{"--matcher", "exec:cat"}},
		"mmsim check":           {args: []string{"base.yaml"}, flags: []string{"--gate", "base-gate.yaml"}},
		"mmsim compare":         {args: []string{"base.yaml", "base.yaml"}},
		"mmsim calibrate":       {args: []string{"base.csv"}, flags: []string{"--config", "base.yaml"}},
		"mmsim sweep":           {args: []string{"base-sweep.yaml"}},
		"mmsim tune":            {args: []string{"base-tune.yaml"}},
		"mmsim site":            {args: []string{"base-site.yaml"}},
		"mmsim test":            {args: []string{"base-case.json"}},
		"mmsim test new":        {args: []string{"base-rules.json"}},
		"mmsim dataset gen":     {flags: []string{"--joins", "50"}},
		"mmsim dataset convert": {args: []string{"base.csv", "new.csv"}},
		"mmsim latency build":   {args: []string{"pings.csv"}},
		"mmsim latency convert": {args: []string{"base.png", "new.png"}},
		"mmsim latency render":  {},
		"mmsim latency diff":    {args: []string{"maps", "maps"}},
	}
	for _, c := range ownCommands(t) {
		writes := false
		for i := range 2 {
			writes = writes || isOutput(cli.RoleOfArgument(c, i))
		}
		c.Flags().VisitAll(func(f *pflag.Flag) { writes = writes || isOutput(cli.RoleOf(f)) })
		if !writes {
			continue
		}
		need, known := needs[c.CommandPath()]
		if !known {
			t.Errorf("%s writes files: expected its arguments in this test", c.CommandPath())
			continue
		}
		need.Command = c
		list = append(list, need)
	}
	return list
}

func isOutput(r cli.Role) bool { return r == cli.WritesFile || r == cli.WritesFolder }
func isInput(r cli.Role) bool  { return r == cli.Reads || r == cli.Secret }

// slot is a flag or an argument of a command.
type slot struct {
	role  cli.Role
	flag  string // name, or "" for an argument
	index int    // of the argument
}

func (s slot) String() string {
	if s.flag == "" {
		return fmt.Sprintf("argument %d", s.index+1)
	}
	return "--" + s.flag
}

// slots lists the flags and arguments with a role for which wanted returns true.
func (c *fileCommand) slots(wanted func(cli.Role) bool) (list []slot) {
	for i := range c.args {
		list = append(list, slot{cli.RoleOfArgument(c.Command, i), "", i})
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		list = append(list, slot{cli.RoleOf(f), f.Name, 0})
	})
	return slices.DeleteFunc(list, func(s slot) bool { return !wanted(s.role) })
}

// line returns a command line with the values of some slots.
func (c *fileCommand) line(values map[slot]string) []string {
	words := strings.Fields(c.CommandPath())[1:]
	args := slices.Clone(c.args)
	var flags []string
	for s, value := range values {
		if s.flag == "" {
			args[s.index] = value
		} else {
			flags = append(flags, "--"+s.flag, value)
		}
	}
	return slices.Concat(words, c.flags, flags, args) // a later flag replaces an earlier one
}

// inputValue returns the value of an input slot that names a file or folder, and whether it must be a
// folder. isTried is false for slots that name no file in a file system.
func inputValue(c *fileCommand, s slot, file, folder string) (value string, isFolder, isTried bool) {
	switch {
	case s.flag == "baseline", s.flag == "latency-maps", c.CommandPath() == "mmsim latency diff":
		return folder, true, true
	case s.flag == "matcher":
		return "exec:cat " + file, false, true
	case s.flag == "serve", s.flag == "nats":
		return "", false, false
	}
	return file, false, true
}

// outputValue returns the value of an output slot that writes a file.
func outputValue(s slot, file string) string {
	if s.flag == "capture" {
		return "00:10:00=" + file
	}
	return file
}

// inputContent has the content of inputs that must be valid before the check knows all files.
func inputContent(t *testing.T, s slot) string {
	switch s.flag {
	case "rules":
		return commandtest.Read(t, "base-rules.json")
	case "config":
		return "seed: 1\n"
	case "events":
		return "events: [{at: '12:00', for: 1m, outage: [frankfurt]}]\n"
	case "profiles":
		return "profiles: [{name: a, pools: {all: {}}}]\n"
	}
	return "content of an input\n"
}

// tree returns the content of all files below a folder.
func tree(t *testing.T, folder string) map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			found[path] = commandtest.Read(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// inputsFolder writes the files that the commands of fileCommands name, and makes their folder the
// working directory.
func inputsFolder(t *testing.T) string {
	rules := commandtest.Read(t, "../gallery/playfab/queue.json")
	folder := t.TempDir()
	commandtest.Put(t, folder, map[string]string{
		"base.yaml": "seed: 1\n", "base-gate.yaml": "wait_s.p95: {max: 10s}\n", "base-case.json": "{}", "base-rules.json": rules,
		"base-sweep.yaml": "settings: {match.size: [2, 4]}\n", "base.csv": "00:00:00,1,1\n", "pings.csv": "x\n", "base.png": "x",
		"base-site.yaml":   "count: 2\n",
		"base-tune.yaml":   "settings: {match.size: {from: 2, to: 4}}\nminimise: rtt_ms.mean\n",
		"maps/latency.txt": "x",
	})
	t.Chdir(folder)
	return folder
}

// refused runs a command that must be refused with a message, and checks that no file changed.
func refused(t *testing.T, line []string, want string) {
	t.Helper()
	before := tree(t, ".")
	var out, errs bytes.Buffer
	if code := Run(line, strings.NewReader(""), &out, &errs); code != ExitBadInput || !strings.Contains(errs.String(), want) {
		t.Errorf("mmsim %s: got exit code %d and %q, want %d and %q", strings.Join(line, " "), code, errs.String(), ExitBadInput, want)
	}
	if after := tree(t, "."); !maps.Equal(before, after) {
		t.Errorf("mmsim %s: files changed from %v to %v", strings.Join(line, " "), slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
}

// Every output of every command is refused if it is any of the command's inputs, by its path, a
// symbolic link or a hard link. The commands, outputs and inputs are those of the table of roles.
func TestOutputsAreNoInputs(t *testing.T) {
	commands := fileCommands(t)
	inputsFolder(t)
	tried := 0
	for _, c := range commands {
		for _, in := range c.slots(isInput) {
			for _, out := range c.slots(isOutput) {
				for _, way := range []string{"path", "link", "hard link"} {
					tried++
					refuseSame(t, &c, in, out, way, tried)
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("got %d combinations, want at least 300", tried)
	}
}

// refuseSame checks one output that is one input.
func refuseSame(t *testing.T, c *fileCommand, in, out slot, way string, n int) {
	t.Helper()
	folder := fmt.Sprintf("in%d", n)
	file := filepath.Join(folder, "latency_x.png") // a name for all inputs and outputs: maps and pictures need it
	if in.flag == "baseline" {
		file = filepath.Join(folder, "summary.json")
	}
	value, isFolder, isTried := inputValue(c, in, file, folder)
	if !isTried {
		return
	}
	commandtest.Put(t, ".", map[string]string{file: inputContent(t, in)})
	defer os.RemoveAll(folder)
	values := map[slot]string{in: value}
	if in.flag == "profiles" {
		values[slot{flag: "matcher", role: cli.Reads}] = "openmatch2:localhost:1"
	}
	target, want := file, "which is an input"
	if out.role == cli.WritesFolder {
		target, want = folder, "the output directory"
	}
	name := fmt.Sprintf("out%d.png", n)
	defer os.Remove(name)
	var err error
	switch {
	case way == "link":
		err = os.Symlink(target, name)
	case way == "hard link" && out.role == cli.WritesFile:
		err = os.Link(target, name)
	case way == "hard link" && !isFolder: // of a folder, the input is a link to a file in it
		name = folder
		values[in] = strings.ReplaceAll(value, file, fmt.Sprintf("alias%d.png", n))
		defer os.Remove(fmt.Sprintf("alias%d.png", n))
		err = os.Symlink(file, fmt.Sprintf("alias%d.png", n))
	default:
		name = target
	}
	if err != nil {
		t.Fatal(err)
	}
	if in.flag == "creds" && c.Flags().Lookup("records") != nil { // refused earlier, without --nats
		want = ""
	}
	if values[out] = outputValue(out, name); out.flag == in.flag && out.index == in.index {
		t.Fatalf("%s %v: both an input and an output", c.CommandPath(), in)
	}
	refused(t, c.line(values), want)
}

// Two outputs of a command are not the same file, and none is in the result directory, even if they
// do not exist yet.
func TestOutputsDiffer(t *testing.T) {
	commands := fileCommands(t)
	inputsFolder(t)
	if err := errorsJoin(os.Mkdir("real", 0o777), os.Symlink("real", "linked"), os.Mkdir("old", 0o777)); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		outs := c.slots(isOutput)
		for i, one := range outs {
			for _, other := range outs[:i] {
				files, folder := []slot{one, other}, slot{}
				for k, s := range files {
					if s.role == cli.WritesFolder {
						folder, files = s, slices.Delete(files, k, k+1)
						break
					}
				}
				if folder.role != "" {
					for _, dir := range []string{"old", "results", "linked/results"} {
						refused(t, c.line(map[slot]string{folder: dir, files[0]: outputValue(files[0], dir+"/x.png")}), "is in the result directory "+dir)
					}
					refused(t, c.line(map[slot]string{folder: "real/results", files[0]: outputValue(files[0], "linked/results/x.png")}), "is in the result directory")
					continue
				}
				for _, name := range []string{"real/x.png", "linked/x.png"} {
					refused(t, c.line(map[slot]string{one: outputValue(one, "real/x.png"), other: outputValue(other, name)}), "expected two names")
				}
			}
		}
	}
	refused(t, []string{"run", "--capture", "00:10:00=x.json", "--capture", "00:20:00=./x.json"}, "the output of both --capture and --capture")
}

func errorsJoin(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// An output must not be a file that the configuration names, whatever key names it.
func TestOutputsAreNoInputsOfTheConfiguration(t *testing.T) {
	inputsFolder(t)
	commandtest.Put(t, ".", map[string]string{"f.png": commandtest.Read(t, "base-rules.json"), "maps/latency_x.png": "x"})
	for _, setting := range []string{
		"dataset: {file: f.png}", "dataset: {file: day.csv, geoip: f.png}", "dataset: {builtin: {countries: f.png}}", "datacenters: {file: f.png}",
		"rules: f.png", "matcher: {external: 'exec:sh f.png'}", "matcher: {external: 'exec:sh --weights=f.png'}",
		"matcher: {external: 'replay:f.png'}", "matcher: {external: 'wasm:f.png'}",
		"matcher: {external: 'openmatch2:localhost:1', profiles: f.png}", "queues: [{name: a, share: 1, rules: f.png}]", "latency: {maps: maps}",
	} {
		commandtest.Put(t, ".", map[string]string{"c.yaml": setting + "\n"})
		file := "f.png"
		if strings.Contains(setting, "maps") {
			file = "maps/latency_x.png"
		}
		for _, line := range [][]string{
			{"run", "--config", "c.yaml", "--capture", "00:10:00=" + file},
			{"matcher", "record", "--config", "c.yaml", file},
			{"check", "c.yaml", "--gate", "base-gate.yaml", "--junit", file},
			{"dataset", "gen", "--config", "c.yaml", "--out", file},
			{"latency", "render", "--config", "c.yaml", "--out", file},
		} {
			refused(t, line, file+": ")
		}
	}
}

// What is no file, or only reads, is accepted: one input twice, and devices, pipes and new files beside
// inputs as outputs.
func TestOtherFilesAreAccepted(t *testing.T) {
	inputsFolder(t)
	commandtest.Put(t, ".", map[string]string{"cases/one.json": "{}", "cases/junit.xml": "old", "old.csv": "old"})
	for _, test := range []struct {
		line []string
		want string // of the error that follows the check, or ""
	}{
		{[]string{"test", "--junit", "cases/junit.xml", "cases", "cases/one.json"}, "cases/one.json"},
		{[]string{"test", "--junit", "/dev/null", "cases"}, "cases/one.json"},
		{[]string{"dataset", "convert", "base.csv", "/dev/null"}, ""},
		{[]string{"dataset", "convert", "base.csv", "-"}, ""},
		{[]string{"dataset", "convert", "base.csv", "old.csv"}, "old.csv: exists, expected the name of a new file; --force replaces it"},
		{[]string{"dataset", "convert", "--force", "base.csv", "old.csv"}, ""},
		{[]string{"dataset", "gen", "--joins", "50", "--out", "old.csv"}, "old.csv: exists"},
		{[]string{"dataset", "gen", "--joins", "50", "--out", "old.csv", "--force"}, ""},
	} {
		var out, errs bytes.Buffer
		code := Run(test.line, strings.NewReader(""), &out, &errs)
		if strings.Contains(errs.String(), "input") || test.want == "" && code != ExitGood || !strings.Contains(errs.String(), test.want) {
			t.Errorf("mmsim %s: got exit code %d and %q, want %q", strings.Join(test.line, " "), code, errs.String(), test.want)
		}
	}
}
