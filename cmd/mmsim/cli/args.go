// Package cli has the code that mmsim's commands share: checks of arguments, the flags that set a
// configuration or say how to read rulesets, the reading of case files, the layout of help texts,
// the output of warnings and JSON, and the end of a command at a signal.
package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
)

// CheckArgs checks the arguments of a command against those in its Use, such as "[flags] IN OUT",
// "FILE..." or "[A [B]]". Its error names an argument that is missing, or one too many.
func CheckArgs(c *cobra.Command, args []string) error {
	var needed []string
	most := 0
	words := strings.Fields(strings.TrimPrefix(c.Use, c.Name()))
	for i, word := range words {
		if word == "[flags]" || strings.HasPrefix(word, "--") || i > 0 && strings.HasPrefix(words[i-1], "--") { // flags and their values
			continue
		}
		if !strings.HasPrefix(word, "[") {
			needed = append(needed, strings.TrimSuffix(word, "..."))
		}
		if most++; strings.Contains(word, "...") {
			most = len(args)
		}
	}
	switch {
	case len(args) < len(needed):
		return terminal.Hinted(input.Badf("%s: missing argument %s", c.CommandPath(), needed[len(args)]), HelpForExamples, c.CommandPath())
	case len(args) > most:
		return terminal.Hinted(input.Badf("%s: unexpected argument %q", c.CommandPath(), args[most]), HelpForExamples, c.CommandPath())
	}
	return nil
}

// aside lists flags that do not change results: they say how results are shown, and which part of the
// jobs is done.
var aside = []string{"quiet", "json", "markdown", "no-color", "github", "shard"}

// CommandLine returns a command line that gives the same result again. It has the arguments, all
// given flags except outputs, secrets and those in aside, and the settings of the lists, in their order.
func CommandLine(c *cobra.Command, args []string, lists ...ConfigFlags) string {
	words := append(strings.Fields(c.CommandPath()), args...)
	c.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value
		if named, is := value.(*namedValue); is {
			value = named.Value
		}
		switch value := value.(type) {
		case *setFlag, *shortFlag: // part of the lists
			return
		case *ListFlag:
			for _, text := range *value {
				words = append(words, "--"+f.Name, text)
			}
			return
		}
		switch role := RoleOf(f); {
		case role == WritesFile, role == WritesFolder, role == Secret, slices.Contains(aside, f.Name):
		default:
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	for _, list := range lists {
		for _, o := range list.Overrides {
			words = append(words, o.Words()...)
		}
	}
	return input.ShellCommand(words)
}

// groupUse is the end of Use in a group of commands.
const groupUse = " COMMAND"

// AsGroup makes a command a group of subcommands. Without a subcommand, it prints its help. An
// unknown subcommand is an error that suggests the nearest one.
func AsGroup(group *cobra.Command) {
	group.Use = group.Name() + groupUse
	group.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var known []string
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
				known = append(known, sub.Name())
			}
		}
		return terminal.Hinted(input.Badf("%s: unknown command %q%s", c.CommandPath(), args[0], input.DidYouMean(args[0], known)), helpForCommands, c.CommandPath())
	}
	group.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}

// Advice that follows a usage error. The verb is the command.
const (
	HelpForExamples = `run "%s --help" for examples`
	helpForCommands = `run "%s --help" for the commands`
	helpForFlags    = `run "%s --help" for the flags`
)

// FlagError rewrites the errors of the flag parser, and suggests the nearest flag for an
// unknown one.
func FlagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		hint := ""
		if near := input.Nearest(unknown.GetSpecifiedName(), known); near != "" {
			hint = "; did you mean --" + near + "?"
		}
		err = fmt.Errorf("unknown flag --%s%s", unknown.GetSpecifiedName(), hint)
	}
	return terminal.Hinted(input.Badf("%s: %s", c.CommandPath(), strings.TrimSpace(err.Error())), helpForFlags, c.CommandPath())
}

// NegativeNumbers annotates the commands that accept negative numbers as arguments. The flag parser
// would read them as flags.
const NegativeNumbers = "mmsim_negative_numbers"

// ProtectNegatives inserts a space before each negative number in the arguments of a command with
// that annotation, so that the flag parser reads it as an argument. The command must trim the space.
func ProtectNegatives(root *cobra.Command, args []string) []string {
	c, _, err := root.Find(args)
	if err != nil {
		return args
	}
	if _, asks := c.Annotations[NegativeNumbers]; !asks {
		return args
	}
	protected := make([]string, len(args))
	for i, arg := range args {
		if _, err := strconv.ParseFloat(arg, 64); err == nil && strings.HasPrefix(arg, "-") {
			arg = " " + arg
		}
		protected[i] = arg
	}
	return protected
}
