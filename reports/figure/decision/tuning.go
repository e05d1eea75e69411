package decision

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
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
	key := []chart.KeyEntry{{Text: "front", Colour: chart.Green}, {Text: "beaten", Colour: chart.Sky}}
	note := "every point is a choice of settings over the whole day; those on the front have their trial numbers"
	if t.Trials[0].Runs > 1 {
		note += " and 95 % intervals"
	}
	if t.Holdout != nil {
		key = append(key, chart.KeyEntry{Text: fmt.Sprintf("trial %d in other runs", t.Best), Colour: chart.Purple})
		note += fmt.Sprintf("; in other runs, trial %d is that far from the initial settings", t.Best)
	}
	return chart.Plot{
		Name:   "front",
		Title:  phrase.Front(t),
		Note:   note + hollowNote(t, judge.WholeTrials(t)),
		Height: chart.HeadingHeight + 18 + float64(frontHeight*float64(len(pairs))) + chart.Margin, // the legend may have a second line
		Key:    trialsKey(t, key...),
		Draw: func(canvas *chart.Canvas, top float64) {
			for i, pair := range pairs {
				y := top + float64(frontHeight*float64(i))
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

// trialSpot returns the point of the i-th trial, which is not on the front.
func trialSpot(t *judge.Tuning, i int, x, y judge.Estimate) spot {
	trial := &t.Trials[i]
	of := spot{x: x, y: y, colour: chart.Sky, radius: 3, name: trialName(i)}
	if len(trial.Beyond) > 0 {
		of.radius, of.hollow = 3.5, true
	}
	if of.hollow || trial.Violation > 0 {
		of.colour = chart.Rule
	}
	return of
}

func trialName(i int) string { return fmt.Sprint("trial ", i) }

// inHoldout returns where the best trial is if it is as far from the initial settings as in the
// runs that the search did not use. ok is false if there are no such runs.
func inHoldout(t *judge.Tuning, figure int) (e judge.Estimate, ok bool) {
	if t.Holdout == nil {
		return e, false
	}
	before := t.Trials[0].Figures[figure].Mean
	for _, d := range t.Holdout.Metrics {
		if d.Name == t.Metrics[figure] {
			return judge.Estimate{Mean: before + float64(d.Difference), Low: before + float64(d.Low), High: before + float64(d.High)}, true
		}
	}
	return e, false
}

// drawFrontPair draws two goals against each other.
func drawFrontPair(t *judge.Tuning, s *chart.Canvas, top, bottom float64, x, y int) {
	var spots []spot
	for _, i := range judge.WholeTrials(t) {
		spots = append(spots, trialSpot(t, i, t.Trials[i].Figures[x], t.Trials[i].Figures[y]))
	}
	var tags []tag
	for _, i := range t.Front {
		tags = append(tags, tag{len(spots), strconv.Itoa(i), false})
		spots = append(spots, spot{x: t.Trials[i].Figures[x], y: t.Trials[i].Figures[y], colour: chart.Green, radius: 4.5, cross: true, name: trialName(i)})
	}
	// Place the best trial's name first, because a name is omitted if earlier names leave no room
	// for it.
	if best := slices.Index(t.Front, t.Best); best > 0 {
		tags[0], tags[best] = tags[best], tags[0]
	}
	spots = append(spots, spot{x: t.Trials[0].Figures[x], y: t.Trials[0].Figures[y], colour: chart.Red, radius: 4.5, name: "initial settings"})
	if inX, ok := inHoldout(t, x); ok {
		if inY, ok := inHoldout(t, y); ok {
			spots = append(spots, spot{x: inX, y: inY, colour: chart.Purple, radius: 4.5, cross: true, name: trialName(t.Best) + " in other runs"})
		}
	}
	scatter(s, top, bottom, metricAxis(&t.Measures, x), metricAxis(&t.Measures, y), spots, tags, nil)
}

// progressPlot plots a tuning with a single goal: the value of the goal in each trial, and the best
// value so far.
func progressPlot(t *judge.Tuning) chart.Plot {
	return chart.Plot{
		Name:   "progress",
		Title:  phrase.Tuning(t),
		Note:   fmt.Sprintf("every point is one of %s over the whole day%s", words.Plural(len(judge.WholeTrials(t)), "trial"), hollowNote(t, judge.WholeTrials(t))),
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
	goal := metricAxis(&t.Measures, 0)
	for _, i := range append([]int{0}, trials...) {
		goal.values = append(goal.values, t.Trials[i].Figures[0].Mean)
	}
	p.Y.Min, p.Y.Max = goal.reach()
	p.Head(goal.name)
	p.YAxis(ticksIn(goal.unit, p.Y, 6))
	// Trials over a part of the day come before whole trials and have no points, so the axis
	// starts at the first whole trial.
	first, last := 1, 1
	if len(trials) > 0 {
		first, last = trials[0], trials[len(trials)-1]
	}
	p.X.Min, p.X.Max = float64(first)-0.5, float64(last)+0.5
	p.XAxis(chart.TicksWithin(p.X.Min, p.X.Max, min(8, last-first+1)))
	p.XName("trial")
	before := t.Trials[0].Figures[0].Mean
	if !math.IsNaN(before) {
		p.Line(chart.Red, 1, p.X.Lo, p.Y.At(before), p.X.Hi, p.Y.At(before), 5, 4)
	}
	best := math.NaN()
	var xs, ys []float64
	for _, i := range trials {
		x := t.Trials[i].Figures[0].Mean
		if t.Trials[i].Violation == 0 && (math.IsNaN(best) || (x < best) != t.Goals[0].Maximise) {
			xs, ys = append(xs, float64(i)), append(ys, best)
			best = x
			xs, ys = append(xs, float64(i)), append(ys, best)
		}
		of := trialSpot(t, i, judge.Estimate{Mean: float64(i)}, t.Trials[i].Figures[0])
		of.draw(p)
	}
	xs, ys = append(xs, p.X.Max), append(ys, best)
	p.Curve(chart.Green, 2, xs, ys)
}
