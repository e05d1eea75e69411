package decision

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
		Note:   note + trialsHollowNote(t),
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

// trialsHollowNote says what hollow points are. It returns "" if no trial is drawn as one.
func trialsHollowNote(t *judge.Tuning) string {
	var says []string
	for _, i := range judge.WholeTrials(t) {
		for _, name := range t.Trials[i].Beyond {
			if mark := phrase.GuardMark(name); !slices.Contains(says, mark) {
				says = append(says, mark)
			}
		}
	}
	if len(says) == 0 {
		return ""
	}
	return "; hollow: " + strings.Join(says, ", or ")
}

// drawTrial draws the point of the i-th trial, which is not on the front.
func drawTrial(p chart.Panel, t *judge.Tuning, i int, x, y float64) {
	switch trial := &t.Trials[i]; {
	case len(trial.Beyond) > 0:
		p.Dot(chart.Rule, 3.5, true, x, y, trialName(i))
	case trial.Violation > 0:
		p.Dot(chart.Rule, 3, false, x, y, trialName(i))
	default:
		p.Dot(chart.Sky, 3, false, x, y, trialName(i))
	}
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
		if d.Name == t.Names[figure] {
			return judge.Estimate{Mean: before + float64(d.Difference), Low: before + float64(d.Low), High: before + float64(d.High)}, true
		}
	}
	return e, false
}

// drawFrontPair draws two goals against each other.
func drawFrontPair(t *judge.Tuning, s *chart.Canvas, top, bottom float64, x, y int) {
	trials := append([]int{0}, judge.WholeTrials(t)...)
	acrossX, acrossY := tuningAxis(t, trials, x), tuningAxis(t, trials, y)
	for _, i := range t.Front {
		acrossX.values = append(acrossX.values, t.Trials[i].Figures[x].Low, t.Trials[i].Figures[x].High)
		acrossY.values = append(acrossY.values, t.Trials[i].Figures[y].Low, t.Trials[i].Figures[y].High)
	}
	holdoutX, ok := inHoldout(t, x)
	holdoutY, also := inHoldout(t, y)
	if ok = ok && also; ok {
		acrossX.values = append(acrossX.values, holdoutX.Mean, holdoutX.Low, holdoutX.High)
		acrossY.values = append(acrossY.values, holdoutY.Mean, holdoutY.Low, holdoutY.High)
	}
	p := scatter(s, top, bottom, acrossX, acrossY, nil)
	mean := func(i, figure int) float64 { return t.Trials[i].Figures[figure].Mean }
	at := func(i int) chart.Point { return chart.Point{X: p.X.At(mean(i, x)), Y: p.Y.At(mean(i, y))} }
	for _, i := range trials[1:] {
		drawTrial(p, t, i, mean(i, x), mean(i, y))
	}
	for _, i := range t.Front {
		drawCross(p, chart.Green, &t.Trials[i].Figures[x], &t.Trials[i].Figures[y])
		p.Dot(chart.Green, 4.5, false, mean(i, x), mean(i, y), trialName(i))
	}
	p.Dot(chart.Red, 4.5, false, mean(0, x), mean(0, y), "initial settings")
	points := make([]chart.Point, 0, len(trials)+1)
	for _, i := range trials {
		points = append(points, at(i))
	}
	if place := (chart.Point{X: p.X.At(holdoutX.Mean), Y: p.Y.At(holdoutY.Mean)}); ok && !math.IsNaN(place.X) && !math.IsNaN(place.Y) {
		drawCross(p, chart.Purple, &holdoutX, &holdoutY)
		p.Dot(chart.Purple, 4.5, false, holdoutX.Mean, holdoutY.Mean, trialName(t.Best)+" in other runs")
		points = append(points, place)
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
	a := axis{name: inUnit(t.Names[figure], t.Units[figure]), unit: t.Units[figure]}
	for _, i := range trials {
		a.values = append(a.values, t.Trials[i].Figures[figure].Mean)
	}
	return a
}

// progressPlot plots a tuning with a single goal: the value of the goal in each trial, and the best
// value so far.
func progressPlot(t *judge.Tuning) chart.Plot {
	return chart.Plot{
		Name:   "progress",
		Title:  phrase.Tuning(t),
		Note:   fmt.Sprintf("every point is one of %s over the whole day%s", words.Plural(len(judge.WholeTrials(t)), "trial"), trialsHollowNote(t)),
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
		drawTrial(p, t, i, float64(i), x)
	}
	xs, ys = append(xs, p.X.Max), append(ys, best)
	p.Curve(chart.Green, 2, xs, ys)
}
