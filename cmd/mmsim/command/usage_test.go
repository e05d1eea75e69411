package command

import (
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/terminal"
)

// ownCommands lists all commands that mmsim defines itself.
func ownCommands(t *testing.T) (list []*cobra.Command) {
	t.Helper()
	var add func(*cobra.Command)
	add = func(c *cobra.Command) {
		if c.Name() == "completion" || c.Name() == "help" {
			return
		}
		list = append(list, c)
		for _, sub := range c.Commands() {
			add(sub)
		}
	}
	add(NewRoot(&terminal.Streams{Out: io.Discard, Err: io.Discard}))
	if len(list) < 25 {
		t.Fatalf("got %d commands and topics, want at least 25", len(list))
	}
	return list
}

// helpOf returns the output of --help.
func helpOf(t *testing.T, path string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := Run(append(strings.Fields(path)[1:], "--help"), nil, &out, &errs); code != ExitGood || errs.Len() > 0 {
		t.Errorf("%s --help: exit code %d, %s", path, code, errs.String())
	}
	return out.String()
}

// The usage of a command shows how to call it by itself and with its subcommands.
func TestUsageLines(t *testing.T) {
	for path, want := range map[string]string{
		"mmsim":               "mmsim COMMAND",
		"mmsim run":           "mmsim run [flags]",
		"mmsim sweep":         "mmsim sweep [flags] [SPEC.yaml]\n  mmsim sweep merge [flags] DIR [DIR...]",
		"mmsim sweep merge":   "mmsim sweep merge [flags] DIR [DIR...]",
		"mmsim tune":          "mmsim tune [flags] SPEC.yaml",
		"mmsim site":          "mmsim site [flags] SPEC.yaml",
		"mmsim latency":       "mmsim latency COMMAND",
		"mmsim latency build": "mmsim latency build [flags] FILE...",
		"mmsim dataset":       "mmsim dataset COMMAND",
		"mmsim completion":    "mmsim completion COMMAND",
		"mmsim help":          "mmsim help [COMMAND|TOPIC]",
		"mmsim schema":        "mmsim schema config|gate|sweep|tune|site|case|matcher|profiles",
		"mmsim about":         "mmsim about",
	} {
		_, usage, _ := strings.Cut(helpOf(t, path), "Usage:\n  ")
		usage, _, _ = strings.Cut(usage, "\n\n")
		if usage != want {
			t.Errorf("%s: got usage\n  %s\nwant\n  %s", path, usage, want)
		}
	}
}

// The help of every command with flags shows [flags], lists the flags under headings, and has
// lines that fit on a terminal.
func TestHelpOfEveryCommand(t *testing.T) {
	for _, c := range ownCommands(t) {
		if c.IsAdditionalHelpTopicCommand() {
			continue
		}
		path, hasFlags := c.CommandPath(), false
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" {
				return
			}
			hasFlags = true
			if f.Annotations[cli.GroupAnnotation] == nil {
				t.Errorf("%s: flag --%s has no group, so the help shows it without a heading", path, f.Name)
			}
			placeholder, usage := pflag.UnquoteUsage(f)
			if usage == "" || len(placeholder) != utf8.RuneCountInString(placeholder) {
				t.Errorf("%s: flag --%s with placeholder %s: got usage %q, want a text and an ASCII placeholder", path, f.Name, placeholder, usage) // the table of flags counts bytes
			}
		})
		if shown := slices.Contains(strings.Fields(c.Use), "[flags]"); shown != hasFlags {
			t.Errorf("%s: got [flags] in the usage: %v, want %v", path, shown, hasFlags)
		}
		if len(c.Commands()) == 0 && !c.HasExample() {
			t.Errorf("%s has no example", path)
		}
		for line := range strings.Lines(helpOf(t, path)) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 110 {
				t.Errorf("%s: got a line of %d characters, want at most 110: %s", path, n, line)
			}
		}
	}
}

// All commands that simulate have the same flags for data and rules, with the same texts.
func TestSimulatingCommandsHaveTheSameFlags(t *testing.T) {
	simulating := map[string]bool{}
	texts := map[string]string{}
	for _, c := range ownCommands(t) {
		if c.Flags().Lookup("runs") == nil || c.Name() == "calibrate" { // its flags say how to read the log
			continue
		}
		simulating[c.CommandPath()] = true
		for _, name := range cli.SimulationFlags {
			name = name[strings.LastIndex(name, ".")+1:] // dataset.date is the flag --date
			f := c.Flags().Lookup(name)
			if f == nil {
				t.Errorf("%s has no flag --%s", c.CommandPath(), name)
				continue
			}
			if c.Name() == "record" && name == "matcher" {
				continue // the matchmaker that is recorded
			}
			if known, ok := texts[name]; ok && known != f.Usage {
				t.Errorf("%s: --%s: got text %q, want %q", c.CommandPath(), name, f.Usage, known)
			}
			texts[name] = f.Usage
		}
	}
	for _, path := range []string{"mmsim run", "mmsim compare", "mmsim check", "mmsim sweep", "mmsim tune", "mmsim site", "mmsim matcher record"} {
		if !simulating[path] {
			t.Errorf("%s has no flag --runs, so it does not count as a command that simulates", path)
		}
	}
}
