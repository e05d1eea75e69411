package decision

import (
	"image/color"
	"math"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// axis has one coordinate of every point in a picture.
type axis struct {
	name   string // in words, with the unit
	unit   outcome.Unit
	values []float64 // NaN if the point is missing
}

// scatter returns a panel for points, with a grid and with room on its right for the names of
// points. behind draws what lies behind the grid; it may be nil. plotter.Scatter and plotter.Grid need the
// axes of gonum/plot, which package chart does not use.
func scatter(s *chart.Canvas, top, bottom float64, x, y axis, behind func(p chart.Panel)) chart.Panel {
	p := chart.Panel{Canvas: s, X: chart.Scale{Lo: chart.PlotLeft, Hi: chart.PlotRight - 60}, Y: chart.Scale{Lo: bottom, Hi: top}}
	p.X.Min, p.X.Max = x.reach()
	p.Y.Min, p.Y.Max = y.reach()
	if behind != nil {
		behind(p)
	}
	p.Head(y.name)
	p.YAxis(ticksIn(y.unit, p.Y, 6))
	ticks := ticksIn(x.unit, p.X, 8)
	for _, mark := range ticks {
		p.Line(chart.Grid, 1, p.X.At(mark.Value), p.Y.Lo, p.X.At(mark.Value), p.Y.Hi)
	}
	p.XAxis(ticks)
	p.XName(x.name)
	return p
}

// labelsIn returns Labels for names of points in a panel, so that no name covers a point.
func labelsIn(p chart.Panel, points []chart.Point) *chart.Labels {
	labels := &chart.Labels{Within: chart.Box{X0: p.X.Lo, Y0: p.Y.Hi, X1: chart.Width - chart.Margin, Y1: p.Y.Lo}}
	for _, at := range points {
		if !math.IsNaN(at.X) && !math.IsNaN(at.Y) {
			labels.Taken = append(labels.Taken, chart.Around(at, 4.5))
		}
	}
	return labels
}

// namePoint writes the name of a point beside it or, with a line, near it. It omits the name if there
// is no room. plate puts the name on a plate, so that lines of other points do not cross it.
func namePoint(p chart.Panel, labels *chart.Labels, at chart.Point, name string, plate bool) {
	place, ok := labels.Place(at, name, nil)
	if !ok {
		if place, ok = labels.PlaceApart(at, name, nil); !ok {
			return
		}
	}
	p.Leader(at, place)
	if plate {
		p.Rectangle(chart.Paper, place.X0-1.5, place.Y0-1, place.X1+1.5, place.Y1+1)
	}
	p.Label(place, name)
}

// drawCross draws the intervals of a point in both directions. It draws nothing for an interval
// that is not known.
func drawCross(p chart.Panel, c color.RGBA, x, y *judge.Estimate) {
	at := chart.Point{X: p.X.At(x.Mean), Y: p.Y.At(y.Mean)}
	if math.IsNaN(at.X) || math.IsNaN(at.Y) {
		return
	}
	if !math.IsNaN(x.Low) {
		p.Line(c, 0.8, p.X.At(x.Low), at.Y, p.X.At(x.High), at.Y)
	}
	if !math.IsNaN(y.Low) {
		p.Line(c, 0.8, at.X, p.Y.At(y.Low), at.X, p.Y.At(y.High))
	}
}

// reach returns the range of the axis, which is that of the values plus a margin.
func (a *axis) reach() (low, high float64) {
	low, high = chart.Extent(a.values)
	if low > high {
		return 0, 1
	}
	room := (high-low)/20 + float64(math.Abs(high)*1e-6) + 1e-9
	return low - room, high + room
}
