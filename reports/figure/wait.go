package figure

import (
	"fmt"
	"image/color"

	"mmsim/reports/chart"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// plotWaitTime shows waits through the day and their distribution. Through the day it shows only
// first searches. Most other searches begin after a match and succeed in the next pass, so half
// of all waits would be 0 at any hour.
func plotWaitTime(r *result.Result) chart.Plot {
	first, repeat := &r.Summary.WaitFirst, &r.Summary.WaitRepeat
	p := chart.Plot{
		Name:   "wait-time",
		Title:  "No player was matched, so there are no waits",
		Note:   "searches that find a match: time from their start to the start of the match; above: by the quarter of an hour in which the match starts",
		Height: 706,
		Key:    percentileKey(),
	}
	switch {
	case first.Count > 0 && repeat.Count > 0:
		p.Title = fmt.Sprintf("A first search takes %s on average (99 %% within %s), a search after a match %s",
			words.Seconds(first.Mean), words.Seconds(first.P99), words.Seconds(repeat.Mean))
	case first.Count > 0:
		p.Title = fmt.Sprintf("A search takes %s on average (99 %% within %s)", words.Seconds(first.Mean), words.Seconds(first.P99))
	case repeat.Count > 0:
		p.Title = fmt.Sprintf("A search after a match takes %s on average (99 %% within %s)", words.Seconds(repeat.Mean), words.Seconds(repeat.P99))
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		percentilePanel(s, r, top+32, top+292, chart.PlotRight, "wait of first searches in seconds", first.Count, [3]func(*result.Window) float64{
			func(w *result.Window) float64 { return float64(w.WaitFirstP50) },
			func(w *result.Window) float64 { return float64(w.WaitFirstP90) },
			func(w *result.Window) float64 { return float64(w.WaitFirstP99) },
		})
		waitShares(s, r, top+402, p.Height-42)
	}
	return p
}

// shortestWait is the start of the axis of waits. Shorter waits are drawn at the start.
const shortestWait = 0.1 // s

// waitShares draws the cumulative distribution of waits.
func waitShares(s *chart.Canvas, r *result.Result, top, bottom float64) {
	longest := highest([]float64{10, float64(r.Summary.Wait.Max)})
	p := chart.NewPanel(s, top, bottom, chart.PlotRight, shortestWait, longest, 1)
	p.X.Log = true
	p.Head("share of matched players who wait at most")
	curves := []struct {
		measure result.Measure
		name    string
		colour  color.RGBA
	}{{result.MeasureWaitRepeat, "searches after a match", chart.Sky}, {result.MeasureWaitFirst, "first searches", chart.Ink}}
	if r.Summary.Wait.Count > 0 {
		p.YAxis(chart.PercentTicks())
	} else {
		p.Empty(noPlayers)
	}
	x := chart.PlotLeft + chart.HeadFace.Width("share of matched players who wait at most")
	for _, c := range curves {
		xs, ys := cumulative(r.Distribution(c.measure), shortestWait)
		if len(xs) == 0 {
			continue
		}
		p.Curve(c.colour, 1.8, xs, ys)
		s.Line(c.colour, 2.5, x, top-chart.HeadHeight-4, x+18, top-chart.HeadHeight-4)
		s.Text(chart.TextFace, chart.Ink, x+23, top-chart.HeadHeight, chart.ToRight, c.name)
		x += 23 + chart.TextFace.Width(c.name) + 22
	}
	p.XAxis(logTicks(shortestWait, longest, " s"))
}

// cumulative returns the upper edges of the bins, and for each edge the share of players at or
// below it. It omits edges below low.
func cumulative(d result.Distribution, low float64) (xs, ys []float64) {
	total := 0
	for _, b := range d.Bins {
		total += b.Players
	}
	if total == 0 {
		return nil, nil
	}
	below := 0
	for i, b := range d.Bins {
		below += b.Players
		last := i == len(d.Bins)-1
		if b.To < low && !last {
			continue
		}
		// Skip points that are too close to be distinguished.
		if n := len(xs); n > 0 && b.To < xs[n-1]*1.01 && !last {
			continue
		}
		xs, ys = append(xs, max(b.To, low)), append(ys, float64(below)/float64(total))
	}
	return xs, ys
}
