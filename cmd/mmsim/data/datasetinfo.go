package data

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/datasets/joinfile"
	"mmsim/reports/words"
)

func newInfoCommand(s *terminal.Streams) *cobra.Command {
	var flags cli.ConfigFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "info [flags] FILE",
		Short: "Describe a file of joins",
		Long: `Check a file of joins and describe how mmsim reads it: its form, what each column was taken for, the
first row as it was understood, whether rows are sessions or searches, hours without joins, joins
per hour, and where players live. Warnings come first. "mmsim dataset --help" describes the format.

If a column has the end of a match (ended_at, end_time, match_end, finished_at, left_at or
session_end; a time like the joins) or its length (match_length, match_duration, duration or
session_length; in seconds), the description also has an estimate of the length, which includes
the wait. With player_id, it has the pause after a match and the share who play again, which are
those with another row within 10 minutes.`,
		Example: `  mmsim dataset info day.csv.gz
  mmsim dataset info --json day.csv`,
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := flags.Read()
			if err != nil {
				return err
			}
			day, err := readDay(c, args[0])
			if err != nil {
				return err
			}
			d := description(day, c)
			if asJSON {
				return cli.WriteJSON(s.Out, d)
			}
			_, err = io.WriteString(s.Out, describe(day, &d))
			return err
		},
	}
	flags.Add(c, cli.JoinFlags...)
	cli.Under(c, cli.GroupOutput).Bool(&asJSON, "json", "print JSON instead of text")
	return c
}

// description summarises a day. A place without a country in the data gets the country of the
// nearest city.
func description(day *datasets.Day, c *config.Config) datasets.Description {
	d := datasets.Describe(day, experiment.NewLocator().Of(day))
	d.Players = day.PlayerRows(c.Dataset.Days)
	d.RowsAre = "rows are taken as " + c.Dataset.Rows + ", because dataset.rows says so"
	if notes := experiment.RowsNote(c, d.Players); notes != nil {
		d.RowsAre = notes[0].Message
	}
	if taken, err := c.ForRows(d.Players); err == nil {
		d.Searches = taken.Searches()
	}
	zone, _ := joinfile.ParseZone(c.Dataset.TimeZone) // cannot fail: checked with the configuration
	d.Zone = zone.String()
	if life, found := joinfile.MatchLife(day, zone); found {
		d.Matches = &life
	}
	return d
}

// Limits of the text.
const (
	countriesShown = 10
	spansShown     = 6
	textWidth      = 98
)

// describe returns the description as text.
func describe(day *datasets.Day, d *datasets.Description) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s, %s to %s %s",
		input.Counted(d.Rows, "join"), input.Counted(d.Places, "place"), clock(d.First), clock(d.Last), d.Zone)
	if !day.Midnight.IsZero() {
		fmt.Fprintf(&b, " on %s from %s", input.Counted(day.Days(), "day"), day.Midnight.Format(time.DateOnly))
	}
	b.WriteByte('\n')
	for _, warning := range d.Warnings {
		whole(&b, "Warning", warning)
	}
	b.WriteByte('\n')
	writeFacts(&b, day, d)
	b.WriteString("\nColumns\n")
	writeColumns(&b, d)
	fmt.Fprintf(&b, "\nJoins per hour (%s)\n", d.Zone)
	most := slices.Max(d.Hours[:])
	for hour, joins := range d.Hours {
		text := fmt.Sprintf("  %02d %9d %s", hour, joins, strings.Repeat("#", (joins*50+most/2)/most))
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	b.WriteString("\nWhere joins are from\n")
	b.WriteString(datasets.WorldMap(day))
	writeCounts(&b, "Continents", d.Continents, d.Rows)
	writeCounts(&b, "Countries", d.Countries[:min(countriesShown, len(d.Countries))], d.Rows)
	return b.String()
}

// writeFacts writes what the file is and how it was understood.
func writeFacts(b *strings.Builder, day *datasets.Day, d *datasets.Description) {
	form := d.Form.Format
	if d.Form.Separator != "" {
		form += ", columns separated by a " + d.Form.Separator
		if d.Form.Header {
			form += ", with a header"
		} else {
			form += ", without a header"
		}
	}
	line(b, "File", form)
	whole(b, "Times", d.Times)
	line(b, "Rows", strings.TrimPrefix(d.RowsAre, words.RowsTaken))
	if d.Players.Players > 0 {
		line(b, "Players", fmt.Sprintf("%s in %s", input.Counted(d.Players.Players, "different player_id"), input.Counted(d.Players.Rows, "row")))
	}
	if d.Parties > 0 {
		line(b, "Parties", fmt.Sprintf("%d of two players or more", d.Parties))
	}
	if d.Measured > 0 {
		line(b, "Measured RTTs", fmt.Sprintf("in %s", input.Counted(d.Measured, "row")))
	}
	if p := d.Placed; p.Joins() > 0 {
		line(b, "No coordinates", fmt.Sprintf("%s: placed by IP address %d, by city %d, by region %d, by country %d",
			input.Counted(p.Joins(), "row"), p.ByAddress, p.ByCity, p.ByRegion, p.ByCountry))
	}
	for i, v := range d.FirstRow {
		whole(b, map[bool]string{true: "First row"}[i == 0], v.Column+" "+v.Value)
	}
	line(b, "Hours without joins", emptyHours(day, d.Empty))
	writeMatches(b, d.Matches, d.Searches)
}

// writeMatches writes the estimate from the ends of matches.
func writeMatches(b *strings.Builder, m *datasets.MatchLife, searches bool) {
	if m == nil {
		return
	}
	text := fmt.Sprintf("%s in column %s last %.0f s on average with the wait before them, median %.0f s", input.Counted(m.Matches, "match"), m.Column, m.Mean, m.Median)
	if m.Matches > 1 {
		text = strings.Replace(text, "matchs", "matches", 1)
	}
	if m.Odd > 0 {
		text += fmt.Sprintf("; %d with an end before the join or a day after it are left out", m.Odd)
	}
	line(b, "Matches", text)
	hint := fmt.Sprintf("--set match.length=%.0fs", m.Mean)
	if m.Asked > 0 {
		line(b, "Play again", fmt.Sprintf("%.1f %% of %d, within 10 minutes, after a pause of %.0f s on average", 100*m.PlayAgain(), m.Asked, m.PauseMean))
	}
	if m.Asked > 0 && !searches { // otherwise, nobody plays again by chance
		hint += fmt.Sprintf(" --set players.play_again=%.2f --set players.between_matches=%.0fs", min(m.PlayAgain(), 0.99), m.PauseMean)
	}
	line(b, "", hint)
}

// emptyHours lists the hours without joins.
func emptyHours(day *datasets.Day, spans []datasets.HourSpan) string {
	if len(spans) == 0 {
		return "none"
	}
	var list []string
	for i, span := range spans {
		if i == spansShown {
			list = append(list, fmt.Sprintf("and %d more spans", len(spans)-i))
			break
		}
		text := fmt.Sprintf("%02d:00 to %02d:00", span.From%24, (span.To-1)%24+1)
		if day.Days() > 1 {
			date := func(hour int) string { return day.Midnight.AddDate(0, 0, hour/24).Format(time.DateOnly) }
			text = fmt.Sprintf("%s %02d:00 to ", date(span.From), span.From%24)
			if last := span.To - 1; last/24 != span.From/24 {
				text += date(last) + " "
			}
			text += fmt.Sprintf("%02d:00", (span.To-1)%24+1)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// indent is the width of the names of facts.
const indent = 21

// whole writes a name and a text in one line. Broken into lines, a text from the file could look like
// lines of mmsim.
func whole(b *strings.Builder, name, text string) {
	fmt.Fprintf(b, "%-*s", indent, name)
	terminal.PrintTo(b, "%s\n", text)
}

// line writes a name and a text of mmsim, which is broken into lines.
func line(b *strings.Builder, name, text string) {
	width := 0
	fmt.Fprintf(b, "%-*s", indent, name)
	for _, word := range strings.Fields(text) {
		switch length := utf8.RuneCountInString(word); {
		case width == 0:
			width = indent + length
		case width+1+length > textWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			width = indent + length
		default:
			b.WriteByte(' ')
			width += 1 + length
		}
		terminal.PrintTo(b, "%s", word)
	}
	b.WriteByte('\n')
}

// degrees is the type of a coordinate.
const degrees = "degrees"

// fixedKinds are the types of columns that are no attributes.
var fixedKinds = map[string]string{
	datasets.ColumnTime: "time", datasets.ColumnLatitude: degrees, datasets.ColumnLongitude: degrees,
	datasets.ColumnCountry: "country", datasets.ColumnContinent: "code",
}

// writeColumns writes a row for each column of the file.
func writeColumns(b *strings.Builder, d *datasets.Description) {
	fmt.Fprintf(b, "  %-20s %-20s %-7s %8s  %s\n", "in the file", "taken as", "type", "missing", "values")
	for i, f := range d.Form.Columns {
		name, taken := f.Name, f.Taken
		if !d.Form.Header && d.Form.Format == "CSV" {
			name = fmt.Sprintf("column %d", i+1)
		}
		kind, missing, values := fixedKinds[taken], "", ""
		if kind == degrees {
			missing = fmt.Sprint(d.Placed.Joins())
		}
		j := slices.IndexFunc(d.Columns, func(c datasets.ColumnDescription) bool { return c.Name == taken })
		switch {
		case j >= 0:
			c := &d.Columns[j]
			kind, missing = c.Kind.String(), fmt.Sprint(c.Missing)
			values = input.Counted(c.Distinct, "different value")
			if c.Kind == datasets.Number {
				values = fmt.Sprintf("%.4g to %.4g, mean %.4g", c.Min, c.Max, c.Mean)
			}
			if datasets.Declarable(taken) {
				taken = "attribute"
			}
		case taken == "" || taken == datasets.ColumnIP && d.Placed.ByAddress == 0:
			taken = "not used"
		case strings.HasPrefix(taken, datasets.ColumnMeasured):
			kind = "ms"
		}
		if f.Place != "" && f.Place != taken && d.Placed.Joins() > 0 {
			taken += ", " + f.Place
		}
		text := strings.TrimRight(fmt.Sprintf("  %-20s %-20s %-7s %8s  %s", shortened(name), taken, kind, missing, values), " ")
		terminal.PrintTo(b, "%s\n", text)
	}
}

// shortened cuts off a long name.
func shortened(name string) string {
	const most = 20
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most-1]) + "…"
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
