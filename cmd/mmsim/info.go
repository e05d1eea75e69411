package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
)

func newInfoCommand(s *terminal.Streams) *cobra.Command {
	var flags configFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "info [flags] FILE",
		Short: "Describe a day",
		Long:  "Check a day of joins and print what is in it: rows, joins per hour, where they are from, columns.",
		Example: `  mmsim dataset info day.csv.gz
  mmsim dataset info --json day.csv`,
		Args: exactArgs("FILE"),
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
	flags.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	grouped(c.Flags(), groupOutput, "json")
	return c
}

// description counts what a day holds; places that say nothing of themselves are
// those of the nearest city.
func description(day *datasets.Day) datasets.Description {
	return datasets.Describe(day, experiment.NewLocator().Of(day))
}

func describeDayJSON(w io.Writer, day *datasets.Day) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	d := description(day)
	type column struct {
		Name     string `json:"name"`
		Kind     string `json:"kind"`
		Missing  int    `json:"missing"`
		Distinct int    `json:"distinct,omitempty"`
	}
	columns := []column{}
	for _, c := range d.Columns {
		columns = append(columns, column{c.Name, c.Kind.String(), c.Missing, c.Distinct})
	}
	return encoder.Encode(struct {
		Rows       int           `json:"rows"`
		BadRows    int           `json:"bad_rows"`
		Places     int           `json:"places"`
		Parties    int           `json:"parties"`
		First      float64       `json:"first_s"`
		Last       float64       `json:"last_s"`
		Measured   int           `json:"measured"`
		Hours      [24]int       `json:"hours"`
		Continents orderedCounts `json:"continents"`
		Countries  orderedCounts `json:"countries"`
		Columns    []column      `json:"columns"`
		Warnings   []string      `json:"warnings"`
	}{d.Rows, d.BadRows, d.Places, d.Parties, float64(d.First) / 1000, float64(d.Last) / 1000,
		d.Measured, d.Hours, d.Continents, d.Countries, columns, append([]string{}, d.Warnings...)})
}

// orderedCounts is a JSON object of counts in the order of the list.
type orderedCounts []datasets.Count

func (o orderedCounts) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, count := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%d", count.Code, count.Joins)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// countriesShown is how many countries the description for people lists.
const countriesShown = 10

func describeDay(w io.Writer, day *datasets.Day) error {
	d := description(day)
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s, %s to %s UTC",
		input.Counted(d.Rows, "join"), input.Counted(d.Places, "place"), clock(d.First), clock(d.Last))
	switch {
	case d.Parties == 1:
		b.WriteString(", 1 party")
	case d.Parties > 1:
		fmt.Fprintf(&b, ", %d parties", d.Parties)
	}
	if d.Measured > 0 {
		fmt.Fprintf(&b, ", %d with measured RTTs", d.Measured)
	}
	b.WriteString("\n\nJoins per hour (UTC)\n")
	most := 1
	for _, joins := range d.Hours {
		most = max(most, joins)
	}
	for hour, joins := range d.Hours {
		fmt.Fprintf(&b, "  %02d %9d %s\n", hour, joins, strings.Repeat("#", (joins*50+most/2)/most))
	}
	b.WriteString("\nWhere joins are from\n")
	writeWorld(&b, day)
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

// clock writes milliseconds since midnight as a time of day.
func clock(ms uint32) string {
	return fmt.Sprintf("%02d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
}

// writeWorld draws a map of joins in characters: a column is 5°, a line 8°. Each
// step of the scale is a tenth of the one above.
func writeWorld(b *strings.Builder, day *datasets.Day) {
	const columns, lines, scale = 72, 18, ".:+*#@"
	var joins [lines][columns]int
	most := 0
	for j := range day.Joins() {
		p := day.Places[j.Place]
		line := min(max(0, (84-floorDegrees(p.LatHundredths))/8), lines-1)
		column := (floorDegrees(p.LonHundredths) + 180) / 5 % columns
		joins[line][column]++
		most = max(most, joins[line][column])
	}
	for _, line := range joins {
		text := make([]byte, columns)
		for i, n := range line {
			text[i] = ' '
			step := len(scale) - 1
			for floor := most; n > 0; floor /= 10 {
				text[i] = scale[step]
				if n > floor/10 || step == 0 {
					break
				}
				step--
			}
		}
		b.WriteString(strings.TrimRight("  "+string(text), " ") + "\n")
	}
	fmt.Fprintf(b, "  @ up to %s, each of #*+:. a tenth of the one before\n", input.Counted(most, "join"))
}

// floorDegrees is a position in whole degrees, rounded down.
func floorDegrees(hundredths int16) int {
	return (int(hundredths)+36000)/100 - 360
}
