package figure

import (
	"image/color"
	"math"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// maxPoints limits the number of points in a curve. More than one for every two pixels would not
// be visible.
const maxPoints = 440

// overWindows returns the middle and the value of each window. Windows in which no player was
// matched, and windows whose value is NaN, are gaps.
func overWindows(r *result.Result, value func(*result.Window) float64) (xs, ys []float64) {
	xs, values := overQuarters(r, r.Windows, func(w *result.Window) float64 {
		if w.Matched == 0 {
			return math.NaN()
		}
		return value(w)
	})
	return xs, values[0]
}

// overQuarters returns in xs the middle of each quarter of an hour, and in ys[i] what values[i]
// returns for these rows. It repeats the first and the last point at the edges of the run, so that
// curves reach the edges.
func overQuarters[T any](r *result.Result, rows []T, values ...func(*T) float64) (xs []float64, ys [][]float64) {
	ys = make([][]float64, len(values))
	add := func(x float64, row *T) {
		xs = append(xs, x)
		for i, value := range values {
			ys[i] = append(ys[i], value(row))
		}
	}
	for i := range rows {
		from := float64(i * result.WindowLength)
		to := min(from+result.WindowLength, r.Span())
		if i == 0 {
			add(from, &rows[i])
		}
		add((from+to)/2, &rows[i])
		if i == len(rows)-1 {
			add(to, &rows[i])
		}
	}
	return xs, ys
}

// OverMinutes divides the minutes of a run into at most as many groups as points says, and averages
// value over each group. All groups have the same size, except that the last may be smaller.
// OverMinutes returns the middle and the mean of every group.
func OverMinutes(r *result.Result, points int, value func(*result.Minute) int) (xs, ys []float64) {
	per := (len(r.Series) + points - 1) / points
	for i := 0; i < len(r.Series); i += per {
		rows := r.Series[i:min(i+per, len(r.Series))]
		sum := 0
		for j := range rows {
			sum += value(&rows[j])
		}
		xs = append(xs, float64(rows[0].T+rows[len(rows)-1].T)/2)
		ys = append(ys, float64(sum)/float64(len(rows)))
	}
	return xs, ys
}

// dayPanel returns a panel for values through the day, with its heading and ticks.
func dayPanel(s *chart.Canvas, r *result.Result, top, bottom float64, head string, ticks []chart.Tick) chart.Panel {
	return chart.Ticked(s, top, bottom, chart.PlotRight, 0, r.Span(), head, ticks)
}

// highest returns the largest value, or 0 if no value is above 0.
func highest(lists ...[]float64) float64 {
	_, top := chart.Extent(lists...)
	return max(0, top)
}

// Names and colours of the percentile curves. They are the same in every picture.
var (
	percentileNames   = [3]string{"half of the players (p50)", "90 % (p90)", "99 % (p99)"}
	percentileColours = [3]color.RGBA{chart.Blue, chart.Orange, chart.Purple}
)

func percentileKey() []chart.KeyEntry {
	var key []chart.KeyEntry
	for i, name := range percentileNames {
		key = append(key, chart.KeyEntry{Text: name, Colour: percentileColours[i], Line: true})
	}
	return key
}

// noPlayers is written into a panel that has nothing to show.
const noPlayers = "no players to show"

// percentilePanel draws three percentiles through the day, or a note if there are no players.
func percentilePanel(s *chart.Canvas, r *result.Result, top, bottom, right float64, head string, players outcome.Count, values [3]func(*result.Window) float64) chart.Panel {
	var xs []float64
	var ys [3][]float64
	for k, value := range values {
		xs, ys[k] = overWindows(r, value)
	}
	ticks := chart.NiceTicks(highest(ys[:]...), 6)
	p := chart.NewPanel(s, top, bottom, right, 0, r.Span(), ticks[len(ticks)-1].Value)
	p.Head(head)
	if players > 0 {
		p.YAxis(ticks)
	} else {
		p.Empty(noPlayers)
	}
	p.TimeAxis()
	for k := len(ys) - 1; k >= 0; k-- { // draw p50 last, on top of the others
		p.Curve(percentileColours[k], 1.8, xs, ys[k])
	}
	return p
}
