package decision

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/words"
)

// Layout of a heat map.
const (
	heatRow  = 26
	heatLeft = 150
)

// heatMap shows one metric over two settings. The setting down varies from top to bottom, and the
// setting right from left to right. plotter.HeatMap cannot write numbers into the cells, and
// without numbers colours are hard to compare.
func heatMap(s *judge.Sweep, t *judge.SweepTable, metric, down, right int) chart.Plot {
	rows, columns := settingValues(s, down), settingValues(s, right)
	name, unit := t.Metrics[metric], t.Units[metric]
	return chart.Plot{
		Name:   "heat-" + strings.ReplaceAll(name, ".", "-"),
		Title:  phrase.Upper(extremesTitle(s, t, metric, down, right)),
		Note:   fmt.Sprintf("%s: mean of %s each, darker is higher; rows: %s, columns: %s%s", words.Printable(name)+unitIn(unit), words.Plural(len(s.Points[0].Runs), "run"), phrase.Setting(s.Settings[down]), phrase.Setting(s.Settings[right]), hollowNote(t, t.EveryPoint())),
		Height: chart.HeadingHeight + 40 + float64(heatRow*float64(len(rows))) + chart.Margin,
		Draw: func(canvas *chart.Canvas, top float64) {
			low, high := admittedExtent(t, metric)
			width := (chart.PlotRight - heatLeft) / float64(len(columns))
			var cells []chart.Cell
			for j, value := range columns {
				canvas.Text(chart.SmallFace, chart.Muted, heatLeft+float64(width*(float64(j)+0.5)), top+20, chart.Centred, chart.SmallFace.Shorten(value, width-4))
			}
			for i, value := range rows {
				canvas.Text(chart.SmallFace, chart.Muted, heatLeft-8, top+28+float64(heatRow*(float64(i)+0.65)), chart.ToLeft, chart.SmallFace.Shorten(value, heatLeft-chart.Margin))
			}
			for i, point := range s.Points {
				row, column := slices.Index(rows, point.Values[down]), slices.Index(columns, point.Values[right])
				e := &t.Estimates[metric][i]
				x, y := heatLeft+float64(width*float64(column)), top+28+float64(heatRow*float64(row))
				cells = append(cells, chart.Cell{Box: chart.Box{X0: x, Y0: y, X1: x + width, Y1: y + heatRow}, Texts: heatTexts(s, t, metric, i)})
				if !t.Admits(metric, i) {
					hollowCell(canvas, e, unit, x+1, y+1, x+width-1, y+heatRow-1)
					continue
				}
				share := outcome.Ratio(e.Mean-low, high-low)
				fill, textColour := heat(share)
				canvas.Rectangle(fill, x+1, y+1, x+width-1, y+heatRow-1)
				label := words.Number(unit, e.Mean, phrase.ThreeDigits(unit, high, high-low), false)
				canvas.Text(chart.SmallFace, textColour, x+width/2, y+heatRow*0.65, chart.Centred, chart.SmallFace.Shorten(label, width-4))
			}
			canvas.Cells(phrase.Metric(name), []string{"", "mean", "95 % interval", "mark"}, cells)
		},
	}
}

// heatTexts returns what a page shows at the pointer: the combination, its mean and interval, and why it
// cannot be the best.
func heatTexts(s *judge.Sweep, t *judge.SweepTable, metric, point int) []string {
	e, unit := &t.Estimates[metric][point], t.Units[metric]
	mean, interval := words.RunsWith(e.Runs, e.Of), ""
	if e.Comparable() {
		mean = words.Quantity(unit, e.Mean, phrase.ThreeDigits(unit, e.Mean, 0), false)
	}
	if margin := (e.High - e.Low) / 2; margin > 0 {
		decimals := words.Decimals(unit, margin)
		interval = words.Number(unit, e.Low, decimals, false) + " to " + words.Quantity(unit, e.High, decimals, false)
	}
	return []string{phrase.Assignments(s.Settings, s.Points[point].Values), mean, interval, strings.Join(phrase.Marks(t, point), "; ")}
}

// admittedExtent returns the lowest and the highest mean of a metric among the combinations that
// could be the best. Others are not filled, so that they take no part in the scale of colours.
func admittedExtent(t *judge.SweepTable, metric int) (low, high float64) {
	return chart.Extent(words.Each(t.Admitted(metric), func(i int) float64 { return t.Estimates[metric][i].Mean }))
}

// hollowCell draws the cell of a combination that cannot be the best: with a frame instead of a
// colour.
func hollowCell(canvas *chart.Canvas, e *judge.Estimate, unit outcome.Unit, x0, y0, x1, y1 float64) {
	canvas.Polyline(chart.Rule, 1, []chart.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}, {X: x0, Y: y0}})
	label := words.RunsWith(e.Runs, e.Of)
	if e.Comparable() {
		label = words.Number(unit, e.Mean, phrase.ThreeDigits(unit, e.Mean, 0), false)
	}
	canvas.Text(chart.SmallFace, chart.Muted, (x0+x1)/2, y0-1+heatRow*0.65, chart.Centred, chart.SmallFace.Shorten(label, x1-x0-2))
}

// extremesTitle says between which values the metric is, and with which values of the varied settings, if
// the runs show a difference that matters.
func extremesTitle(s *judge.Sweep, t *judge.SweepTable, metric int, varied ...int) string {
	name, unit := phrase.Metric(t.Metrics[metric]), t.Units[metric]
	lowest, highest, d := t.Extremes(metric)
	if lowest < 0 {
		if t.Measured(metric) {
			return name + ": no combination can be the best"
		}
		return name + " has no value in any combination"
	}
	low, high := t.Estimates[metric][lowest].Mean, t.Estimates[metric][highest].Mean
	decimals := phrase.ThreeDigits(unit, high, high-low)
	says := func(i int, mean float64) string {
		var keys, values []string
		for _, setting := range varied {
			keys, values = append(keys, s.Settings[setting]), append(values, s.Points[i].Values[setting])
		}
		return words.Quantity(unit, mean, decimals, false) + " with " + phrase.Assignments(keys, values)
	}
	rest, among := "", ""
	admitted := len(t.Admitted(metric))
	if admitted < len(s.Points) {
		rest, among = " that is not hollow", "; hollow ones left out"
	}
	switch {
	case admitted == 1:
		return fmt.Sprintf("%s is %s, the only combination%s", name, says(lowest, low), rest)
	case d.Verdict.Shown():
		return fmt.Sprintf("%s is lowest, %s, highest, %s%s", name, says(lowest, low), says(highest, high), among)
	case d.Verdict == judge.VerdictEqual:
		return fmt.Sprintf("%s is %s in every combination%s", name, words.Quantity(unit, low, decimals, false), rest)
	}
	return phrase.NoClaim(name, d.Verdict)
}

// heat returns the colour of a cell, from pale to dark blue, and the colour of the number on it.
// share is 0 for the lowest value of the map and 1 for the highest.
func heat(share float64) (fill, textColour color.RGBA) {
	mixed := func(pale, dark uint8) uint8 {
		return uint8(math.Round(float64(pale) + float64(share*(float64(dark)-float64(pale)))))
	}
	pale, dark := chart.RGB(0xE3EEF7), chart.RGB(0x08457E)
	fill = color.RGBA{mixed(pale.R, dark.R), mixed(pale.G, dark.G), mixed(pale.B, dark.B), 0xFF}
	if share > 0.55 {
		return fill, lightText
	}
	return fill, darkText
}

// Colours of the numbers on cells. They differ slightly from chart.Paper and chart.Ink, so that a
// dark page, which replaces those two, does not replace them.
var lightText, darkText = chart.RGB(0xFDFEFF), chart.RGB(0x14202B)
