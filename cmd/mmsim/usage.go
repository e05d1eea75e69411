package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupAnnotation puts a flag under a heading of its own in the help.
const groupAnnotation = "mmsim_group"

// Headings of flags, in the order of the help.
const (
	groupInput      = "Input"
	groupSimulation = "Simulation"
	groupRules      = "Rules"
	groupOutput     = "Output"
	groupOther      = "Other"
)

// grouped files flags under a heading.
func grouped(flags *pflag.FlagSet, heading string, names ...string) {
	for _, name := range names {
		must(flags.SetAnnotation(name, groupAnnotation, []string{heading}))
	}
}

// writeUsage writes the part of the help after the description: cobra's own
// shape, with the flags under headings.
func writeUsage(c *cobra.Command) error {
	w := c.OutOrStderr()
	fmt.Fprintln(w, "Usage:")
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND\n", c.CommandPath())
	} else {
		fmt.Fprintf(w, "  %s\n", c.UseLine())
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
	for _, heading := range []string{groupInput, groupSimulation, groupRules, groupOutput, groupOther} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.SortFlags = false
		c.Flags().VisitAll(func(f *pflag.Flag) {
			filed := groupOther
			if groups := f.Annotations[groupAnnotation]; len(groups) > 0 {
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
	for _, sub := range c.Commands() {
		if sub.IsAdditionalHelpTopicCommand() {
			fmt.Fprintf(w, "\nRun \"%s help %s\" for %s\n", c.Root().Name(), sub.Name(), sub.Short)
		}
	}
	return nil
}

// newConfigTopic is the help about every key of a configuration.
func newConfigTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "every key of a configuration.",
		Long:  configHelp(),
	}
}

// configHelp writes the table of settings for people.
func configHelp() string {
	var b strings.Builder
	b.WriteString(`A configuration is a YAML file given with --config; every key is optional, and an
unknown one is an error. Dots below are nesting:

  match:
    size: 4

is match.size. Each key can be given on the command line as --set match.size=4
(a YAML value; repeat it for more), and the common ones have flags of their own.
Later wins: defaults, then the file, then flags in the order they are written.
Paths in a file are relative to that file, on the command line to the working
directory. Durations are written as 50ms, 10s, 1m30s or 24h.

`)
	for _, s := range settings(defaultConfig()) {
		fmt.Fprintf(&b, "  %s: %s\n      %s\n      %s\n", s.path, flow(s.write()), s.meaning, s.expects)
	}
	b.WriteString(`
Attributes that the data does not have are drawn once for every player, the same
whatever else changes. players.attributes maps a name to one generator:

`)
	for _, g := range generators {
		fmt.Fprintf(&b, "  {%s: %s}\n      %s\n", g.name, g.form, g.about)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
