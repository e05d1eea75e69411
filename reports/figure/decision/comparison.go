// Package decision draws the pictures of decisions, such as comparisons.
package decision

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/words"
)

// Layout of the picture of differences.
const (
	differenceRow   = 19
	differenceLeft  = 270 // the names of metrics are to the left
	differenceRight = 560 // texts are to the right
	changeLeft      = 576 // the change in percent or points, then both means, then the verdict
	meansLeft       = 650
)

// Comparison returns the picture of a comparison. It shows the difference of every metric in
// judge.Headlines with its confidence interval: in percent of A, so that waits and RTTs have the
// same scale, and below that, on an axis of their own, the differences of shares in percentage
// points. Any other metric that is 0 in A has no percentage and is omitted.
func Comparison(c *judge.Comparison) []chart.Plot {
	panels := []differences{{axis: "% of A"}, {axis: "percentage points (pp)"}}
	for _, d := range judge.Headlines(c) {
		switch {
		case math.IsNaN(float64(d.Difference)):
		case d.In == outcome.UnitShare:
			panels[1].list = append(panels[1].list, d)
		case d.A != 0:
			panels[0].list = append(panels[0].list, d)
		}
	}
	panels = slices.DeleteFunc(panels, func(p differences) bool { return len(p.list) == 0 })
	height := chart.HeadingHeight + 20 + float64(chart.Margin)
	for i := range panels {
		panels[i].sort()
		height += panels[i].height()
	}
	if len(panels) == 0 {
		height += differenceRow
	}
	p := chart.Plot{
		Name:   "differences",
		Title:  phrase.Comparison(c),
		Note:   chart.TextFace.Shorten(fmt.Sprintf("B minus A with 95 %% intervals (an interval without an end extends beyond the axis, a triangle is beyond it), the largest first by what matters; A is %s, B is %s", c.A, c.B), chart.Width-2*chart.Margin),
		Height: height,
		Key: []chart.KeyEntry{
			{Text: "better", Colour: chart.Green}, {Text: "worse", Colour: chart.Red},
			{Text: "higher or lower", Colour: chart.Blue}, {Text: "no difference that is shown and matters", Colour: chart.Rule},
		},
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		if len(panels) == 0 {
			s.Text(chart.TextFace, chart.Muted, chart.Margin, top+20, chart.ToRight, "nothing to compare in percent or points")
		}
		for i := range panels {
			panels[i].draw(s, top)
			top += panels[i].height()
		}
	}
	return []chart.Plot{p}
}

// differences is a panel of the picture, with one row for each metric.
type differences struct {
	axis string
	list []*judge.Difference
}

// height returns the height of the panel with its axis.
func (g *differences) height() float64 { return 56 + float64(differenceRow*float64(len(g.list))) }

// sort puts the differences that are shown and matter first, the largest in units of what matters
// at the top. In percent, a change from 5 to 3 of 200,000 failed players would be large.
func (g *differences) sort() {
	size := func(d *judge.Difference) float64 {
		if !d.Verdict.Shown() {
			return 0
		}
		return math.Abs(float64(d.Difference)) / max(float64(d.Matters), 1e-9)
	}
	slices.SortStableFunc(g.list, func(a, b *judge.Difference) int { return cmp.Compare(size(b), size(a)) })
}

func (g *differences) draw(s *chart.Canvas, top float64) {
	p := balancedPanel(s, top, len(g.list), differenceLeft, differenceRight, chart.NiceTicks(reachOf(g.list), 3), [3]string{"-%s", "0", "+%s"})
	p.XName(g.axis)
	var cells []chart.Cell
	for i, d := range g.list {
		y := top + 8 + float64(differenceRow*float64(i))
		drawDifference(p, d, y)
		texts := phrase.DifferenceCells(d)
		texts[0] = phrase.Metric(d.Name)
		cells = append(cells, chart.Cell{Box: chart.Box{X0: chart.Margin, Y0: y - 2, X1: chart.Width - chart.Margin, Y1: y + differenceRow - 2}, Texts: texts})
	}
	s.Cells("differences in "+g.axis, []string{"", "A", "B", "difference", "relative", "95 % interval", "verdict"}, cells)
}

// reachOf returns how far the axis extends to either side: to the end of every interval that
// excludes 0, or to every difference if there is no such interval, but at most to reachMost. Wider
// intervals are cut off.
func reachOf(list []*judge.Difference) float64 {
	shown, all := 0.0, 0.0
	for _, d := range list {
		low, high := differenceReach(d)
		if d.Verdict.Shown() {
			shown = max(shown, -low, high)
		}
		all = max(all, math.Abs(low+high)/2)
	}
	if shown > 0 {
		all = shown
	}
	return min(all, reachMost)
}

// reachMost limits the axis, in percent. Without it, one count that is many times as high as in A
// would make all other differences look like 0.
const reachMost = 200

// drawDifference draws the row of one metric at y.
func drawDifference(p chart.Panel, d *judge.Difference, y float64) {
	middle, base := y+differenceRow/2-2, y+differenceRow/2+2
	p.Text(chart.SmallFace, chart.Ink, differenceLeft-10, base, chart.ToLeft, chart.SmallFace.ShortenName(phrase.Metric(d.Name), differenceLeft-10-chart.Margin))
	low, high := differenceReach(d)
	c := verdictColour(d.Verdict)
	drawInterval(p, c, middle, (low+high)/2, low, high)
	change := words.SignedPercent(outcome.Ratio(float64(d.Difference), math.Abs(float64(d.A))))
	if d.In == outcome.UnitShare {
		change = words.Change(d.In, float64(d.Difference), phrase.ThreeDigits(d.In, math.Abs(float64(d.Difference)), 0))
	}
	p.Text(chart.SmallFace, chart.Ink, changeLeft, base, chart.ToRight, change)
	a, b := phrase.Means(d) // the page's table has more digits
	p.Text(chart.SmallFace, chart.Muted, meansLeft, base, chart.ToRight, a+" → "+b)
	p.Text(chart.SmallFace, chart.Muted, chart.Width-chart.Margin, base, chart.ToLeft, string(d.Verdict))
}

// balancedPanel returns a panel of rows around 0, with a line at 0, which may have dashes, and ticks on both
// sides. labels has the formats of labels below, at and above 0.
func balancedPanel(s *chart.Canvas, top float64, rows int, left, right float64, ticks []chart.Tick, labels [3]string, dashes ...vg.Length) chart.Panel {
	most, last := ticks[len(ticks)-1].Value, len(ticks)-1
	both := make([]chart.Tick, 2*last+1)
	both[last] = chart.Tick{Label: labels[1]}
	for i, t := range ticks[1:] {
		both[last-1-i] = chart.Tick{Value: -t.Value, Label: fmt.Sprintf(labels[0], t.Label)}
		both[last+1+i] = chart.Tick{Value: t.Value, Label: fmt.Sprintf(labels[2], t.Label)}
	}
	bottom := top + 8 + float64(differenceRow*float64(rows))
	p := chart.Panel{Canvas: s, X: chart.Scale{Min: -most, Max: most, Lo: left, Hi: right}, Y: chart.Scale{Lo: bottom, Hi: top}}
	for _, t := range both {
		s.Line(chart.Grid, 1, p.X.At(t.Value), top, p.X.At(t.Value), bottom)
	}
	s.Line(chart.Ink, 1, p.X.At(0), top, p.X.At(0), bottom, dashes...)
	p.XAxis(both)
	return p
}

// drawInterval draws a value with its interval at y. An interval without an end extends beyond the axis,
// and a value beyond it is a triangle at its end. What is NaN is not drawn.
func drawInterval(p chart.Panel, c color.RGBA, y, value, low, high float64) {
	cut := func(x float64) float64 { return p.X.At(min(max(x, p.X.Min), p.X.Max)) }
	if !math.IsNaN(low) && !math.IsNaN(high) {
		p.Line(c, 2, cut(low), y, cut(high), y)
		for _, end := range [...]float64{low, high} {
			if end >= p.X.Min && end <= p.X.Max {
				p.Line(c, 2, p.X.At(end), y-4, p.X.At(end), y+4)
			}
		}
	}
	switch at := cut(value); {
	case math.IsNaN(value):
	case value >= p.X.Min && value <= p.X.Max:
		p.Circles(c, []chart.Circle{{Point: chart.Point{X: at, Y: y}, Radius: 4}})
	default:
		back := at - math.Copysign(8, value)
		p.Polygons(c, []chart.Point{{X: at, Y: y}, {X: back, Y: y - 5}, {X: back, Y: y + 5}})
	}
}

// differenceReach returns the interval in percent of A, or in percentage points for shares.
// Without an interval, and if no run differs, low and high are both the difference.
func differenceReach(d *judge.Difference) (low, high float64) {
	low, high = float64(d.Low), float64(d.High)
	if math.IsNaN(low) || d.Verdict == judge.VerdictEqual {
		low, high = float64(d.Difference), float64(d.Difference)
	}
	if d.In == outcome.UnitShare {
		return 100 * low, 100 * high
	}
	a := math.Abs(float64(d.A)) / 100
	return low / a, high / a
}

func verdictColour(v judge.Verdict) color.RGBA {
	switch v {
	case judge.VerdictBetter:
		return chart.Green
	case judge.VerdictWorse:
		return chart.Red
	case judge.VerdictHigher, judge.VerdictLower:
		return chart.Blue
	}
	return chart.Rule
}
