package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// GroupAnnotation annotates a flag with its heading in the help.
const GroupAnnotation = "mmsim_group"

// Headings of flags, in the order of the help.
const (
	GroupInput      = "Input"
	GroupSimulation = "Simulation"
	GroupRules      = "Rules"
	GroupOutput     = "Output"
	GroupOther      = "Other"
)

// Grouped sets the heading of flags in the help.
func Grouped(flags *pflag.FlagSet, heading string, names ...string) {
	for _, name := range names {
		Must(flags.SetAnnotation(name, GroupAnnotation, []string{heading}))
	}
}

// WriteUsage writes the part of a help after the description. Its layout is that of cobra, with
// headings for the flags.
func WriteUsage(c *cobra.Command) error {
	w := c.OutOrStderr()
	fmt.Fprintln(w, "Usage:")
	for _, line := range usageLines(c) {
		fmt.Fprintf(w, "  %s\n", line)
	}
	if c.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintln(w, "\nCommands:")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(w, "  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	for _, heading := range []string{GroupInput, GroupSimulation, GroupRules, GroupOutput, GroupOther} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.SortFlags = false
		c.Flags().VisitAll(func(f *pflag.Flag) {
			filed := GroupOther
			if groups := f.Annotations[GroupAnnotation]; len(groups) > 0 {
				filed = groups[0]
			}
			if filed == heading {
				flags.AddFlag(f)
			}
		})
		if flags.HasAvailableFlags() {
			fmt.Fprintf(w, "\n%s flags:\n%s", heading, flags.FlagUsagesWrapped(100))
		}
	}
	if c.HasHelpSubCommands() {
		fmt.Fprintf(w, "\nTopics, for \"%s help TOPIC\":\n", c.Root().Name())
		for _, sub := range c.Commands() {
			if sub.IsAdditionalHelpTopicCommand() {
				fmt.Fprintf(w, "  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	return nil
}

// usageLines returns a line for each way to call a command: the command itself and, unless it is
// only a group, each of its subcommands.
func usageLines(c *cobra.Command) []string {
	line := func(c *cobra.Command) string {
		return strings.TrimSpace(c.CommandPath() + strings.TrimPrefix(c.Use, c.Name()))
	}
	lines := []string{line(c)}
	if strings.HasSuffix(c.Use, groupUse) {
		return lines
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			lines = append(lines, line(sub))
		}
	}
	return lines
}
