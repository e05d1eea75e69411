package chart

import (
	"image/color"
	"math"
	"slices"
)

// A Scale maps values to positions along an axis.
type Scale struct {
	Min, Max float64 // values at the ends
	Lo, Hi   float64 // positions of the ends
	Log      bool    // logarithmic: values below Min are drawn at Min
	Tail     bool    // of shares from 0 to 1: the closer to 1, the wider; see tailEnd
}

// tailEnd is the share of players at the end of a Tail scale that is hardly visible. On the scale,
// 90 %, 99 % and 99.9 % are a third, two thirds and nine tenths of the way to 100 %, because what
// differs between two matchmakers is the wait of the players who wait longest.
const tailEnd = 0.001

func (a Scale) At(v float64) float64 {
	if a.Log {
		return a.Lo + (a.Hi-a.Lo)*math.Log(max(v, a.Min)/a.Min)/math.Log(a.Max/a.Min)
	}
	if a.Tail {
		return a.Lo + (a.Hi-a.Lo)*math.Log(1-float64(v*(1-tailEnd)))/math.Log(tailEnd)
	}
	return a.Lo + (a.Hi-a.Lo)*(v-a.Min)/(a.Max-a.Min)
}

// A Panel is a coordinate system on a canvas. Panels have a fixed left edge, so that they line up
// within a picture and across pictures. plot.Align aligns only within a picture, at an edge that
// depends on the widest label.
type Panel struct {
	*Canvas
	X, Y Scale
}

// PlotLeft and PlotRight are the left and right edges of the data in a panel of full width. The
// labels of the y axis are to the left of PlotLeft.
const (
	PlotLeft  = 72
	PlotRight = Width - Margin
)

// NewPanel returns a panel between top and bottom, from PlotLeft to right. Its x axis is from x0
// to x1, its y axis from 0 to yMax.
func NewPanel(s *Canvas, top, bottom, right, x0, x1, yMax float64) Panel {
	return Panel{s,
		Scale{Min: x0, Max: x1, Lo: PlotLeft, Hi: right},
		Scale{Min: 0, Max: yMax, Lo: bottom, Hi: top},
	}
}

// Ticked returns a panel like NewPanel, with its heading and with a y axis that ends at the last of the ticks.
func Ticked(s *Canvas, top, bottom, right, x0, x1 float64, head string, ticks []Tick) Panel {
	p := NewPanel(s, top, bottom, right, x0, x1, ticks[len(ticks)-1].Value)
	p.Head(head)
	p.YAxis(ticks)
	return p
}

// HeadHeight is the distance between the heading of a panel and its data.
const HeadHeight = 14

// Head writes the heading of the panel, which names the y axis, above the panel. A legend of its
// own is on its right.
func (p Panel) Head(text string, key ...KeyEntry) { p.head(p.Y.Hi-HeadHeight, text, key) }

// HeadOverLimits is like Head, but leaves room for the names of VerticalLines.
func (p Panel) HeadOverLimits(text string) { p.head(p.Y.Hi-2*HeadHeight, text, nil) }

func (p Panel) head(y float64, text string, key []KeyEntry) {
	if s := p.recorded(); s != nil {
		s.Name = text
	}
	p.Text(HeadFace, Ink, Margin, y, ToRight, text)
	x := Margin + HeadFace.Width(text) + 24
	for _, e := range key {
		x = p.keyEntry(e, x, y)
	}
}

// YAxis draws a line across the panel at every tick, with its label on the left.
func (p Panel) YAxis(ticks []Tick) {
	if s := p.recorded(); s != nil {
		s.Y.format(ticks)
	}
	for _, t := range ticks {
		y := p.Y.At(t.Value)
		p.Line(Grid, 1, p.X.Lo, y, p.X.Hi, y)
		p.Text(SmallFace, Muted, p.X.Lo-8, y+3.5, ToLeft, t.Label)
	}
}

// XAxis draws the base line with ticks and labels below it. It omits a label that would touch the
// previous one.
func (p Panel) XAxis(ticks []Tick) {
	if s := p.recorded(); s != nil {
		s.X.format(ticks)
	}
	base := p.Y.Lo
	free := math.Inf(-1)
	for _, t := range ticks {
		x := p.X.At(t.Value)
		p.Line(Rule, 1, x, base, x, base+4)
		half := SmallFace.Width(t.Label) / 2
		if x-half < free {
			continue
		}
		p.Text(SmallFace, Muted, x, base+16, Centred, t.Label)
		free = x + half + 6
	}
	p.Line(Rule, 1, p.X.Lo, base, p.X.Hi, base)
}

// XName writes the name of the x axis below its right end.
func (p Panel) XName(text string) {
	if s := p.recorded(); s != nil {
		s.X.Name = text
	}
	p.Text(HeadFace, Ink, p.X.Hi, p.Y.Lo+34, ToLeft, text)
}

// Curve draws a line through the values. NaN interrupts the line. A single value between two gaps
// is drawn as a dot. plotter.Line does not accept NaN.
func (p Panel) Curve(c color.RGBA, width float64, xs, ys []float64) {
	p.add(Line, c, xs, ys)
	p.group("data-x", func() { p.curve(c, width, xs, ys) })
}

// CurveOf is like Curve, for one of several curves that share a colour. A page shows its values under name.
func (p Panel) CurveOf(name string, c color.RGBA, width float64, xs, ys []float64) {
	p.Curve(c, width, xs, ys)
	if s := p.recorded(); s != nil && len(xs) > 0 {
		s.Series[len(s.Series)-1].Name = name
	}
}

// Steps draws a line that keeps each value up to the position of the next.
func (p Panel) Steps(c color.RGBA, width float64, xs, ys []float64) {
	p.add(Steps, c, xs, ys)
	points := make([]Point, 0, 2*len(xs))
	for i, x := range xs {
		if i > 0 {
			points = append(points, Point{p.X.At(x), p.Y.At(ys[i-1])})
		}
		points = append(points, Point{p.X.At(x), p.Y.At(ys[i])})
	}
	p.group("data-x", func() { p.Polyline(c, width, points) })
}

func (p Panel) curve(c color.RGBA, width float64, xs, ys []float64) {
	var run []Point
	flush := func() {
		if len(run) == 1 {
			p.Circles(c, []Circle{{run[0], width}})
		}
		p.Polyline(c, width, run)
		run = run[:0]
	}
	for i, y := range ys {
		if math.IsNaN(y) {
			flush()
			continue
		}
		run = append(run, Point{p.X.At(xs[i]), p.Y.At(y)})
	}
	flush()
}

// Stack fills areas on top of each other; layers[k][i] is the height of layer k at xs[i]. It
// draws nothing where the first layer is NaN. Package plotter has no stacked areas, and
// plotter.Polygon does not accept NaN.
func (p Panel) Stack(colours []color.RGBA, xs []float64, layers [][]float64) {
	for k, layer := range layers {
		p.add(Line, colours[k], xs, layer)
	}
	p.group("data-x", func() { p.stack(colours, xs, layers) })
}

func (p Panel) stack(colours []color.RGBA, xs []float64, layers [][]float64) {
	for start := 0; start < len(xs); {
		end := start
		for end < len(xs) && !math.IsNaN(layers[0][end]) {
			end++
		}
		if end-start > 1 {
			p.stackRun(colours, xs[start:end], layers, start)
		}
		start = end + 1
	}
}

func (p Panel) stackRun(colours []color.RGBA, xs []float64, layers [][]float64, start int) {
	floor := make([]float64, len(xs))
	for k, layer := range layers {
		outline := make([]Point, 0, 2*len(xs))
		for i := len(xs) - 1; i >= 0; i-- {
			outline = append(outline, Point{p.X.At(xs[i]), p.Y.At(floor[i])})
		}
		for i := range xs {
			floor[i] += layer[start+i]
			outline = append(outline, Point{p.X.At(xs[i]), p.Y.At(floor[i])})
		}
		p.Polygons(colours[k], outline)
	}
}

// Between fills the area between two curves. It leaves out places where either is NaN.
func (p Panel) Between(c color.RGBA, xs, low, high []float64) {
	var above, below []Point
	for i, x := range xs {
		if !math.IsNaN(low[i]) && !math.IsNaN(high[i]) {
			above, below = append(above, Point{p.X.At(x), p.Y.At(high[i])}), append(below, Point{p.X.At(x), p.Y.At(low[i])})
		}
	}
	slices.Reverse(below)
	p.Polygons(c, append(above, below...))
}

// Bar returns the corners of a bar from the base line up to y, between two places on the canvas.
func (p Panel) Bar(left, right, y float64) []Point {
	return []Point{{left, p.Y.Lo}, {left, y}, {right, y}, {right, p.Y.Lo}}
}

// Columns draws columns around the positions xs: their layers on top of each other. layers[k][i] is the
// height of layer k at xs[i], and colour returns its colour. The distance of two columns is width on the
// axis; there are gap units of the canvas between them.
func (p Panel) Columns(width, gap float64, xs []float64, layers [][]float64, colour func(k, i int) color.RGBA) {
	floor := make([]float64, len(xs))
	p.group("data-x", func() {
		for k, layer := range layers {
			for i, height := range layer {
				if !(height > 0) {
					continue
				}
				from, to := p.X.At(xs[i]-width/2)+gap/2, p.X.At(xs[i]+width/2)-gap/2
				p.Rectangle(colour(k, i), from, p.Y.At(floor[i]+height), to, p.Y.At(floor[i]))
				floor[i] += height
			}
		}
	})
	for k, layer := range layers {
		if len(layer) > 0 {
			p.add(Columns, colour(k, 0), xs, layer)
		}
	}
}

// Dot draws a circle at a point whose name a page shows at the pointer. It draws nothing if a value is
// NaN. A hollow circle is not filled.
func (p Panel) Dot(c color.RGBA, radius float64, hollow bool, x, y float64, name string) {
	if math.IsNaN(x) || math.IsNaN(y) {
		return
	}
	at := Point{p.X.At(x), p.Y.At(y)}
	p.Circles(c, []Circle{{at, radius}})
	if hollow {
		p.Circles(Paper, []Circle{{at, radius - 1.3}})
	}
	if s := p.recorded(); s != nil {
		s.Dots = append(s.Dots, Dot{name, rounded([]float64{x}, p.X)[0], rounded([]float64{y}, p.Y)[0]})
	}
}

// Limit is a named value that a panel shows as a dashed line.
type Limit struct {
	Name  string
	Value float64
}

// Empty writes why, the reason for the missing data, into the middle of the panel.
func (p Panel) Empty(why string) {
	p.Text(TextFace, Muted, (p.X.Lo+p.X.Hi)/2, (p.Y.Lo+p.Y.Hi)/2, Centred, why)
}

// HorizontalLines draws limits as lines across the panel, with their names on its right. The
// names of close lines do not overlap.
func (p Panel) HorizontalLines(limits []Limit) {
	free := math.Inf(1)
	for _, l := range limits {
		if l.Value > p.Y.Max {
			continue
		}
		y := p.Y.At(l.Value)
		p.Line(Ink, 1, p.X.Lo, y, p.X.Hi, y, 5, 4)
		name := min(y+3.5, free)
		p.Text(SmallFace, Ink, p.X.Hi+6, name, ToRight, l.Name)
		free = name - 13
	}
}

// VerticalLines draws limits as lines from top to bottom, with their names above the panel.
func (p Panel) VerticalLines(limits []Limit) {
	free := math.Inf(-1)
	for _, l := range limits {
		if l.Value > p.X.Max {
			continue
		}
		x := p.X.At(l.Value)
		p.Line(Ink, 1, x, p.Y.Hi-4, x, p.Y.Lo, 5, 4)
		name := max(x+4, free)
		p.Text(SmallFace, Ink, name, p.Y.Hi-5, ToRight, l.Name)
		free = name + SmallFace.Width(l.Name) + 8
	}
}
