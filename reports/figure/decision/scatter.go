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

// A spot is a point in a picture of two metrics. It is not drawn where a mean is NaN.
type spot struct {
	x, y   judge.Estimate
	colour color.RGBA
	radius float64 // 0 for the intervals alone
	hollow bool
	cross  bool   // whether its intervals are drawn
	name   string // that a page shows at the pointer
}

// A tag is a name beside a spot. On a plate, lines of other spots do not cross it.
type tag struct {
	spot  int // an index
	text  string
	plate bool
}

// scatter draws spots in a panel with a grid, and names those that have a tag, the first one first,
// because later ones may find no room. The axes reach to every spot and to the intervals that are drawn.
// behind draws what lies behind the grid; it may be nil. plotter.Scatter and plotter.Grid need the axes of
// gonum/plot, which package chart does not use.
func scatter(s *chart.Canvas, top, bottom float64, x, y axis, spots []spot, tags []tag, behind func(p chart.Panel)) {
	for i := range spots {
		of := &spots[i]
		x.values, y.values = append(x.values, of.x.Mean), append(y.values, of.y.Mean)
		if of.cross {
			x.values, y.values = append(x.values, of.x.Low, of.x.High), append(y.values, of.y.Low, of.y.High)
		}
	}
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
	labels := &chart.Labels{Within: chart.Box{X0: p.X.Lo, Y0: p.Y.Hi, X1: chart.Width - chart.Margin, Y1: p.Y.Lo}}
	for i := range spots {
		spots[i].draw(p)
		if at, ok := spots[i].at(p); ok {
			labels.Taken = append(labels.Taken, chart.Around(at, 4.5))
		}
	}
	for _, of := range tags {
		at, ok := spots[of.spot].at(p)
		if !ok {
			continue
		}
		if place, ok := labels.Place(at, of.text, nil); ok {
			p.Leader(at, place)
			if of.plate {
				p.Rectangle(chart.Paper, place.X0-1.5, place.Y0-1, place.X1+1.5, place.Y1+1)
			}
			p.Label(place, of.text)
		}
	}
}

// at returns where a spot is. ok is false if a mean is NaN.
func (s *spot) at(p chart.Panel) (at chart.Point, ok bool) {
	return chart.Point{X: p.X.At(s.x.Mean), Y: p.Y.At(s.y.Mean)}, !math.IsNaN(s.x.Mean) && !math.IsNaN(s.y.Mean)
}

func (s *spot) draw(p chart.Panel) {
	if s.cross {
		drawCross(p, s.colour, &s.x, &s.y)
	}
	if s.radius > 0 {
		p.Dot(s.colour, s.radius, s.hollow, s.x.Mean, s.y.Mean, s.name)
	}
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
