package dataset

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
)

func newInfoCommand(s *terminal.Streams) *cobra.Command {
	var flags cli.ConfigFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "info [flags] FILE",
		Short: "Describe a file of joins",
		Long: `Check a file of joins and print a summary: the number of joins, joins per hour, where players live,
and the columns. "mmsim dataset --help" describes the format of the file.`,
		Example: `  mmsim dataset info day.csv.gz
  mmsim dataset info --json day.csv`,
		Args: cli.ExactArgs("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			day, err := readDay(&flags, args[0])
			if err != nil {
				return err
			}
			describe := describeDay
			if asJSON {
				describe = describeDayJSON
			}
			return describe(s.Out, day)
		},
	}
	flags.Add(c, cli.JoinFlags...)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of text")
	cli.Grouped(c.Flags(), cli.GroupOutput, "json")
	return c
}

// description summarises a day. A place without a country in the data gets the country of the
// nearest city.
func description(day *datasets.Day) datasets.Description {
	return datasets.Describe(day, experiment.NewLocator().Of(day))
}

func describeDayJSON(w io.Writer, day *datasets.Day) error { return cli.WriteJSON(w, description(day)) }

// countriesShown is the maximum number of countries in the text.
const countriesShown = 10

func describeDay(w io.Writer, day *datasets.Day) error {
	d := description(day)
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s, %s to %s UTC",
		input.Counted(d.Rows, "join"), input.Counted(d.Places, "place"), clock(d.First), clock(d.Last))
	if !day.Midnight.IsZero() {
		fmt.Fprintf(&b, " on %s from %s", input.Counted(day.Days(), "day"), day.Midnight.Format(time.DateOnly))
	}
	switch {
	case d.Parties == 1:
		b.WriteString(", 1 party")
	case d.Parties > 1:
		fmt.Fprintf(&b, ", %d parties", d.Parties)
	}
	if d.Measured > 0 {
		fmt.Fprintf(&b, ", %d with measured RTTs", d.Measured)
	}
	terminal.PrintTo(&b, "\nTimes are read as %s\n", d.Times)
	b.WriteString("\nJoins per hour (UTC)\n")
	most := 1
	for _, joins := range d.Hours {
		most = max(most, joins)
	}
	for hour, joins := range d.Hours {
		fmt.Fprintf(&b, "  %02d %9d %s\n", hour, joins, strings.Repeat("#", (joins*50+most/2)/most))
	}
	b.WriteString("\nWhere joins are from\n")
	b.WriteString(datasets.WorldMap(day))
	writeCounts(&b, "Continents", d.Continents, d.Rows)
	writeCounts(&b, "Countries", d.Countries[:min(countriesShown, len(d.Countries))], d.Rows)
	if len(d.Columns) > 0 {
		b.WriteString("\nColumns\n")
	}
	for _, c := range d.Columns {
		terminal.PrintTo(&b, "  %-20s %-6s %d missing, ", c.Name, c.Kind, c.Missing)
		if c.Kind == datasets.Number {
			fmt.Fprintf(&b, "%.4g to %.4g, mean %.4g\n", c.Min, c.Max, c.Mean)
		} else {
			fmt.Fprintf(&b, "%s\n", input.Counted(c.Distinct, "different value"))
		}
	}
	for _, warning := range d.Warnings {
		terminal.PrintTo(&b, "\nwarning: %s\n", warning)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeCounts(b *strings.Builder, title string, counts []datasets.Count, all int) {
	fmt.Fprintf(b, "\n%s\n", title)
	for _, c := range counts {
		terminal.PrintTo(b, "  %-2s %9d  %4.1f %%\n", c.Code, c.Joins, 100*float64(c.Joins)/float64(all))
	}
}

// clock formats milliseconds since midnight as a time of day.
func clock(ms uint32) string {
	return fmt.Sprintf("%02d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
}
