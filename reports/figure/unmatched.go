package figure

import (
	"fmt"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// unmatchedMin is the share of searches without a match from which a picture shows whose they are.
const unmatchedMin = 0.001

// unmatchedColumn is a kind of groups in the picture of searches without a match.
type unmatchedColumn struct {
	head   string
	left   float64
	width  float64 // of the longest bar
	groups []outcome.Group
	name   func(i int) string // of a row
	where  func(i int) string // for the title
}

// plotUnmatched shows which searches end without a match, by region, hour and tenths of the first
// attribute that a rule uses. It returns no picture if hardly any do, or the groups do not differ.
func plotUnmatched(r *result.Result, _ Coast) []chart.Plot {
	s := &r.Summary
	all := outcome.Unmatched(&s.Players)
	if !(all.Share >= unmatchedMin) {
		return nil
	}
	columns, rows := unmatchedColumns(r), 0
	title, differs := fmt.Sprintf("%s of searches end without a match", words.Percent(all.Share)), false
	for i := range columns {
		rows = max(rows, len(columns[i].groups))
		if worst := leastMatched(columns[i].groups, &all); worst >= 0 {
			differs = true
			title += fmt.Sprintf(", %s %s", words.Percent(outcome.Unmatched(&columns[i].groups[worst]).Share), columns[i].where(worst))
		}
	}
	if !differs {
		return nil
	}
	return []chart.Plot{{
		Name: "unmatched", Section: SearchesSection,
		Title:  title,
		Note:   "share of the ended searches that ended without a match, counted once per player, and their number; the title names groups with at least 1 % of the searches",
		Height: chart.HeadingHeight + 36 + float64(decileRow*float64(rows)) + chart.Margin,
		Draw: func(s *chart.Canvas, top float64) {
			for i := range columns {
				columns[i].draw(s, top+36)
			}
		},
	}}
}

func unmatchedColumns(r *result.Result) []unmatchedColumn {
	s := &r.Summary
	continent := func(i int) string { return outcome.Continent(words.Printable(s.ByContinent[i].Name)) }
	hour := func(i int) string { return fmt.Sprintf("%02d:00", i) }
	columns := []unmatchedColumn{
		{"by where players live", 124, 96, s.ByContinent, continent, func(i int) string { return "in " + continent(i) }},
		{"by hour of the start, " + words.Zone(s.Run.TimeZone), 404, 96, s.ByHour[:min(hoursOf(r), len(s.ByHour))], hour, func(i int) string { return "at " + hour(i) + " " + words.Zone(s.Run.TimeZone) }},
	}
	if list := grade.RuledDeciles(s); len(list) > 0 {
		a := &list[0]
		c := unmatchedColumn{head: "by " + words.Printable(a.Name), left: 734, width: 96,
			name:  func(i int) string { return words.DecileValues(&a.Deciles[i]) },
			where: func(i int) string { return "with " + words.Name(a.Name) + " " + words.DecileValues(&a.Deciles[i]) }}
		c.groups = words.Each(a.Deciles, func(d outcome.Decile) outcome.Group { return d.Group })
		columns = append(columns, c)
	} else { // more room for two columns
		columns[0].width, columns[1].width, columns[1].left = 250, 250, 570
	}
	return slices.DeleteFunc(columns, func(c unmatchedColumn) bool { return len(c.groups) == 0 })
}

// leastMatched returns the index of the group with the highest share of searches without a match,
// among those with at least 1 % of all searches, or -1 if none has a higher share than all of them.
func leastMatched(groups []outcome.Group, all *outcome.Loss) int {
	worst, highest := -1, all.Share
	for i := range groups {
		if l := outcome.Unmatched(&groups[i]); 100*l.Ended >= all.Ended && l.Share > highest {
			worst, highest = i, l.Share
		}
	}
	return worst
}

func (c *unmatchedColumn) draw(s *chart.Canvas, top float64) {
	bars := chart.Bars{Head: chart.HeadFace.Shorten(c.head, chart.PlotRight-c.left), Left: c.left, Width: c.width, Row: decileRow, Rows: len(c.groups), Colour: chart.Red,
		Value: func(i int) chart.Bar {
			l := outcome.Unmatched(&c.groups[i])
			if l.Ended == 0 {
				return chart.Bar{Label: "–"}
			}
			return chart.Bar{Value: float64(l.Share), Label: fmt.Sprintf("%s (%s)", words.Percent(l.Share), words.Thousands(l.Count))}
		}}
	bars.Draw(s, top, func(i int) string {
		name := c.name(i)
		if c.left > 124 { // Bars makes room for names up to the margin, where the other columns are
			name = chart.SmallFace.ShortenName(name, 116)
		}
		return name
	})
}
