// Package chart draws pictures as PNG and SVG: a canvas, typefaces and colours, axes, and
// panels of curves, areas and bars. It does not know what the pictures are about.
//
// It draws on the canvases of gonum/plot, and places everything itself. A day of curves was
// drawn with plot.Plot too: its axis turns the name of the y axis by 90 degrees, cannot leave
// out labels that would touch, and has no room below for evenings; its legend covers the
// data; and two panels took 1.4 to 2.6 times the CPU. Comments below say for each part what
// gonum/plot lacks.
package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// A Plot is one picture. Its title says what to conclude, its note what is shown.
type Plot struct {
	Name  string // of its files, without extension
	Title string
	Note  string

	Section string // of the page that shows it; "": a page with scripts does not show it
	Height  float64
	Key     []KeyEntry
	Draw    func(s *Canvas, top float64) // draws everything below the heading
}

// KeyEntry is one entry of the legend. The legend is between heading and data, so that it
// never covers data; a plot.Legend is a column inside them.
type KeyEntry struct {
	Text   string
	Colour color.RGBA
	Line   bool // drawn as a line, else as a patch
}

// HeadingHeight is the part of a picture that title and note take.
const HeadingHeight = 68

// DrawOn draws the whole picture on a canvas of its size.
func (p *Plot) DrawOn(canvas vg.Canvas) { p.paint(&Canvas{on: canvas, height: p.Height}) }

// paint draws the whole picture on a canvas that has the colour Paper.
func (p *Plot) paint(s *Canvas) {
	const room = Width - 2*Margin
	s.Text(titleFace.fit(p.Title, room), Ink, Margin, 34, ToRight, p.Title)
	s.Text(TextFace.fit(p.Note, room), Muted, Margin, 54, ToRight, p.Note)
	p.paintBody(s)
}

// paintBody draws everything below title and note.
func (p *Plot) paintBody(s *Canvas) {
	top := float64(HeadingHeight)
	if len(p.Key) > 0 {
		top = p.paintKey(s, top+10) + 16
	}
	p.Draw(s, top)
}

// paintKey draws the legend around the base line y, in as many lines as it needs, and
// returns the last base line.
func (p *Plot) paintKey(s *Canvas, y float64) float64 {
	x := float64(Margin)
	for _, e := range p.Key {
		width := 23 + TextFace.Width(e.Text)
		if x > Margin && x+width > Width-Margin {
			x, y = Margin, y+18
		}
		if e.Line {
			s.Line(e.Colour, 2.5, x, y-4, x+18, y-4)
		} else {
			s.Rectangle(e.Colour, x+2, y-9, x+16, y+1)
		}
		s.Text(TextFace, Ink, x+23, y, ToRight, e.Text)
		x += width + 22
	}
	return y
}
