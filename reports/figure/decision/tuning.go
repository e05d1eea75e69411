package decision

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/words"
)

// Tuning returns the picture of a search. It shows the progress if there is a single goal, and the
// trade-off between every two goals otherwise.
func Tuning(t *judge.Tuning) []chart.Plot {
	if len(t.Goals) == 1 {
		return []chart.Plot{progressPlot(t)}
	}
	return []chart.Plot{frontPlot(t)}
}

// frontHeight is the height of the panel of two goals.
const frontHeight = 440

// frontPlot shows every two goals against each other, with a point for each trial.
func frontPlot(t *judge.Tuning) chart.Plot {
	var pairs [][2]int
	for y := range t.Goals {
		for x := range y {
			pairs = append(pairs, [2]int{x, y})
		}
	}
	title := strings.TrimSuffix(judge.TuningConclusion(t), ".")
	if len(t.Goals) > 2 { // the ranges of three goals do not fit
		title, _, _ = strings.Cut(title, ":")
	}
	return chart.Plot{
		Name:   "front",
		Title:  title,
		Note:   "every point is a choice of settings over the whole day; those on the front have their trial numbers",
		Height: chart.HeadingHeight + frontHeight*float64(len(pairs)) + chart.Margin,
		Key:    trialsKey(t, chart.KeyEntry{Text: "front", Colour: chart.Green}, chart.KeyEntry{Text: "beaten", Colour: chart.Sky}),
		Draw: func(canvas *chart.Canvas, top float64) {
			for i, pair := range pairs {
				y := top + frontHeight*float64(i)
				drawFrontPair(t, canvas, y+26, y+frontHeight-52, pair[0], pair[1])
			}
		},
	}
}

// trialsKey returns the legend of trials. It has an entry for trials that break a constraint if
// there are constraints.
func trialsKey(t *judge.Tuning, kinds ...chart.KeyEntry) []chart.KeyEntry {
	key := append([]chart.KeyEntry{{Text: "initial settings", Colour: chart.Red}}, kinds...)
	if len(t.Bounds) > 0 {
		key = append(key, chart.KeyEntry{Text: "breaks a constraint", Colour: chart.Rule})
	}
	return key
}

// drawFrontPair draws two goals against each other.
func drawFrontPair(t *judge.Tuning, s *chart.Canvas, top, bottom float64, x, y int) {
	trials := append([]int{0}, judge.WholeTrials(t)...)
	p := scatter(s, top, bottom, tuningAxis(t, trials, x), tuningAxis(t, trials, y))
	at := func(i int) chart.Point {
		return chart.Point{X: p.X.At(t.Trials[i].Figures[x]), Y: p.Y.At(t.Trials[i].Figures[y])}
	}
	for _, i := range trials[1:] {
		colour := chart.Sky
		if t.Trials[i].Violation > 0 {
			colour = chart.Rule
		}
		p.Circles(colour, []chart.Circle{{Point: at(i), Radius: 3}})
	}
	for _, i := range t.Front {
		p.Circles(chart.Green, []chart.Circle{{Point: at(i), Radius: 4.5}})
	}
	if before := at(0); !math.IsNaN(before.X) && !math.IsNaN(before.Y) {
		p.Circles(chart.Red, []chart.Circle{{Point: before, Radius: 4.5}})
	}
	points := make([]chart.Point, 0, len(trials))
	for _, i := range trials {
		points = append(points, at(i))
	}
	// Place the best trial's name first, because a name is omitted if earlier names leave no room
	// for it.
	named := slices.Clone(t.Front)
	if best := slices.Index(named, t.Best); best > 0 {
		named[0], named[best] = named[best], named[0]
	}
	labels := labelsIn(p, points)
	for _, i := range named {
		namePoint(p, labels, at(i), strconv.Itoa(i), false)
	}
}

// tuningAxis returns one metric of the trials. figure is the index of the metric.
func tuningAxis(t *judge.Tuning, trials []int, figure int) axis {
	a := axis{name: t.Names[figure], unit: t.Units[figure]}
	for _, i := range trials {
		a.values = append(a.values, t.Trials[i].Figures[figure])
	}
	return a
}

// progressPlot plots a tuning with a single goal: the value of the goal in each trial, and the best
// value so far.
func progressPlot(t *judge.Tuning) chart.Plot {
	return chart.Plot{
		Name:   "progress",
		Title:  strings.TrimSuffix(judge.TuningConclusion(t), "."),
		Note:   fmt.Sprintf("every point is one of %s over the whole day", words.Plural(len(judge.WholeTrials(t)), "trial")),
		Height: frontHeight,
		Key:    trialsKey(t, chart.KeyEntry{Text: "best so far", Colour: chart.Green}, chart.KeyEntry{Text: "trial", Colour: chart.Sky}),
		Draw: func(canvas *chart.Canvas, top float64) {
			p := chart.Panel{Canvas: canvas, X: chart.Scale{Lo: chart.PlotLeft, Hi: chart.PlotRight}, Y: chart.Scale{Lo: frontHeight - 52, Hi: top + 26}}
			drawProgress(t, p)
		},
	}
}

func drawProgress(t *judge.Tuning, p chart.Panel) {
	trials := judge.WholeTrials(t)
	goal := tuningAxis(t, append([]int{0}, trials...), 0)
	p.Y.Min, p.Y.Max = goal.reach()
	p.Head(inUnit(goal.name, goal.unit))
	p.YAxis(ticksIn(goal.unit, p.Y, 6))
	// Trials over a part of the day come before whole trials and have no points, so the axis
	// starts at the first whole trial.
	first, last := 1, 1
	if len(trials) > 0 {
		first, last = trials[0], trials[len(trials)-1]
	}
	p.X.Min, p.X.Max = float64(first)-0.5, float64(last)+0.5
	p.XAxis(chart.TicksWithin(p.X.Min, p.X.Max, min(8, last-first+1)))
	p.Text(chart.HeadFace, chart.Ink, p.X.Hi, p.Y.Lo+34, chart.ToLeft, "trial")
	before := t.Trials[0].Figures[0]
	if !math.IsNaN(before) {
		p.Line(chart.Red, 1, p.X.Lo, p.Y.At(before), p.X.Hi, p.Y.At(before), 5, 4)
	}
	best := math.NaN()
	var xs, ys []float64
	for _, i := range trials {
		x := t.Trials[i].Figures[0]
		colour := chart.Sky
		if t.Trials[i].Violation > 0 {
			colour = chart.Rule
		} else if math.IsNaN(best) || (x < best) != t.Goals[0].Maximise {
			xs, ys = append(xs, float64(i)), append(ys, best)
			best = x
			xs, ys = append(xs, float64(i)), append(ys, best)
		}
		p.Circles(colour, []chart.Circle{{Point: chart.Point{X: p.X.At(float64(i)), Y: p.Y.At(x)}, Radius: 3}})
	}
	xs, ys = append(xs, p.X.Max), append(ys, best)
	p.Curve(chart.Green, 2, xs, ys)
}
