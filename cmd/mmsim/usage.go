package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/matchmaker/openmatch/profiles"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/reports/outcome"
	"mmsim/reports/records"
)

// groupAnnotation lists a flag under a heading of its own in the help.
const groupAnnotation = "mmsim_group"

// Headings of flags, in the order of the help.
const (
	groupInput      = "Input"
	groupSimulation = "Simulation"
	groupRules      = "Rules"
	groupOutput     = "Output"
	groupOther      = "Other"
)

// grouped lists flags under a heading.
func grouped(flags *pflag.FlagSet, heading string, names ...string) {
	for _, name := range names {
		must(flags.SetAnnotation(name, groupAnnotation, []string{heading}))
	}
}

// writeUsage writes the part of the help after the description: in the layout of cobra, with
// headings for the flags.
func writeUsage(c *cobra.Command) error {
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

// usageLines returns the ways to call a command: its Use and, unless it is only a group, the
// Use of each subcommand.
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

// newGateTopic is the help about gates.
func newGateTopic() *cobra.Command {
	return &cobra.Command{Use: "gate", Short: "the format of gates.", Long: gate.Help}
}

// schemas are the schemas that editors can check files with, by name.
var schemas = []struct {
	name, title string
	takes       func() schema.Schema
}{
	{"config", "mmsim configuration", config.Schema},
	{"gate", "mmsim gate", gate.Schema},
	{"sweep", "mmsim sweep", search.SweepSchema},
	{"tune", "mmsim tuning", search.TuneSchema},
	{"case", "mmsim case file", func() schema.Schema { return casefile.Schema() }},
	{"matcher", "mmsim matchmaker message", matchmaker.Schema},
	{"profiles", "mmsim profiles of Open Match", profiles.Schema},
}

func schemaNames() []string {
	var names []string
	for _, s := range schemas {
		names = append(names, s.name)
	}
	return names
}

// schemaDocument returns the text of a schema.
func schemaDocument(name string) ([]byte, error) {
	for _, s := range schemas {
		if s.name == name {
			return s.takes().Document(s.title)
		}
	}
	return nil, input.Badf("unknown schema %q%s, expected %s", name, input.DidYouMean(name, schemaNames()), strings.Join(schemaNames(), ", "))
}

func newSchemaCommand(s *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema " + strings.Join(schemaNames(), "|"),
		Short: "Print the JSON Schema of a file, for editors",
		Long: `Print the JSON Schema (draft 7) of a configuration, a gate, a sweep, a tuning, a case
file, Open Match profiles, or the messages of your own matchmaker. Editors use it to complete
and check keys. A YAML file names its schema in a comment, as in the files of "mmsim init":

  # yaml-language-server: $schema=schemas/config.json

Case files are JSON, which has no comments: set their schema in the settings of the editor.
A schema checks keys and single values; "mmsim validate" also checks combinations.`,
		Example: `  mmsim schema config > schemas/config.json
  mmsim schema case > schemas/case.json`,
		Args:      exactArgs("NAME"),
		ValidArgs: schemaNames(),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := schemaDocument(args[0])
			if err != nil {
				return err
			}
			_, err = s.Out.Write(text)
			return err
		},
	}
}

// newMetricsTopic is the help about metrics; helpMetrics writes it.
func newMetricsTopic() *cobra.Command {
	return &cobra.Command{Use: "metrics", Short: "every metric of summary.json, or those of a PATTERN such as 'by_*.rtt*'."}
}

// helpMetrics lists the metrics that match one of the patterns; all without patterns.
func helpMetrics(w io.Writer, patterns []string) error {
	n, err := outcome.WriteHelp(w, patterns...)
	if err == nil && n == 0 {
		return input.Badf("unknown metric %q%s", patterns[0], input.DidYouMean(patterns[0], outcome.Names(outcome.Metrics())))
	}
	return err
}

// newCaseTopic is the help about case files.
func newCaseTopic() *cobra.Command {
	return &cobra.Command{Use: "case", Short: "the format of case files.", Long: casefile.Help}
}

// newConfigTopic is the help about every key of a configuration.
func newConfigTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "every key of a configuration.",
		Long:  config.Help(),
	}
}

// newRecordsTopic is the help about the columns of records.
func newRecordsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "records",
		Short: "every column of the records of a run.",
		Long:  records.Help(),
	}
}
