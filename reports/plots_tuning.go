package reports

import (
	"fmt"
	"math"
	"strconv"

	"mmsim/reports/judge"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// PlotTuning writes the pictures of a search as PNG and SVG: of several goals how each
// two trade off, of one how it got better.
func PlotTuning(t *judge.Tuning, create result.Create) error {
	if len(t.Goals) == 1 {
		return writePlots([]Plot{progressPlot(t)}, create)
	}
	return writePlots([]Plot{frontPlot(t)}, create)
}

// frontHeight is the height of the picture of two goals.
const frontHeight = 440

// frontPlot shows every two goals against each other, a point for each trial.
func frontPlot(t *judge.Tuning) Plot {
	var pairs [][2]int
	for y := range t.Goals {
		for x := range y {
			pairs = append(pairs, [2]int{x, y})
		}
	}
	return Plot{
		Name:   "front",
		Title:  judge.TuningConclusion(t),
		Note:   "every point is one choice of settings over the whole day; those on the front are numbered as in trials.csv",
		height: headingHeight + frontHeight*float64(len(pairs)) + margin,
		key:    []keyEntry{{text: "before", colour: red}, {text: "front", colour: green}, {text: "beaten", colour: sky}, {text: "breaks a constraint", colour: rule}},
		draw: func(sheet *sheet, top float64) {
			for i, pair := range pairs {
				y := top + frontHeight*float64(i)
				drawFrontPair(t, sheet, y+26, y+frontHeight-52, pair[0], pair[1])
			}
		},
	}
}

// drawFrontPair draws two goals against each other.
func drawFrontPair(t *judge.Tuning, s *sheet, top, bottom float64, x, y int) {
	trials := append([]int{0}, judge.WholeTrials(t)...)
	p := scatter(s, top, bottom, tuningAxis(t, trials, x), tuningAxis(t, trials, y))
	at := func(i int) point { return point{p.x.at(t.Trials[i].Figures[x]), p.y.at(t.Trials[i].Figures[y])} }
	for _, i := range trials[1:] {
		colour := sky
		if t.Trials[i].Violation > 0 {
			colour = rule
		}
		p.discs(colour, []disc{{at(i), 3}})
	}
	named := point{math.Inf(-1), 0}
	for _, i := range t.Front {
		p.discs(green, []disc{{at(i), 4.5}})
		// A number that would touch the one before is left out; the best one is always there.
		if far := math.Hypot(at(i).x-named.x, 2*(at(i).y-named.y)); far > 26 || i == t.Best {
			named = at(i)
			p.text(tinyFace, ink, named.x+7, named.y+3, toRight, strconv.Itoa(i))
		}
	}
	if before := at(0); !math.IsNaN(before.x) && !math.IsNaN(before.y) {
		p.discs(red, []disc{{before, 4.5}})
	}
}

// tuningAxis has a figure of some trials.
func tuningAxis(t *judge.Tuning, trials []int, figure int) axis {
	a := axis{name: t.Names[figure], unit: t.Units[figure]}
	for _, i := range trials {
		a.values = append(a.values, t.Trials[i].Figures[figure])
	}
	return a
}

// progressPlot shows the only goal, trial after trial, and the best one so far.
func progressPlot(t *judge.Tuning) Plot {
	return Plot{
		Name:   "progress",
		Title:  judge.TuningConclusion(t),
		Note:   fmt.Sprintf("every point is one of %s over the whole day", words.Plural(len(judge.WholeTrials(t)), "trial")),
		height: frontHeight,
		key:    []keyEntry{{text: "before", colour: red}, {text: "best so far", colour: green}, {text: "trial", colour: sky}, {text: "breaks a constraint", colour: rule}},
		draw: func(sheet *sheet, top float64) {
			p := panel{sheet, scale{lo: plotLeft, hi: plotRight, max: float64(max(1, len(t.Trials)-1))}, scale{lo: frontHeight - 52, hi: top + 26}}
			drawProgress(t, p)
		},
	}
}

func drawProgress(t *judge.Tuning, p panel) {
	trials := judge.WholeTrials(t)
	goal := tuningAxis(t, append([]int{0}, trials...), 0)
	p.y.min, p.y.max = goal.reach()
	p.head(inUnit(goal.name, goal.unit))
	p.yAxis(ticksIn(goal.unit, p.y, 6))
	p.xAxis(ticksWithin(p.x.min, p.x.max, 8))
	p.text(headFace, ink, p.x.hi, p.y.lo+34, toLeft, "trial")
	before := t.Trials[0].Figures[0]
	if !math.IsNaN(before) {
		p.line(red, 1, p.x.lo, p.y.at(before), p.x.hi, p.y.at(before), 5, 4)
	}
	best := math.NaN()
	var xs, ys []float64
	for _, i := range trials {
		x := t.Trials[i].Figures[0]
		colour := sky
		if t.Trials[i].Violation > 0 {
			colour = rule
		} else if math.IsNaN(best) || (x < best) != t.Goals[0].Maximise {
			xs, ys = append(xs, float64(i)), append(ys, best)
			best = x
			xs, ys = append(xs, float64(i)), append(ys, best)
		}
		p.discs(colour, []disc{{point{p.x.at(float64(i)), p.y.at(x)}, 3}})
	}
	xs, ys = append(xs, p.x.max), append(ys, best)
	p.curve(green, 2, xs, ys)
}
