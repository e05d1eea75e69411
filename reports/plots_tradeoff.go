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
		Note:  "every point is one combination; those on the front are named", height: 520,
		key: []keyEntry{{text: "front", colour: green}, {text: "beaten in both", colour: rule}},
		draw: func(sheet *sheet, top float64) {
			p := panel{sheet, scale{lo: plotLeft, hi: plotRight - 60}, scale{lo: 520 - 52, hi: top + 30}}
			p.x.min, p.x.max = t.reach(x)
			p.y.min, p.y.max = t.reach(y)
			p.head(inUnit(t.metrics[y], t.units[y]))
			p.yAxis(t.units[y].ticks(p.y, 6))
			for _, mark := range t.units[x].ticks(p.x, 8) {
				p.line(grid, 1, p.x.at(mark.value), p.y.lo, p.x.at(mark.value), p.y.hi)
			}
			p.xAxis(t.units[x].ticks(p.x, 8))
			p.text(headFace, ink, p.x.hi, p.y.lo+34, toLeft, inUnit(t.metrics[x], t.units[x]))
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

// reach is the range of the means of a metric, with some room.
func (t *sweepTable) reach(metric int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, e := range t.estimates[metric] {
		if !math.IsNaN(e.mean) {
			low, high = min(low, e.mean), max(high, e.mean)
		}
	}
	if math.IsInf(low, 0) {
		return 0, 1
	}
	room := (high-low)/20 + math.Abs(high)*1e-6 + 1e-9
	return low - room, high + room
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
