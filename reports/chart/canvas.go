package chart

import (
	"image/color"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
)

// A Canvas is the area of one picture. Its unit is a screen pixel; x grows to the right, and y
// downwards from the top left corner. Everything is drawn with its few methods, so that a PNG and
// an SVG look the same. Text is always horizontal, because it is easier to read and faster to
// draw into a PNG.
type Canvas struct {
	on     vg.Canvas
	height float64
	record *record // what is drawn; nil if nobody asks for it
	bands  []Band  // of the picture
	ahead  float64 // see Plot.Ahead
}

// Width is the width of every picture. The height depends on the content.
const Width = 960

// Margin is the space around the content of a canvas.
const Margin = 24

type Point struct{ X, Y float64 }

func (s *Canvas) at(p Point) vg.Point {
	return vg.Point{X: vg.Length(p.X), Y: vg.Length(s.height - p.Y)}
}

// extend appends a line through the points to a path.
func (s *Canvas) extend(path vg.Path, points []Point) vg.Path {
	for i, p := range points {
		if i == 0 {
			path.Move(s.at(p))
		} else {
			path.Line(s.at(p))
		}
	}
	return path
}

// Polygons fills polygons as a single path.
func (s *Canvas) Polygons(c color.Color, shapes ...[]Point) {
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
	s.on.SetColor(c)
	s.on.Fill(path)
}

func (s *Canvas) Rectangle(c color.Color, x0, y0, x1, y1 float64) {
	s.Polygons(c, []Point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
}

// Polyline draws a line through the points. The line is dashed if there are dashes.
func (s *Canvas) Polyline(c color.Color, width float64, points []Point, dashes ...vg.Length) {
	if len(points) < 2 {
		return
	}
	s.on.SetColor(c)
	s.on.SetLineWidth(vg.Length(width))
	s.on.SetLineDash(dashes, 0)
	s.on.Stroke(s.extend(nil, points))
}

func (s *Canvas) Line(c color.Color, width, x0, y0, x1, y1 float64, dashes ...vg.Length) {
	s.Polyline(c, width, []Point{{x0, y0}, {x1, y1}}, dashes...)
}

// Circles fills circles of one colour as a single path.
func (s *Canvas) Circles(c color.Color, Circles []Circle) {
	if len(Circles) == 0 {
		return
	}
	path := make(vg.Path, 0, 3*len(Circles))
	for _, d := range Circles {
		center := s.at(d.Point)
		path.Move(vg.Point{X: center.X + vg.Length(d.Radius), Y: center.Y})
		path.Arc(center, vg.Length(d.Radius), 0, 2*math.Pi)
		path.Close()
	}
	s.on.SetColor(c)
	s.on.Fill(path)
}

type Circle struct {
	Point
	Radius float64
}

// Values of the parameter align of Canvas.Text.
const (
	ToRight = 0.0 // the text begins at x
	Centred = 0.5
	ToLeft  = 1.0 // the text ends at x
)

// Text writes a single line of text with its base line at y. Negative numbers get a minus sign, which
// is as wide as a plus sign and does not look like a dash.
func (s *Canvas) Text(t Typeface, c color.Color, x, y, align float64, text string) {
	if text == "" {
		return
	}
	if strings.Contains(text, "-") {
		text = negative.ReplaceAllString(text, "$1−$2")
	}
	if align != ToRight {
		x -= float64(align * t.Width(text))
	}
	s.on.SetColor(c)
	s.on.FillString(t.face(), s.at(Point{x, y}), text)
}

// negative matches the hyphen of a negative number, but not one inside a name such as eu-1.
var negative = regexp.MustCompile(`(^|[ (])-([0-9.])`)
