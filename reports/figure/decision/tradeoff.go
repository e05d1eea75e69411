package decision

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// TradeOff is the name of the picture that shows two metrics of a sweep against each other.
const TradeOff = "trade-off"

// tradeOffPlot shows two metrics against each other, with a point for each combination. The
// combinations that no other combination beats, the front, are named.
func tradeOffPlot(s *judge.Sweep, t *judge.SweepTable, x, y int) chart.Plot {
	front := t.Front(x, y)
	return chart.Plot{
		Name:  TradeOff,
		Title: fmt.Sprintf("%s against %s: no other combination beats %d of %s", t.Metrics[x], t.Metrics[y], len(front), words.Plural(len(s.Points), "combination")),
		Note: fmt.Sprintf("every point is a combination%s, with a name on the front; %s and %s are better%s",
			judge.IfSeveral(s, " with its 95 % intervals"), betterSide(t.Metrics[x]), betterSide(t.Metrics[y]), judge.IfSeveral(s, "; chance differences do not count")),
		Height: 520,
		Key:    []chart.KeyEntry{{Text: "front", Colour: chart.Green}, {Text: "beaten", Colour: chart.Rule}},
		Draw: func(canvas *chart.Canvas, top float64) {
			p := scatter(canvas, top+30, 520-52, intervalAxis(t, x), intervalAxis(t, y))
			at := make([]chart.Point, len(s.Points))
			if len(s.Points) <= crossesMost {
				drawIntervals(p, t.Estimates[x], t.Estimates[y])
			}
			for i := range s.Points {
				at[i] = chart.Point{X: p.X.At(t.Estimates[x][i].Mean), Y: p.Y.At(t.Estimates[y][i].Mean)}
				if !slices.Contains(front, i) && !math.IsNaN(at[i].X) && !math.IsNaN(at[i].Y) {
					p.Circles(chart.Rule, []chart.Circle{{Point: at[i], Radius: 3}})
				}
			}
			for _, i := range front {
				p.Circles(chart.Green, []chart.Circle{{Point: at[i], Radius: 4.5}})
			}
			labels := labelsIn(p, at)
			for _, i := range front {
				namePoint(p, labels, at[i], strings.Join(s.Points[i].Values, ", "), true)
			}
		},
	}
}

// crossesMost is the largest number of combinations whose intervals are drawn. More would hide the
// points.
const crossesMost = 40

// intervalAxis returns the axis of a metric for points with their intervals. With more than
// crossesMost points, the intervals are not drawn and do not extend the axis.
func intervalAxis(t *judge.SweepTable, metric int) axis {
	a := sweepAxis(t, metric)
	if len(a.values) > crossesMost {
		return a
	}
	for _, e := range t.Estimates[metric] {
		a.values = append(a.values, e.Low, e.High)
	}
	return a
}

// drawIntervals draws the intervals of every point in both directions. Without them, points whose
// difference chance may explain would look far apart.
func drawIntervals(p chart.Panel, xs, ys []judge.Estimate) {
	for i := range xs {
		x, y := p.X.At(xs[i].Mean), p.Y.At(ys[i].Mean)
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		if !math.IsNaN(xs[i].Low) {
			p.Line(chart.Rule, 0.8, p.X.At(xs[i].Low), y, p.X.At(xs[i].High), y)
		}
		if !math.IsNaN(ys[i].Low) {
			p.Line(chart.Rule, 0.8, x, p.Y.At(ys[i].Low), x, p.Y.At(ys[i].High))
		}
	}
}

// betterSide says which direction of a metric is better.
func betterSide(metric string) string {
	if outcome.BetterOf(metric) == outcome.BetterHigher {
		return "a higher " + metric
	}
	return "a lower " + metric
}

// sweepAxis returns the axis of a metric, with its mean at every point of the sweep.
func sweepAxis(t *judge.SweepTable, metric int) axis {
	a := axis{name: t.Metrics[metric], unit: t.Units[metric]}
	for _, e := range t.Estimates[metric] {
		a.values = append(a.values, e.Mean)
	}
	return a
}
