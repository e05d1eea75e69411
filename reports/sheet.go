package reports

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// A sheet is the paper of one picture. Its unit is a pixel of a screen, x grows to
// the right and y downwards from the top left corner. All drawing goes through
// these few methods, so that a PNG and an SVG show the same; text is never rotated
// (a reader's head is not either), which also lets the PNG take a fast path.
type sheet struct {
	vg.Canvas
	height float64
}

// sheetWidth is the width of every picture; heights follow from the content.
const sheetWidth = 960

// margin is the space around the content of a sheet.
const margin = 24

type point struct{ x, y float64 }

func (s *sheet) at(p point) vg.Point {
	return vg.Point{X: vg.Length(p.x), Y: vg.Length(s.height - p.y)}
}

// extend adds a line through the points to a path.
func (s *sheet) extend(path vg.Path, points []point) vg.Path {
	for i, p := range points {
		if i == 0 {
			path.Move(s.at(p))
		} else {
			path.Line(s.at(p))
		}
	}
	return path
}

// fill fills polygons as a single path.
func (s *sheet) fill(c color.Color, shapes ...[]point) {
	var path vg.Path
	for _, points := range shapes {
		if len(points) < 3 {
			continue
		}
		path = s.extend(path, points)
		path.Close()
	}
	if len(path) == 0 {
		return
	}
	s.SetColor(c)
	s.Fill(path)
}

// box fills a rectangle.
func (s *sheet) box(c color.Color, x0, y0, x1, y1 float64) {
	s.fill(c, []point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
}

// stroke draws a line through the points, dashed if dashes are given.
func (s *sheet) stroke(c color.Color, width float64, points []point, dashes ...vg.Length) {
	if len(points) < 2 {
		return
	}
	s.SetColor(c)
	s.SetLineWidth(vg.Length(width))
	s.SetLineDash(dashes, 0)
	s.Stroke(s.extend(nil, points))
}

// line draws one straight line.
func (s *sheet) line(c color.Color, width, x0, y0, x1, y1 float64, dashes ...vg.Length) {
	s.stroke(c, width, []point{{x0, y0}, {x1, y1}}, dashes...)
}

// discs fills circles of one colour as a single path.
func (s *sheet) discs(c color.Color, discs []disc) {
	if len(discs) == 0 {
		return
	}
	path := make(vg.Path, 0, 3*len(discs))
	for _, d := range discs {
		center := s.at(d.point)
		path.Move(vg.Point{X: center.X + vg.Length(d.radius), Y: center.Y})
		path.Arc(center, vg.Length(d.radius), 0, 2*math.Pi)
		path.Close()
	}
	s.SetColor(c)
	s.Fill(path)
}

type disc struct {
	point
	radius float64
}

// Where a text stands relative to its x.
const (
	toRight = 0.0 // the text begins at x
	centred = 0.5
	toLeft  = 1.0 // the text ends at x
)

// text writes one line with its base line at y.
func (s *sheet) text(t typeface, c color.Color, x, y, align float64, text string) {
	if text == "" {
		return
	}
	if align != toRight {
		x -= align * t.width(text)
	}
	s.SetColor(c)
	s.FillString(t.face(), s.at(point{x, y}), text)
}
