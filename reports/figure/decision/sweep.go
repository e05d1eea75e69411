package decision

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/words"
)

// Sweep returns the pictures of a sweep: curves if one setting varies, heat maps if two do, and
// the trade-off between the first two metrics. A metric that is the same everywhere has no picture,
// because the page's table says as much.
func Sweep(s *judge.Sweep) []chart.Plot {
	t := s.Table()
	var plots []chart.Plot
	switch varied := variedSettings(s); len(varied) {
	case 1:
		plots = append(plots, curvesPlots(s, t, varied[0])...)
	case 2:
		for m := range t.Metrics {
			if varies(t, m) {
				plots = append(plots, heatMap(s, t, m, varied[0], varied[1]))
			}
		}
	}
	if x, y, ok := t.TradeOff(); ok && len(s.Points) > 2 {
		plots = append(plots, tradeOffPlot(s, t, x, y))
	}
	return plots
}

// variedSettings returns the settings that have more than one value.
func variedSettings(s *judge.Sweep) []int {
	var list []int
	for i := range s.Settings {
		if len(settingValues(s, i)) > 1 {
			list = append(list, i)
		}
	}
	return list
}

// settingValues returns the distinct values of a setting in the order of the sweep's points.
func settingValues(s *judge.Sweep, setting int) []string {
	var list []string
	for _, point := range s.Points {
		if !slices.Contains(list, point.Values[setting]) {
			list = append(list, point.Values[setting])
		}
	}
	return list
}

// positions returns where values are on an axis. If the values are ascending numbers or durations,
// each is at its own value. Otherwise they are at 0, 1, 2 and so on.
func positions(values []string) []float64 {
	xs, ascending := make([]float64, len(values)), true
	for i, text := range values {
		x, err := strconv.ParseFloat(text, 64)
		if d, notDuration := time.ParseDuration(text); err != nil && notDuration == nil {
			x, err = d.Seconds(), nil
		}
		xs[i] = x
		ascending = ascending && err == nil && (i == 0 || x > xs[i-1])
	}
	if !ascending {
		for i := range xs {
			xs[i] = float64(i)
		}
	}
	return xs
}

const curveHeight = 170

// varies reports whether the values of a metric differ.
func varies(t *judge.SweepTable, metric int) bool {
	first := t.Estimates[metric][0].Mean
	return slices.ContainsFunc(t.Estimates[metric], func(e judge.Estimate) bool { return e.Mean != first }) // true for NaN
}

// curvesPlots returns a picture of the mean of every metric over one setting, with its 95 % interval.
func curvesPlots(s *judge.Sweep, t *judge.SweepTable, setting int) []chart.Plot {
	var metrics []int
	for m := range t.Metrics {
		if varies(t, m) {
			metrics = append(metrics, m)
		}
	}
	if len(metrics) == 0 {
		return nil
	}
	values := settingValues(s, setting)
	xs := positions(values)
	return []chart.Plot{{
		Name:   "curves",
		Title:  phrase.Upper(extremesTitle(s, t, metrics[0], setting)),
		Note:   fmt.Sprintf("by %s (%s): mean of %s at each value%s%s", phrase.Setting(s.Settings[setting]), words.Printable(s.Settings[setting]), words.Plural(len(s.Points[0].Runs), "run"), phrase.IfSeveral(s, ", with its 95 % interval"), hollowNote(t, t.EveryPoint())),
		Height: chart.HeadingHeight + float64(curveHeight*float64(len(metrics))) + chart.Margin,
		Draw: func(canvas *chart.Canvas, top float64) {
			for i, m := range metrics {
				y := top + float64(curveHeight*float64(i))
				drawCurve(canvas, y+26, y+curveHeight-34, t, m, xs, values)
			}
		},
	}}
}

// hollowNote says why the points of some choices are hollow. It returns "" if none is.
func hollowNote(all judge.Choices, shown []int) string {
	var says []string
	say := func(text string) {
		if !slices.Contains(says, text) {
			says = append(says, text)
		}
	}
	for _, i := range shown {
		for _, name := range all.BeyondGuard(i) {
			say(phrase.GuardMark(name))
		}
		if len(all.NotComparable(i)) > 0 {
			say("not every run has the metric")
		}
	}
	if len(says) == 0 {
		return ""
	}
	return "; hollow: " + strings.Join(says, ", or ")
}

// drawCurve draws the panel of one metric.
func drawCurve(s *chart.Canvas, top, bottom float64, t *judge.SweepTable, metric int, xs []float64, values []string) {
	var ys []float64
	unit, es := t.Units[metric], t.Estimates[metric]
	for _, e := range es {
		ys = append(ys, e.Mean, e.Low, e.High)
	}
	low, high := chart.Extent(ys)
	p := chart.Panel{Canvas: s, X: chart.Scale{Min: xs[0], Max: xs[len(xs)-1], Lo: chart.PlotLeft + 10, Hi: chart.PlotRight - 10}, Y: chart.Scale{Lo: bottom, Hi: top}}
	p.Head(inUnit(t.Metrics[metric], unit))
	if low > high {
		p.Empty("no player to describe")
		return
	}
	if low == high {
		low, high = low-math.Abs(low)/10-1e-9, high+math.Abs(high)/10+1e-9
	}
	p.Y.Min, p.Y.Max = low-(high-low)/10, high+(high-low)/10
	p.YAxis(ticksIn(unit, p.Y, 4))
	var ticks []chart.Tick
	means := make([]float64, len(es))
	for i, e := range es {
		ticks = append(ticks, chart.Tick{Value: xs[i], Label: values[i]})
		means[i] = e.Mean
		if x := p.X.At(xs[i]); !math.IsNaN(e.Low) {
			p.Line(chart.Sky, 3, x, p.Y.At(e.Low), x, p.Y.At(e.High))
		}
	}
	p.Curve(chart.Blue, 1.5, xs, means)
	for i, mean := range means {
		p.Dot(chart.Blue, 3.5, !t.Admits(metric, i), xs[i], mean, values[i])
	}
	p.XAxis(ticks)
}

// inUnit returns the name of a metric in words, followed by its unit.
func inUnit(metric string, u outcome.Unit) string { return phrase.Metric(metric) + unitIn(u) }

// unitIn returns a unit in brackets, or "" if the numbers have none.
func unitIn(u outcome.Unit) string {
	if sign := u.Sign(); sign != "" {
		return " (" + sign + ")"
	}
	return ""
}

// ticksIn returns about n ticks at round numbers in the unit.
func ticksIn(u outcome.Unit, a chart.Scale, n int) []chart.Tick {
	factor := 1.0
	if u == outcome.UnitShare {
		factor = 100
	}
	ticks := chart.TicksWithin(factor*a.Min, factor*a.Max, n)
	for i := range ticks {
		ticks[i].Value /= factor
	}
	return ticks
}
