package reports

import (
	"math"

	"mmsim/reports/outcome"
)

// axis is one number of the points of a picture.
type axis struct {
	name   string
	unit   outcome.Unit
	values []float64 // NaN: none, and no point
}

// scatter lays a panel for points of two numbers, with a grid, and leaves room on its
// right for the names of points.
func scatter(s *sheet, top, bottom float64, x, y axis) panel {
	p := panel{s, scale{lo: plotLeft, hi: plotRight - 60}, scale{lo: bottom, hi: top}}
	p.x.min, p.x.max = x.reach()
	p.y.min, p.y.max = y.reach()
	p.head(inUnit(y.name, y.unit))
	p.yAxis(ticksIn(y.unit, p.y, 6))
	ticks := ticksIn(x.unit, p.x, 8)
	for _, mark := range ticks {
		p.line(grid, 1, p.x.at(mark.value), p.y.lo, p.x.at(mark.value), p.y.hi)
	}
	p.xAxis(ticks)
	p.text(headFace, ink, p.x.hi, p.y.lo+34, toLeft, inUnit(x.name, x.unit))
	return p
}

// reach is the range of the numbers, with some room.
func (a *axis) reach() (low, high float64) {
	low, high = extent(a.values)
	if low > high {
		return 0, 1
	}
	room := (high-low)/20 + math.Abs(high)*1e-6 + 1e-9
	return low - room, high + room
}

// extent is the lowest and the highest number that is not NaN; +Inf and -Inf without.
func extent(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range values {
		if !math.IsNaN(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	return low, high
}
