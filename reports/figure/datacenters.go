package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// datacenterRow is the height of a datacenter in its picture.
const datacenterRow = 17

// plotDatacenters shows players, wait and RTT of every datacenter, busiest first.
func plotDatacenters(r *result.Result) chart.Plot {
	sites := slices.Clone(r.Summary.ByDatacenter)
	slices.SortStableFunc(sites, func(a, b outcome.Datacenter) int { return cmp.Compare(b.Players, a.Players) })
	used := slices.IndexFunc(sites, func(d outcome.Datacenter) bool { return d.Players == 0 })
	if used < 0 {
		used = len(sites)
	}
	busy, idle := sites[:used], sites[used:]
	head, note := "players matched", "players matched, mean wait and mean RTT by datacenter; the thin line reaches to the 95th percentile"
	if r.Summary.Servers != nil {
		head, note = "players placed", "players placed and mean RTT by datacenter; the thin line reaches to the 95th percentile"
	}
	return chart.Plot{
		Name:   "datacenters",
		Title:  datacentersTitle(sites, r.Summary.Players.Matched),
		Note:   note,
		Height: chart.HeadingHeight + 44 + datacenterRow*float64(len(busy)+1) + chart.Margin,
		Draw: func(s *chart.Canvas, top float64) {
			for i := range busy {
				y := top + 44 + datacenterRow*float64(i)
				s.Text(chart.SmallFace, chart.Ink, 150, y+12, chart.ToLeft, chart.SmallFace.Shorten(busy[i].Name, 150-chart.Margin))
			}
			if len(idle) > 0 {
				s.Text(chart.SmallFace, chart.Muted, chart.Margin, top+44+datacenterRow*float64(len(busy))+14, chart.ToRight, chart.SmallFace.Shorten(idleNames(idle), chart.Width-2*chart.Margin))
			}
			columns := []barColumn{
				{head, 162, 195, chart.Blue, busy,
					func(d *outcome.Datacenter) (float64, float64, string) {
						return float64(d.Players), 0, words.Thousands(d.Players)
					}},
				{"RTT in milliseconds", 680, 190, chart.Green, busy,
					func(d *outcome.Datacenter) (float64, float64, string) {
						return float64(d.RTTMean), float64(d.RTTP95), words.Millis(d.RTTMean)
					}},
			}
			if r.Summary.Servers == nil { // nobody waits for a server that runs
				columns = append(columns, barColumn{"wait in seconds", 430, 150, chart.Orange, busy,
					func(d *outcome.Datacenter) (float64, float64, string) {
						return float64(d.WaitMean), float64(d.WaitP95), words.Seconds(d.WaitMean)
					}})
			} else {
				columns[1].left, columns[1].width = 480, 390
			}
			for _, c := range columns {
				c.draw(s, top+44)
			}
		},
	}
}

// idleNames lists the datacenters where nobody plays.
func idleNames(sites []outcome.Datacenter) string {
	names := make([]string, len(sites))
	for i := range sites {
		names[i] = sites[i].Name
	}
	return "without players: " + strings.Join(names, ", ")
}

// datacentersTitle says how the load is spread and which datacenter has the highest RTTs.
func datacentersTitle(sites []outcome.Datacenter, matched outcome.Count) string {
	if matched == 0 {
		return "No datacenter hosted a match"
	}
	half, players := 0, outcome.Count(0)
	for half < len(sites) && 2*players < matched {
		players += sites[half].Players
		half++
	}
	used := 0
	worst := -1
	for i := range sites {
		if sites[i].Players == 0 {
			continue
		}
		used++
		if sites[i].Players*100 < matched { // too few to judge by
			continue
		}
		if worst < 0 || sites[i].RTTMean > sites[worst].RTTMean {
			worst = i
		}
	}
	if len(sites) == 1 {
		return fmt.Sprintf("All %s players match in %s, at %s on average", words.Thousands(matched), sites[0].Name, words.Millis(sites[0].RTTMean))
	}
	title := fmt.Sprintf("%d of %s host half of the players", half, words.Plural(len(sites), "datacenter"))
	if used < len(sites) {
		title += fmt.Sprintf(", %d host nobody", len(sites)-used)
	}
	if worst >= 0 {
		title += fmt.Sprintf("; the highest mean RTT of a busy one is %s in %s", words.Millis(sites[worst].RTTMean), sites[worst].Name)
	}
	return title
}

// barColumn is one column of horizontal bars.
type barColumn struct {
	head        string
	left, width float64
	colour      color.RGBA
	sites       []outcome.Datacenter
	value       func(*outcome.Datacenter) (mean, p95 float64, label string)
}

func (c *barColumn) draw(s *chart.Canvas, top float64) {
	longest := 0.0
	for i := range c.sites {
		mean, p95, _ := c.value(&c.sites[i])
		longest = max(longest, mean, p95)
	}
	if longest == 0 {
		longest = 1
	}
	s.Text(chart.HeadFace, chart.Ink, c.left, top-12, chart.ToRight, c.head)
	s.Line(chart.Rule, 1, c.left, top-4, c.left, top+datacenterRow*float64(len(c.sites)))
	for i := range c.sites {
		y := top + datacenterRow*float64(i)
		mean, p95, label := c.value(&c.sites[i])
		end := c.left + c.width*mean/longest
		tail := max(end, c.left+c.width*p95/longest)
		s.Rectangle(c.colour, c.left, y+2.5, end, y+13.5)
		s.Line(c.colour, 1.5, end, y+8, tail, y+8)
		s.Text(chart.SmallFace, chart.Ink, tail+6, y+12, chart.ToRight, label)
	}
}
