package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// tradeOff shows two metrics against each other, a point for each combination. Those
// that no other one beats in both are the front, and are named.
func (s *Sweep) tradeOff(t *sweepTable, x, y int) Plot {
	front := t.front(x, y)
	return Plot{
		Name:  "trade-off",
		Title: fmt.Sprintf("%s against %s: %d of %s are beaten by no other in both", t.metrics[x], t.metrics[y], len(front), plural(len(s.Points), "combination")),
		Note: fmt.Sprintf("every point is one combination; those on the front are named; better is %s and %s",
			betterSide(t.metrics[x]), betterSide(t.metrics[y])),
		height: 520,
		key:    []keyEntry{{text: "front", colour: green}, {text: "beaten in both", colour: rule}},
		draw: func(sheet *sheet, top float64) {
			p := scatter(sheet, top+30, 520-52, t.axis(x), t.axis(y))
			for i := range s.Points {
				at := point{p.x.at(t.estimates[x][i].mean), p.y.at(t.estimates[y][i].mean)}
				if math.IsNaN(at.x) || math.IsNaN(at.y) {
					continue
				}
				if !slices.Contains(front, i) {
					p.discs(rule, []disc{{at, 3}})
					continue
				}
				p.discs(green, []disc{{at, 4.5}})
				p.text(tinyFace, ink, at.x+7, at.y+3, toRight, strings.Join(s.Points[i].Values, ", "))
			}
		},
	}
}

// betterSide says on which side of a metric the front lies.
func betterSide(metric string) string {
	if BetterOf(metric) == BetterHigher {
		return "a higher " + metric
	}
	return "a lower " + metric
}

// axis has the means of a metric.
func (t *sweepTable) axis(metric int) axis {
	a := axis{name: t.metrics[metric], unit: t.units[metric]}
	for _, e := range t.estimates[metric] {
		a.values = append(a.values, e.mean)
	}
	return a
}

// front lists the points that no other point beats in both metrics: as good in each,
// and better in one. A metric without a direction counts as better when it is lower.
func (t *sweepTable) front(x, y int) []int {
	cost := func(metric, point int) float64 {
		if BetterOf(t.metrics[metric]) == BetterHigher {
			return -t.estimates[metric][point].mean
		}
		return t.estimates[metric][point].mean
	}
	var front []int
	for i := range t.estimates[x] {
		beaten := math.IsNaN(cost(x, i)) || math.IsNaN(cost(y, i))
		for j := range t.estimates[x] {
			beaten = beaten || cost(x, j) <= cost(x, i) && cost(y, j) <= cost(y, i) && (cost(x, j) < cost(x, i) || cost(y, j) < cost(y, i))
		}
		if !beaten {
			front = append(front, i)
		}
	}
	return front
}
