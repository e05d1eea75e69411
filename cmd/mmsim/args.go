package main

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

// exactArgs requires one argument for each name, and names the missing ones.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return terminal.Hinted(input.Badf("%s: missing argument %s", c.CommandPath(), names[len(args)]), helpForExamples, c.CommandPath())
		}
		return atMost(len(names))(c, args)
	}
}

// atMost refuses more than n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return terminal.Hinted(input.Badf("%s: unexpected argument %q", c.CommandPath(), args[n]), helpForExamples, c.CommandPath())
		}
		return nil
	}
}

// atLeastOne requires one or more arguments.
func atLeastOne(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exactArgs(name)(c, args)
		}
		return nil
	}
}

// aside are the flags about where results go and where replications are simulated; they
// change no result.
var aside = []string{"out", "quiet", "json", "markdown", "no-color", "junit", "github", "serve", "nats", "creds", "shard"}

// commandLine returns a command that gives the same result again: without the flags in aside,
// and with the settings of some lists, each in the order in which it was given.
func commandLine(c *cobra.Command, args []string, lists ...configFlags) string {
	words := append(strings.Fields(c.CommandPath()), args...)
	c.Flags().Visit(func(f *pflag.Flag) {
		switch f.Value.(type) {
		case *setFlag, *shortFlag: // part of the lists
			return
		}
		if !slices.Contains(aside, f.Name) {
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	for _, list := range lists {
		for _, o := range list.overrides {
			words = append(words, o.Words()...)
		}
	}
	return input.ShellCommand(words)
}

// groupUse is the suffix of the Use of a group.
const groupUse = " COMMAND"

// asGroup makes a command a group of other commands: by itself it shows its help, and an
// unknown word is a usage error that suggests the nearest command.
func asGroup(group *cobra.Command) {
	group.Use = group.Name() + groupUse
	group.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var known []string
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				known = append(known, sub.Name())
			}
		}
		return terminal.Hinted(input.Badf("%s: unknown command %q%s", c.CommandPath(), args[0], input.DidYouMean(args[0], known)), helpForList, c.CommandPath())
	}
	group.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}

// Advice that follows a usage error; the value is the command.
const (
	helpForExamples = `run "%s --help" for examples`
	helpForList     = `run "%s --help" for the list`
)

// flagError rewrites the errors of the flag parser, and suggests the nearest flag for an
// unknown one.
func flagError(c *cobra.Command, err error) error {
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
	return terminal.Hinted(input.Badf("%s: %s", c.CommandPath(), strings.TrimSpace(err.Error())), helpForList, c.CommandPath())
}

// negativeNumbers is the annotation of commands whose arguments may be negative numbers,
// which a flag parser would read as flags.
const negativeNumbers = "mmsim_negative_numbers"

// protectNegatives inserts a space before negative numbers among the arguments of a command
// with that annotation, so that the flag parser reads them as arguments; the command trims
// the space. `--` before the numbers works as for all commands.
func protectNegatives(root *cobra.Command, args []string) []string {
	c, _, err := root.Find(args)
	if err != nil {
		return args
	}
	if _, asks := c.Annotations[negativeNumbers]; !asks {
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
