package figure

import (
	"image/color"

	"mmsim/reports/chart"
	"mmsim/reports/figure/worldmap"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// SideColours are the colours of the two sides of a comparison.
var SideColours = [2]color.RGBA{chart.Blue, chart.Orange}

// PlotDistributions draws the cumulative distributions of both sides of a comparison: of the waits of
// first searches, if anybody waits, and of RTTs. ok is false if nobody was matched on one side.
func PlotDistributions(sides *[2]result.Sketch, title string) (p chart.Plot, ok bool) {
	const panel = 330 // height of a panel with its heading and its axis
	if len(sides[0].RTTs) == 0 || len(sides[1].RTTs) == 0 {
		return p, false
	}
	waits := max(len(sides[0].Waits), len(sides[1].Waits)) > 1
	p = chart.Plot{
		Name: "distributions", Title: title, Note: "matched players of all runs; a curve that is higher and more to the left is better",
		Height: chart.HeadingHeight + 26 + panel,
		Key:    []chart.KeyEntry{{Text: "A", Colour: SideColours[0], Line: true}, {Text: "B", Colour: SideColours[1], Line: true}},
	}
	if waits {
		p.Height += panel
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		draw := func(head, unit string, low, longest float64, bins func(k *result.Sketch) []result.Bin) {
			for i := range sides {
				if list := bins(&sides[i]); len(list) > 0 {
					longest = max(longest, list[len(list)-1].To)
				}
			}
			axis := SharesPanel(s, 1, top+32, top+panel-50, low, longest, unit, head)
			for i := range sides {
				xs, ys := Cumulative(result.Distribution{Bins: bins(&sides[i])}, low)
				axis.Steps(SideColours[i], 1.8, xs, ys)
			}
			top += panel
		}
		if waits {
			draw("share of first searches with a match that wait at most", " s", shortestWait, 10, func(k *result.Sketch) []result.Bin { return k.Waits })
		}
		draw("share of players with an RTT of at most", " ms", 5, 100, func(k *result.Sketch) []result.Bin { return k.RTTs })
	}
	return p, true
}

// PlotSideMaps draws the maps of both sides of a comparison beside each other. The classes of RTTs are
// those of share_le_50 and share_le_100, because the thresholds of the sides may differ.
func PlotSideMaps(sides *[2]result.Sketch, title string, coast Coast) (p chart.Plot, ok bool) {
	const gap = 12
	const scale = (chart.Width - 2*chart.Margin - gap) / 2 / 360.0
	maps := [2][]result.Cell{sides[0].Map(), sides[1].Map()}
	if len(maps[0]) == 0 || len(maps[1]) == 0 {
		return p, false
	}
	limits := grade.RTTsOf(outcome.Thresholds{Ideal: 50, Expand: 100}, nil)
	classes := limits.Classes()
	return chart.Plot{
		Name: "maps", Title: title, Note: "players of all runs by where they live: the area of a circle shows how many, its colour the mean RTT they got; A on the left, B on the right",
		Height: chart.HeadingHeight + 26 + 34 + worldmap.Stretch*scale*(worldmap.North-worldmap.South) + chart.Margin,
		Key:    classKey(classes),
		Draw: func(s *chart.Canvas, top float64) {
			for i, name := range [...]string{"A", "B"} {
				left := chart.Margin + float64(float64(i)*(360*scale+gap))
				s.Text(chart.HeadFace, chart.Ink, left, top+14, chart.ToRight, name)
				m := worldmap.New(s, left, top+26, scale)
				m.Coast(coast)
				m.Players(maps[i], chart.Ramp[:], classes.Of)
				m.RecordPlaces(name+", the places with the most players", maps[i])
			}
		},
	}, true
}
