// Package chart draws pictures as PNG and SVG: a canvas, typefaces and colours, axes, and panels
// of curves, areas and bars. It does not know what the pictures are about.
//
// The package draws on the canvases of gonum/plot, but does the layout itself. When we drew the
// curves of a day with plot.Plot, it rotated the name of the y axis by 90 degrees, could not omit
// labels that touch, and had no space below the axis for the evenings of regions. Its legend
// covered data, and two panels took 1.4 to 2.6 times the CPU. The comment on each part says why
// the part does not use its counterpart in gonum/plot.
package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// A Plot is one picture. Its title states the conclusion, and its note describes the content.
type Plot struct {
	Name  string // name of the picture's files, without extension
	Title string
	Note  string

	Section string // of the page; if "", a page with scripts hides the picture
	Height  float64
	Key     []KeyEntry
	Ahead   float64                      // how far times of day are ahead of UTC, in seconds
	Bands   []Band                       // of all panels with a time axis, in the order of their beginnings
	Draw    func(s *Canvas, top float64) // draws everything below the heading
}

// KeyEntry is one entry of the legend, which is between the heading and the data and never covers
// data. A plot.Legend would be a column inside the data area.
type KeyEntry struct {
	Text   string
	Colour color.RGBA
	Line   bool // show a line instead of a filled square
}

// HeadingHeight is the height of the title and the note.
const HeadingHeight = 68

// DrawOn draws the whole picture on a canvas of the same size.
func (p *Plot) DrawOn(canvas vg.Canvas) {
	p.paint(&Canvas{on: canvas, height: p.Height, bands: p.Bands, ahead: p.Ahead})
}

// paint draws the whole picture on a canvas that is already filled with Paper.
func (p *Plot) paint(s *Canvas) {
	const room = Width - 2*Margin
	face, title := titleFace.fit(p.Title, room)
	s.Text(face, Ink, Margin, 34, ToRight, title)
	face, note := TextFace.fit(p.Note, room)
	s.Text(face, Muted, Margin, 54, ToRight, note)
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

// paintKey draws the legend in as many lines as it needs. y is the base line of the first line.
// The result is the base line of the last.
func (p *Plot) paintKey(s *Canvas, y float64) float64 {
	x := float64(Margin)
	for _, e := range p.Key {
		if width := keyWidth(e); x > Margin && x+width > Width-Margin {
			x, y = Margin, y+18
		}
		x = s.keyEntry(e, x, y)
	}
	return y
}

// keyWidth is the width of an entry of the legend.
func keyWidth(e KeyEntry) float64 { return 23 + TextFace.Width(e.Text) }

// keyEntry draws an entry of the legend at x. It returns where the next one begins. What is drawn in
// its colour from now on has its name.
func (s *Canvas) keyEntry(e KeyEntry, x, y float64) float64 {
	if s.record != nil {
		s.record.key = append(s.record.key, e)
	}
	if e.Line {
		s.Line(e.Colour, 2.5, x, y-4, x+18, y-4)
	} else {
		s.Rectangle(e.Colour, x+2, y-9, x+16, y+1)
	}
	s.Text(TextFace, Ink, x+23, y, ToRight, e.Text)
	return x + keyWidth(e) + 22
}
