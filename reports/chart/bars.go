package chart

import "image/color"

// Bars is a column of horizontal bars, each with a thin line on to its tail.
type Bars struct {
	Head             string
	Left, Width, Row float64
	Colour           color.RGBA
	Rows             int
	Value            func(i int) (v, tail float64, label string)
}

// Draw draws the column below its head, and names on its left where there are any.
func (b *Bars) Draw(s *Canvas, top float64, name func(i int) string) {
	longest := 0.0
	for i := range b.Rows {
		v, tail, _ := b.Value(i)
		longest = max(longest, v, tail)
	}
	if longest == 0 {
		longest = 1
	}
	s.Text(HeadFace, Ink, b.Left, top-8, ToRight, b.Head)
	s.Line(Rule, 1, b.Left, top, b.Left, top+b.Row*float64(b.Rows))
	for i := range b.Rows {
		y := top + b.Row*float64(i)
		v, tail, label := b.Value(i)
		end := b.Left + b.Width*v/longest
		reach := max(end, b.Left+b.Width*tail/longest)
		s.Rectangle(b.Colour, b.Left, y+0.15*b.Row, end, y+0.8*b.Row)
		s.Line(b.Colour, 1.5, end, y+0.475*b.Row, reach, y+0.475*b.Row)
		s.Text(SmallFace, Ink, reach+6, y+0.475*b.Row+4, ToRight, label)
		if name != nil {
			s.Text(SmallFace, Ink, b.Left-10, y+0.475*b.Row+4, ToLeft, SmallFace.Shorten(name(i), b.Left-10-Margin))
		}
	}
}
