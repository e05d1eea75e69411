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

// TradeOff is the name of the picture of two metrics of a sweep.
const TradeOff = "trade-off"

// tradeOffPlot shows two metrics against each other, a point for each combination. The
// combinations that no other one beats in both are the front, and are named.
func tradeOffPlot(s *judge.Sweep, t *judge.SweepTable, x, y int) chart.Plot {
	front := sweepFront(t, x, y)
	return chart.Plot{
		Name:  TradeOff,
		Title: fmt.Sprintf("%s against %s: %d of %s are beaten by no other in both", t.Metrics[x], t.Metrics[y], len(front), words.Plural(len(s.Points), "combination")),
		Note: fmt.Sprintf("every point is one combination; those on the front are named; better is %s and %s",
			betterSide(t.Metrics[x]), betterSide(t.Metrics[y])),
		Height: 520,
		Key:    []chart.KeyEntry{{Text: "front", Colour: chart.Green}, {Text: "beaten in both", Colour: chart.Rule}},
		Draw: func(sheet *chart.Canvas, top float64) {
			p := scatter(sheet, top+30, 520-52, sweepAxis(t, x), sweepAxis(t, y))
			for i := range s.Points {
				at := chart.Point{X: p.X.At(t.Estimates[x][i].Mean), Y: p.Y.At(t.Estimates[y][i].Mean)}
				if math.IsNaN(at.X) || math.IsNaN(at.Y) {
					continue
				}
				if !slices.Contains(front, i) {
					p.Circles(chart.Rule, []chart.Circle{{Point: at, Radius: 3}})
					continue
				}
				p.Circles(chart.Green, []chart.Circle{{Point: at, Radius: 4.5}})
				p.Text(chart.TinyFace, chart.Ink, at.X+7, at.Y+3, chart.ToRight, strings.Join(s.Points[i].Values, ", "))
			}
		},
	}
}

// betterSide says which direction of a metric is better.
func betterSide(metric string) string {
	if outcome.BetterOf(metric) == outcome.BetterHigher {
		return "a higher " + metric
	}
	return "a lower " + metric
}

// sweepAxis returns the means of a metric.
func sweepAxis(t *judge.SweepTable, metric int) axis {
	a := axis{name: t.Metrics[metric], unit: t.Units[metric]}
	for _, e := range t.Estimates[metric] {
		a.values = append(a.values, e.Mean)
	}
	return a
}

// sweepFront lists the points that no other point beats in both metrics: as good in each,
// and better in one. A metric without a direction counts as better when it is lower.
func sweepFront(t *judge.SweepTable, x, y int) []int {
	cost := func(metric, point int) float64 {
		if outcome.BetterOf(t.Metrics[metric]) == outcome.BetterHigher {
			return -t.Estimates[metric][point].Mean
		}
		return t.Estimates[metric][point].Mean
	}
	var front []int
	for i := range t.Estimates[x] {
		beaten := math.IsNaN(cost(x, i)) || math.IsNaN(cost(y, i))
		for j := range t.Estimates[x] {
			beaten = beaten || cost(x, j) <= cost(x, i) && cost(y, j) <= cost(y, i) && (cost(x, j) < cost(x, i) || cost(y, j) < cost(y, i))
		}
		if !beaten {
			front = append(front, i)
		}
	}
	return front
}
