package decision

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
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
		Title: tradeOffTitle(s, t, x, y, front),
		Note: fmt.Sprintf("every point is a combination%s, with a name on the front; %s and %s are better%s%s",
			phrase.IfSeveral(s, " with its 95 % intervals"), betterSide(t.Metrics[x]), betterSide(t.Metrics[y]), phrase.IfSeveral(s, "; chance differences do not count"), hollowNote(t)),
		Height: 520,
		Key:    []chart.KeyEntry{{Text: "front", Colour: chart.Green}, {Text: "beaten", Colour: chart.Rule}},
		Draw: func(canvas *chart.Canvas, top float64) {
			p := scatter(canvas, top+30, 520-52, intervalAxis(t, x, front), intervalAxis(t, y, front), nil)
			at := make([]chart.Point, len(s.Points))
			for i := range s.Points {
				if len(s.Points) <= crossesMost || slices.Contains(front, i) {
					drawCross(p, chart.Rule, &t.Estimates[x][i], &t.Estimates[y][i])
				}
			}
			for i := range s.Points {
				meanX, meanY := t.Estimates[x][i].Mean, t.Estimates[y][i].Mean
				at[i] = chart.Point{X: p.X.At(meanX), Y: p.Y.At(meanY)}
				switch name := strings.Join(s.Points[i].Values, ", "); {
				case slices.Contains(front, i):
				case t.Admits(x, i) && t.Admits(y, i):
					p.Dot(chart.Rule, 3, false, meanX, meanY, name)
				default:
					p.Dot(chart.Rule, 3.5, true, meanX, meanY, name)
				}
			}
			for _, i := range front {
				p.Dot(chart.Green, 4.5, false, t.Estimates[x][i].Mean, t.Estimates[y][i].Mean, strings.Join(s.Points[i].Values, ", "))
			}
			labels := labelsIn(p, at)
			for _, i := range front {
				namePoint(p, labels, at[i], strings.Join(s.Points[i].Values, ", "), true)
			}
		},
	}
}

// tradeOffTitle says how many combinations are on the front, if the runs show that any of them beats
// another.
func tradeOffTitle(s *judge.Sweep, t *judge.SweepTable, x, y int, front []int) string {
	text := fmt.Sprintf("%s against %s: ", phrase.Upper(phrase.Metric(t.Metrics[x])), phrase.Metric(t.Metrics[y]))
	of := fmt.Sprintf("%d of %s", len(front), words.Plural(len(s.Points), "combination"))
	switch admitted := t.Admitted(x, y); {
	case admitted == 0:
		return text + "no combination can be the best"
	case len(s.Points[0].Runs) < 2:
		return text + of + " on the front, but one run of each cannot tell this from chance"
	case len(front) == admitted && admitted > 1:
		return text + "no combination is shown to beat another"
	}
	return text + of + " on the front"
}

// crossesMost is the largest number of combinations whose intervals are drawn. With more, only those
// on the front have them, because the others would hide the points.
const crossesMost = 40

// intervalAxis returns the axis of a metric for points with their intervals. With more than
// crossesMost points, only some intervals are drawn, and they do not extend the axis unless they
// belong to the front.
func intervalAxis(t *judge.SweepTable, metric int, front []int) axis {
	a := sweepAxis(t, metric)
	for i, e := range t.Estimates[metric] {
		if len(t.Estimates[metric]) <= crossesMost || slices.Contains(front, i) {
			a.values = append(a.values, e.Low, e.High)
		}
	}
	return a
}

// betterSide says which direction of a metric is better.
func betterSide(metric string) string {
	if outcome.BetterOf(metric) == outcome.BetterHigher {
		return "a higher " + phrase.Metric(metric)
	}
	return "a lower " + phrase.Metric(metric)
}

// sweepAxis returns the axis of a metric, with its mean at every point of the sweep.
func sweepAxis(t *judge.SweepTable, metric int) axis {
	a := axis{name: inUnit(t.Metrics[metric], t.Units[metric]), unit: t.Units[metric]}
	for _, e := range t.Estimates[metric] {
		a.values = append(a.values, e.Mean)
	}
	return a
}
