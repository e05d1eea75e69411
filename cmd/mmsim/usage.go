package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/reports"
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

// recordsHelp writes the table of columns for people.
func recordsHelp() string {
	var b strings.Builder
	b.WriteString(`With --records csv, or parquet, a run writes ` + reports.RecordsFile + `, or ` + reports.RecordsParquetFile + `:
a row per player and search, in the order in which searches ended, also of the
searches that found no match. Means over the matched rows alone are those of
summary.json; they leave out the players who waited in vain.

The rows add up to the block "players" of summary.json:

  entries             rows with began_s of 0 or more
  joins, returns      those of them with return 0, and with 1
  searching_at_start  rows with a negative began_s: the search began in the warm-up
  searching_at_end    rows with end "searching"
  all others          rows with that end, whenever the search began

Statistics of waits leave out rows with a negative began_s.

What a search without a match does not have is empty in CSV, and null in Parquet,
where whole numbers are int64, numbers with digits doubles, 0 or 1 booleans.
Columns, in their order:

`)
	for _, f := range reports.RecordFields() {
		fmt.Fprintf(&b, "  %s: %s\n      %s\n", f.Name, f.Type, f.Meaning)
	}
	b.WriteString(`
The attributes of the players follow, those of the dataset and those that are drawn. One
with the name of a column above gets attribute_ before it.`)
	return b.String()
}
