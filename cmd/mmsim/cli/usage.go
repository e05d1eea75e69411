package cli

import (
	"cmp"
	"fmt"
	"io"
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

// WriteHelp writes the help of a command: how to call it, what it does, examples, its subcommands
// in groups, and its flags under headings. The help of a topic is its text alone.
func WriteHelp(c *cobra.Command, _ []string) {
	w := c.OutOrStdout()
	about := strings.TrimSpace(cmp.Or(c.Long, c.Short))
	if c.IsAdditionalHelpTopicCommand() {
		fmt.Fprintf(w, "%s\n", about)
		return
	}
	fmt.Fprintln(w, "Usage:")
	for _, line := range usageLines(c) {
		fmt.Fprintf(w, "  %s\n", line)
	}
	fmt.Fprintf(w, "\n%s\n", about)
	if c.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	writeCommands(w, c)
	writeFlags(w, c)
	if c.HasHelpSubCommands() {
		fmt.Fprintf(w, "\nTopics, for \"%s help TOPIC\":\n", c.Root().Name())
		for _, sub := range c.Commands() {
			if sub.IsAdditionalHelpTopicCommand() {
				fmt.Fprintf(w, "  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
}

// writeCommands lists the subcommands of a command: those of each group under its title, then those
// without a group.
func writeCommands(w io.Writer, c *cobra.Command) {
	for _, group := range append(c.Groups(), &cobra.Group{Title: "Commands"}) {
		title := "\n" + group.Title + ":\n"
		for _, sub := range c.Commands() {
			if sub.GroupID == group.ID && (sub.IsAvailableCommand() || sub.Name() == "help") {
				fmt.Fprintf(w, "%s  %-*s  %s\n", title, sub.NamePadding(), sub.Name(), sub.Short)
				title = ""
			}
		}
	}
}

// writeFlags lists the flags of a command under their headings.
func writeFlags(w io.Writer, c *cobra.Command) {
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
