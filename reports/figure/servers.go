package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// plotServers shows the number of servers and how full they are through the day.
func plotServers(r *result.Result) chart.Plot {
	v := r.Summary.Servers
	p := chart.Plot{
		Name:   "servers",
		Title:  "No server was started",
		Note:   "seats of running servers, servers, and joins, by quarter of an hour; seats and running servers are means",
		Height: 1016,
		Key: []chart.KeyEntry{{Text: "seats taken", Colour: chart.Blue}, {Text: "free seats", Colour: chart.Sky}, {Text: "servers running", Colour: chart.Ink, Line: true}, {Text: "servers started in a quarter of an hour", Colour: chart.Orange, Line: true},
			{Text: "players placed", Colour: chart.Green, Line: true}, {Text: "placed with a friend", Colour: chart.Purple, Line: true}},
	}
	if v.Peak > 0 {
		p.Title = fmt.Sprintf("%s servers run on average, %s at the peak; %s of their seats are taken",
			words.MeanCount(float64(v.Mean)), words.Thousands(v.Peak), words.Percent(v.OccupancyMean))
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		taken := func(w *result.ServerWindow) float64 { return float64(w.Taken) }
		free := func(w *result.ServerWindow) float64 { return float64(w.Seats - w.Taken) }
		running := func(w *result.ServerWindow) float64 { return float64(w.Running) }
		opened := func(w *result.ServerWindow) float64 { return float64(w.Opened) }
		seats := serversPanel(s, r, top+32, top+292, "seats", func(w *result.ServerWindow) float64 { return float64(w.Seats) })
		xs, layers := overQuarters(r, r.Servers, taken, free)
		seats.Stack([]color.RGBA{chart.Blue, chart.Sky}, xs, layers)
		seats.TimeAxis()
		servers := serversPanel(s, r, top+382, top+612, "servers", running)
		xs, curves := overQuarters(r, r.Servers, running, opened)
		servers.TimeAxis()
		servers.Curve(chart.Orange, 1.8, xs, curves[1])
		servers.Curve(chart.Ink, 1.8, xs, curves[0])
		placed := func(w *result.ServerWindow) float64 { return float64(w.Placed) }
		joins := serversPanel(s, r, top+702, p.Height-chart.TimeAxisHeight-8, "joins in a quarter of an hour", placed)
		xs, curves = overQuarters(r, r.Servers, placed, func(w *result.ServerWindow) float64 { return float64(w.Preferred) })
		joins.TimeAxis()
		joins.Curve(chart.Green, 1.8, xs, curves[0])
		joins.Curve(chart.Purple, 1.8, xs, curves[1])
	}
	return p
}

// serversPanel draws a panel of one value through the day.
func serversPanel(s *chart.Canvas, r *result.Result, top, bottom float64, head string, value func(*result.ServerWindow) float64) chart.Panel {
	_, ys := overQuarters(r, r.Servers, value)
	return dayPanel(s, r, top, bottom, head, chart.NiceTicks(max(highest(ys...), 7), 6))
}

const signalRow = 26

// plotSignals shows what each signal adds to the score of the chosen server, how much less it adds to
// that of the runner-up, and how often it decides between the two. It
// returns no picture of a single signal, which decides everything.
func plotSignals(r *result.Result, _ Coast) []chart.Plot {
	v := r.Summary.Servers
	if len(v.Signals) < 2 {
		return nil
	}
	signals := slices.Clone(v.Signals)
	slices.SortStableFunc(signals, func(a, b outcome.PlacementSignal) int { return cmp.Compare(b.Decided, a.Decided) })
	p := chart.Plot{
		Name:   "signals",
		Title:  "No player had two servers to choose from",
		Note:   "signal × weight: share of joins in which it decided between the two best servers; its mean part of the best score; how much less it adds to the runner-up's",
		Height: chart.HeadingHeight + 44 + float64(signalRow*float64(len(signals)+1)) + chart.Margin,
	}
	if v.Contest > 0 {
		p.Title = fmt.Sprintf("%s decides %s of the placements with a choice, %s %s",
			signals[0].Name, words.Percent(signals[0].Decided), signals[1].Name, words.Percent(signals[1].Decided))
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		top += 44
		if ties := v.ByAge + v.BySequence; ties > 0 {
			s.Text(chart.SmallFace, chart.Muted, chart.Margin, top+float64(signalRow*float64(len(signals)))+16, chart.ToRight,
				fmt.Sprintf("equal scores, the older server wins: %s", words.Percent(ties)))
		}
		known := func(i int, bar chart.Bar) chart.Bar {
			switch {
			case signals[i].Unknown():
				return chart.Bar{Label: "nothing to compare"}
			case math.IsNaN(bar.Value): // no player had a choice
				return chart.Bar{Label: "–"}
			}
			return bar
		}
		column := chart.Bars{Head: "share decided", Left: 202, Width: 170, Row: signalRow, Rows: len(signals), Colour: chart.Blue}
		column.Value = func(i int) chart.Bar {
			return known(i, chart.Bar{Value: float64(signals[i].Decided), Label: words.Percent(signals[i].Decided)})
		}
		column.Draw(s, top, func(i int) string { return fmt.Sprintf("%s × %s", signals[i].Name, signals[i].Weight) })
		column.Head, column.Left, column.Colour = "part of the best score", 452, chart.Green
		column.Value = func(i int) chart.Bar {
			added := float64(signals[i].Contribution)
			return known(i, chart.Bar{Value: added, Label: fmt.Sprintf("%.2f", added)})
		}
		column.Draw(s, top, nil)
		column.Head, column.Left, column.Colour = "lead over the runner-up", 702, chart.Orange
		column.Value = func(i int) chart.Bar {
			more := float64(signals[i].Advantage)
			return known(i, chart.Bar{Value: max(0, more), Label: fmt.Sprintf("%.3f", more)}) // a negative value gets a number but no bar
		}
		column.Draw(s, top, nil)
	}
	return []chart.Plot{p}
}
