package figure

import (
	"fmt"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
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

// SharesPanel returns a panel for cumulative distributions. Most of its height is for the shares above
// 90 %, the players with the highest values. Without players it says so.
func SharesPanel(s *chart.Canvas, players outcome.Count, top, bottom, low, high float64, unit, head string, key ...chart.KeyEntry) chart.Panel {
	p := chart.NewPanel(s, top, bottom, chart.PlotRight, low, high, 1)
	p.X.Log, p.Y.Tail = true, true
	p.Head(head, key...)
	if players > 0 {
		p.YAxis(chart.TailTicks())
	} else {
		p.Empty(noPlayers)
	}
	p.XAxis(logTicks(low, high, unit))
	return p
}

// waitShares draws the cumulative distribution of waits.
func waitShares(s *chart.Canvas, r *result.Result, top, bottom float64) {
	longest := highest([]float64{10, float64(r.Summary.Wait.Max)})
	curves := []struct {
		measure result.Measure
		key     chart.KeyEntry
	}{
		{result.MeasureWaitRepeat, chart.KeyEntry{Text: "searches after a match", Colour: chart.Sky, Line: true}},
		{result.MeasureWaitFirst, chart.KeyEntry{Text: "first searches", Colour: chart.Ink, Line: true}},
	}
	var key []chart.KeyEntry
	for _, c := range curves {
		if len(r.Distribution(c.measure).Bins) > 0 {
			key = append(key, c.key)
		}
	}
	p := SharesPanel(s, r.Summary.Wait.Count, top, bottom, shortestWait, longest, " s", "share of matched players who wait at most", key...)
	for _, c := range curves {
		xs, ys := Cumulative(r.Distribution(c.measure), shortestWait)
		p.Steps(c.key.Colour, 1.8, xs, ys)
	}
}

// Cumulative returns the upper edges of the bins, and for each edge the share of players at or
// below it. It omits edges below low.
func Cumulative(d result.Distribution, low float64) (xs, ys []float64) {
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
