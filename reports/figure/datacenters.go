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

const datacenterRow = 17

// plotDatacenters shows the players, waits and RTTs of every datacenter, the busiest one first.
func plotDatacenters(r *result.Result) chart.Plot {
	datacenters := slices.Clone(r.Summary.ByDatacenter)
	slices.SortStableFunc(datacenters, func(a, b outcome.Datacenter) int { return cmp.Compare(b.Players, a.Players) })
	used := slices.IndexFunc(datacenters, func(d outcome.Datacenter) bool { return d.Players == 0 })
	if used < 0 {
		used = len(datacenters)
	}
	busy, idle := datacenters[:used], datacenters[used:]
	note := "players matched; wait of all searches and RTT by datacenter: bars and the numbers on their left are means, thin lines reach to the 95th percentile"
	if len(r.Summary.Queues) > 0 {
		note = "players matched; wait of all searches by datacenter, over all queues: bars and the numbers on their left are means, thin lines reach to the 95th percentile"
	}
	if r.Summary.Servers != nil {
		note = "players placed; RTT by datacenter: bars and the numbers on their left are means, thin lines reach to the 95th percentile"
	}
	return chart.Plot{
		Name:   "datacenters",
		Title:  datacentersTitle(datacenters, &r.Summary),
		Note:   note,
		Height: chart.HeadingHeight + 44 + datacenterRow*float64(len(busy)+1) + chart.Margin,
		Draw: func(s *chart.Canvas, top float64) {
			top += 44
			drawDatacenters(s, top, busy, &r.Summary)
			if len(idle) > 0 {
				s.Text(chart.SmallFace, chart.Muted, chart.Margin, top+datacenterRow*float64(len(busy))+14, chart.ToRight, chart.SmallFace.Shorten(idleNames(idle), chart.Width-2*chart.Margin))
			}
		},
	}
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

// waitBar shows the mean wait and its 95th percentile.
func waitBar(v *outcome.Served) chart.Bar {
	return chart.Bar{Value: float64(v.WaitMean), Label: words.Seconds(v.WaitMean), Tail: float64(v.WaitP95), TailLabel: words.Seconds(v.WaitP95)}
}

// rttBar shows the mean RTT and its 95th percentile.
func rttBar(v *outcome.Served) chart.Bar {
	return chart.Bar{Value: float64(v.RTTMean), Label: words.Millis(v.RTTMean), Tail: float64(v.RTTP95), TailLabel: words.Millis(v.RTTP95)}
}

// idleNames lists the datacenters without players.
func idleNames(datacenters []outcome.Datacenter) string {
	names := make([]string, len(datacenters))
	for i := range datacenters {
		names[i] = datacenters[i].Name
	}
	return "without players: " + strings.Join(names, ", ")
}

// datacentersTitle says how the load is distributed, and which datacenter has the highest RTTs.
func datacentersTitle(datacenters []outcome.Datacenter, s *outcome.Summary) string {
	matched := s.Players.Matched
	if matched == 0 {
		return "No datacenter hosted a match"
	}
	half, players := 0, outcome.Count(0)
	for half < len(datacenters) && 2*players < matched {
		players += datacenters[half].Players
		half++
	}
	used := 0
	worst := -1
	for i := range datacenters {
		if datacenters[i].Players == 0 {
			continue
		}
		used++
		if datacenters[i].Players*100 < matched { // skip datacenters with few players, whose mean says little
			continue
		}
		if worst < 0 || datacenters[i].RTTMean > datacenters[worst].RTTMean {
			worst = i
		}
	}
	pooled := len(s.Queues) > 0
	if len(datacenters) == 1 && pooled {
		return fmt.Sprintf("All %s players match in %s", words.Thousands(matched), datacenters[0].Name)
	}
	if len(datacenters) == 1 {
		return fmt.Sprintf("All %s players match in %s, at %s on average", words.Thousands(matched), datacenters[0].Name, words.Millis(datacenters[0].RTTMean))
	}
	title := fmt.Sprintf("%d of %s %s half of the players", half, words.Plural(len(datacenters), "datacenter"), host(half))
	if used < len(datacenters) {
		title += fmt.Sprintf(", %d %s none", len(datacenters)-used, host(len(datacenters)-used))
	}
	if worst >= 0 && !pooled {
		title += fmt.Sprintf("; the highest mean RTT of a busy one is %s in %s", words.Millis(datacenters[worst].RTTMean), datacenters[worst].Name)
	}
	return title
}

func host(datacenters int) string {
	if datacenters == 1 {
		return "hosts"
	}
	return "host"
}
