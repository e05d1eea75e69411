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
			phrase.IfSeveral(s, " with its 95 % intervals"), betterSide(t.Metrics[x]), betterSide(t.Metrics[y]), phrase.IfSeveral(s, "; chance differences do not count"), hollowNote(t, t.EveryPoint())),
		Height: 520,
		Key:    []chart.KeyEntry{{Text: "front", Colour: chart.Green}, {Text: "beaten", Colour: chart.Rule}},
		Draw: func(canvas *chart.Canvas, top float64) {
			var spots, others, best []spot
			for i := range s.Points {
				of := spot{x: t.Estimates[x][i], y: t.Estimates[y][i], colour: chart.Rule, name: strings.Join(s.Points[i].Values, ", ")}
				isFront := slices.Contains(front, i)
				if cross := of; isFront || len(s.Points) <= crossesMost {
					cross.cross = true
					spots = append(spots, cross)
				}
				of.radius = 3
				switch {
				case isFront:
					of.colour, of.radius = chart.Green, 4.5
					best = append(best, of)
					continue
				case !t.Admits(x, i) || !t.Admits(y, i):
					of.radius, of.hollow = 3.5, true
				}
				others = append(others, of)
			}
			spots = append(spots, others...) // on top of the intervals
			var tags []tag
			for i := range best {
				tags = append(tags, tag{len(spots) + i, best[i].name, true})
			}
			scatter(canvas, top+30, 520-52, metricAxis(&t.Measures, x), metricAxis(&t.Measures, y), append(spots, best...), tags, nil)
		},
	}
}

// tradeOffTitle says how many combinations are on the front, if the runs show that any of them beats
// another.
func tradeOffTitle(s *judge.Sweep, t *judge.SweepTable, x, y int, front []int) string {
	text := fmt.Sprintf("%s against %s: ", phrase.Upper(phrase.Metric(t.Metrics[x])), phrase.Metric(t.Metrics[y]))
	of := fmt.Sprintf("%d of %s", len(front), words.Plural(len(s.Points), "combination"))
	switch admitted := len(t.Admitted(x, y)); {
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

// betterSide says which direction of a metric is better.
func betterSide(metric string) string {
	if outcome.BetterOf(metric) == outcome.BetterHigher {
		return "a higher " + phrase.Metric(metric)
	}
	return "a lower " + phrase.Metric(metric)
}

// metricAxis returns the axis of a metric, which is an index.
func metricAxis(t *judge.Measures, metric int) axis {
	return axis{name: inUnit(t.Metrics[metric], t.Units[metric]), unit: t.Units[metric]}
}
