package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Heights of a row of bars and of a line with names of datacenters without players.
const (
	datacenterRow = 17
	idleRow       = 15
)

// idleLines limits the lines with names of datacenters without players.
const idleLines = 4

// plotDatacenters shows the players, waits and RTTs of every datacenter, the busiest one first. It
// returns no picture of a single datacenter, whose numbers are those of the run.
func plotDatacenters(r *result.Result, _ Coast) []chart.Plot {
	if len(r.Summary.ByDatacenter) < 2 {
		return nil
	}
	datacenters := slices.Clone(r.Summary.ByDatacenter)
	slices.SortStableFunc(datacenters, func(a, b outcome.Datacenter) int { return cmp.Compare(b.Players, a.Players) })
	used := slices.IndexFunc(datacenters, func(d outcome.Datacenter) bool { return d.Players == 0 })
	if used < 0 {
		used = len(datacenters)
	}
	busy, idle := datacenters[:used], datacenters[used:]
	note := "players matched; wait of all searches and RTT by datacenter: bars and the numbers on their left are means, thin lines reach to the 95th percentile"
	section := ""
	if len(r.Summary.Queues) > 0 {
		section = PlacesSection // the queues come first
		note = "players matched; wait of all searches by datacenter, over all queues: bars and the numbers on their left are means, thin lines reach to the 95th percentile"
	}
	if r.Summary.Servers != nil {
		note = "players placed; RTT by datacenter: bars and the numbers on their left are means, thin lines reach to the 95th percentile"
	}
	title, skipped := datacentersTitle(datacenters, &r.Summary)
	if skipped {
		note += "; the title ignores RTTs where less than 1 % of the players play"
	}
	without := idleNames(idle)
	return []chart.Plot{{
		Name: "datacenters", Section: section,
		Title:  title,
		Note:   note,
		Height: chart.HeadingHeight + 44 + float64(datacenterRow*float64(len(busy))) + float64(idleRow*float64(max(1, len(without)))) + chart.Margin,
		Draw: func(s *chart.Canvas, top float64) {
			top += 44
			drawDatacenters(s, top, busy, &r.Summary)
			for i, line := range without {
				s.Text(chart.SmallFace, chart.Muted, chart.Margin, top+float64(datacenterRow*float64(len(busy)))+float64(idleRow*float64(i))+14, chart.ToRight, line)
			}
		},
	}}
}

// drawDatacenters draws a column of bars for each measure. It omits waits if players are placed on
// servers, because they do not wait for a match. It omits RTTs if there are several queues.
func drawDatacenters(s *chart.Canvas, top float64, datacenters []outcome.Datacenter, of *outcome.Summary) {
	players := chart.Bars{Head: "players matched", Left: 162, Width: 180, Row: datacenterRow, Rows: len(datacenters), Colour: chart.Blue,
		Value: func(i int) chart.Bar {
			return chart.Bar{Value: float64(datacenters[i].Players), Label: words.Thousands(datacenters[i].Players)}
		}}
	wait := chart.Bars{Head: "wait: mean, p95", Left: 480, Width: 130, Row: datacenterRow, Rows: len(datacenters), Colour: chart.Orange,
		Value: func(i int) chart.Bar { return waitBar(&datacenters[i].Served) }}
	rtt := chart.Bars{Head: "RTT: mean, p95", Left: 738, Width: 145, Row: datacenterRow, Rows: len(datacenters), Colour: chart.Green,
		Value: func(i int) chart.Bar { return rttBar(&datacenters[i].Served) }}
	switch {
	case of.Servers != nil:
		players.Head, rtt.Left, rtt.Width = "players placed", 538, 345
		rtt.Draw(s, top, nil)
	case len(of.Queues) > 0:
		wait.Left, wait.Width = 538, 345
		wait.Draw(s, top, nil)
	default:
		wait.Draw(s, top, nil)
		rtt.Draw(s, top, nil)
	}
	players.Draw(s, top, func(i int) string { return datacenters[i].Name })
}

// waitBar shows the mean wait and its 95th percentile, or a dash without players.
func waitBar(v *outcome.Served) chart.Bar { return tailedBar(v, v.WaitMean, v.WaitP95, words.Seconds) }

// rttBar shows the mean RTT and its 95th percentile, or a dash without players.
func rttBar(v *outcome.Served) chart.Bar { return tailedBar(v, v.RTTMean, v.RTTP95, words.Millis) }

func tailedBar[V outcome.Seconds | outcome.Millis](v *outcome.Served, mean, p95 V, format func(V) string) chart.Bar {
	if v.Players == 0 {
		return chart.Bar{Label: "–"}
	}
	return chart.Bar{Value: float64(mean), Label: format(mean), Tail: float64(p95), TailLabel: format(p95)}
}

// idleNames lists the datacenters without players in lines as wide as the picture. It counts the
// names for which there is no room.
func idleNames(datacenters []outcome.Datacenter) (lines []string) {
	const room = chart.Width - 2*chart.Margin
	line := "without players: "
	for i := range datacenters {
		name := datacenterName(&datacenters[i])
		if i < len(datacenters)-1 {
			name += ", "
		}
		if chart.SmallFace.Width(line+name) > room-80 { // leaves room for the count
			if len(lines) == idleLines-1 {
				line += fmt.Sprintf("and %d more", len(datacenters)-i)
				break
			}
			lines, line = append(lines, strings.TrimRight(line, " ")), ""
		}
		line += name
	}
	if len(datacenters) == 0 {
		return nil
	}
	return append(lines, line)
}

// datacenterName returns the name of a datacenter for a sentence.
func datacenterName(d *outcome.Datacenter) string {
	return chart.SmallFace.ShortenName(words.Printable(d.Name), 150)
}

// datacentersTitle says how the load is distributed, and which datacenter has the highest RTTs.
// skipped reports whether a datacenter with higher RTTs was ignored because it has few players, so
// that its mean says little.
func datacentersTitle(datacenters []outcome.Datacenter, s *outcome.Summary) (title string, skipped bool) {
	matched := s.Players.Matched
	if matched == 0 {
		return "No datacenter hosted a match", false
	}
	half, players := 0, outcome.Count(0)
	for half < len(datacenters) && 2*players < matched {
		players += datacenters[half].Players
		half++
	}
	used := 0
	worst, highest := -1, outcome.Millis(0)
	for i := range datacenters { // the busiest one first
		if datacenters[i].Players == 0 {
			continue
		}
		used++
		highest = max(highest, datacenters[i].RTTMean)
		if datacenters[i].Players*100 >= matched && (worst < 0 || datacenters[i].RTTMean > datacenters[worst].RTTMean) {
			worst = i
		}
	}
	title = fmt.Sprintf("%d of %s %s half of the players", half, words.Plural(len(datacenters), "datacenter"), words.Verb(half, "hosts", "host"))
	if used < len(datacenters) {
		title += fmt.Sprintf(", %d %s none", len(datacenters)-used, words.Verb(len(datacenters)-used, "hosts", "host"))
	}
	if worst >= 0 && len(s.Queues) == 0 {
		title += fmt.Sprintf("; the highest mean RTT is %s in %s", words.Millis(datacenters[worst].RTTMean), datacenterName(&datacenters[worst]))
		skipped = highest > datacenters[worst].RTTMean
	}
	return title, skipped
}
