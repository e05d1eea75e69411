package decision

import (
	"fmt"
	"math"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Replications returns a picture of how much the runs of one configuration differ. For each
// metric it shows every run in percent of the mean.
func Replications(metrics []outcome.Spread, sample *judge.Sample) chart.Plot {
	values := map[string][]float64{}
	for _, run := range sample.Runs {
		for _, v := range run.MetricValues() {
			if !math.IsNaN(v.Value) {
				values[v.Name] = append(values[v.Name], v.Value)
			}
		}
	}
	var rows []replicated
	for i := range metrics {
		r := replicatedRow(&metrics[i], values[metrics[i].Name])
		if math.IsNaN(r.low) {
			r.mean = words.RunsWith(&metrics[i], len(sample.Runs))
		}
		if len(r.runs) > 1 {
			rows = append(rows, r)
		}
	}
	p := chart.Plot{
		Name:   "replications",
		Title:  replicationsTitle(rows, len(sample.Runs)),
		Note:   "every run in percent of the mean over all runs, and the 95 % interval of that mean; runs beyond the axis are drawn at its end, longer intervals are cut off",
		Height: chart.HeadingHeight + 64 + differenceRow*float64(max(1, len(rows))) + chart.Margin,
		Key:    []chart.KeyEntry{{Text: "mean with its interval", Colour: chart.Blue}, {Text: "one run", Colour: chart.Orange}},
	}
	p.Draw = func(s *chart.Canvas, top float64) { drawReplications(s, top, rows) }
	return p
}

// replicated has the values of one metric in every run, relative to the metric's mean.
type replicated struct {
	name, mean string    // mean may say instead how many runs have the metric
	runs       []float64 // in percent above the mean
	low, high  float64   // ends of the 95 % interval of the mean, in the same unit; NaN if there is none
}

// replicatedRow returns the row of a metric. If the mean is 0, the row has no runs.
func replicatedRow(m *outcome.Spread, values []float64) replicated {
	of, _ := outcome.Find(m.Name)
	low, high := m.Interval()
	decimals := judge.DecimalsOf(of.Unit, 0, judge.Optional(low), judge.Optional(high), judge.Optional(m.Mean))
	r := replicated{name: m.Name, mean: words.Quantity(of.Unit, float64(m.Mean), decimals, false)}
	if m.Mean == 0 {
		return r
	}
	percent := func(x float64) float64 { return 100 * (x - float64(m.Mean)) / math.Abs(float64(m.Mean)) }
	r.low, r.high = percent(low), percent(high)
	for _, x := range values {
		r.runs = append(r.runs, percent(x))
	}
	return r
}

// replicationsTitle says which mean is the least certain.
func replicationsTitle(rows []replicated, runs int) string {
	most, name := 0.0, ""
	for _, r := range rows {
		if half := (r.high - r.low) / 2; half > most {
			most, name = half, r.name
		}
	}
	if name == "" {
		return fmt.Sprintf("All %d runs are alike", runs)
	}
	decimals := words.Decimals(outcome.UnitNone, most)
	return fmt.Sprintf("Over %d runs, the mean of %s is the least certain: ± %s %%", runs, name, words.Number(outcome.UnitNone, most, decimals, false))
}

func drawReplications(s *chart.Canvas, top float64, rows []replicated) {
	bottom := top + 8 + differenceRow*float64(max(1, len(rows)))
	if len(rows) == 0 {
		s.Text(chart.TextFace, chart.Muted, chart.Margin, top+20, chart.ToRight, "nothing to show in percent of a mean")
		return
	}
	reach := 0.0
	for _, r := range rows {
		for _, x := range append([]float64{r.low, r.high}, r.runs...) {
			if !math.IsNaN(x) {
				reach = max(reach, math.Abs(x))
			}
		}
	}
	ticks := percentTicks(min(reach, replicationsReach))
	most := ticks[len(ticks)-1].Value
	names := 0.0
	for _, r := range rows {
		names = max(names, chart.SmallFace.Width(r.name))
	}
	left := chart.Margin + min(names, replicationsNames) + 10
	p := chart.Panel{Canvas: s, X: chart.Scale{Min: -most, Max: most, Lo: left, Hi: chart.PlotRight - 110}, Y: chart.Scale{Lo: bottom, Hi: top}}
	for _, t := range ticks {
		s.Line(chart.Grid, 1, p.X.At(t.Value), top, p.X.At(t.Value), bottom)
	}
	s.Line(chart.Ink, 1, p.X.At(0), top, p.X.At(0), bottom)
	p.XAxis(ticks)
	for i := range rows {
		drawReplicated(p, &rows[i], top+8+differenceRow*float64(i))
	}
}

// replicationsNames is the maximum width of the names of metrics.
const replicationsNames = 280

// replicationsReach is the largest distance from the mean on the axis, in percent. Runs further
// away, which are common for rare events, are drawn at the ends of the axis.
const replicationsReach = 50

// percentTicks returns ticks on both sides of 0, in percent.
func percentTicks(reach float64) []chart.Tick {
	positive := chart.NiceTicks(max(reach, 0.01), 3)
	var both []chart.Tick
	for i := len(positive) - 1; i > 0; i-- {
		both = append(both, chart.Tick{Value: -positive[i].Value, Label: "-" + positive[i].Label + " %"})
	}
	for i, t := range positive {
		label := "0"
		if i > 0 {
			label = "+" + t.Label + " %"
		}
		both = append(both, chart.Tick{Value: t.Value, Label: label})
	}
	return both
}

// drawReplicated draws the row of one metric at y.
func drawReplicated(p chart.Panel, r *replicated, y float64) {
	middle, base := y+differenceRow/2-2, y+differenceRow/2+2
	p.Text(chart.SmallFace, chart.Ink, p.X.Lo-10, base, chart.ToLeft, chart.SmallFace.ShortenName(r.name, p.X.Lo-10-chart.Margin))
	at := func(percent float64) float64 { return p.X.At(min(max(percent, p.X.Min), p.X.Max)) }
	if !math.IsNaN(r.low) {
		p.Line(chart.Blue, 2, at(r.low), middle, at(r.high), middle)
	}
	for _, end := range [...]float64{r.low, r.high} {
		if !(end >= p.X.Min && end <= p.X.Max) { // also true for NaN
			continue
		}
		p.Line(chart.Blue, 2, at(end), middle-4, at(end), middle+4)
	}
	var runs []chart.Circle
	for _, x := range r.runs {
		runs = append(runs, chart.Circle{Point: chart.Point{X: at(x), Y: middle}, Radius: 2.5})
	}
	p.Circles(chart.Orange, runs)
	p.Circles(chart.Blue, []chart.Circle{{Point: chart.Point{X: at(0), Y: middle}, Radius: 3.5}})
	p.Text(chart.SmallFace, chart.Ink, p.X.Hi+16, base, chart.ToRight, r.mean)
}
